//! Drops keys that occur twice: mirror images, or two moves that lead to one position.
//!
//! Nearly always there are none, and sorting a dozen keys to find that out took as long as making them. So each key sets
//! a bit of a small table by its hash, and only if one was set before are they sorted.

use kanzen_core::vocabulary::Key;

const WORDS: usize = 64;
/// An odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Drops what is named twice in short lists of keys.
pub struct Repeats {
    /// All zero between two lists.
    bits: [u64; WORDS],
}

impl Default for Repeats {
    fn default() -> Self {
        Repeats { bits: [0; WORDS] }
    }
}

fn bit_of(key: impl Key) -> (usize, u64) {
    let wide = key.wide();
    let mixed = (wide as u64 ^ (wide >> 64) as u64).wrapping_mul(FACTOR) >> 52;
    (mixed as usize / 64, 1 << (mixed % 64))
}

impl Repeats {
    /// Leaves each key from a place on once, in any order.
    pub fn drop_from<K: Key>(&mut self, keys: &mut Vec<K>, start: usize) {
        let list = &keys[start..];
        if list.len() > WORDS {
            return sort_and_drop(keys, start);
        }
        let mut twice = 0;
        for &key in list {
            let (word, bit) = bit_of(key);
            twice |= self.bits[word] & bit;
            self.bits[word] |= bit;
        }
        list.iter().for_each(|&key| self.bits[bit_of(key).0] = 0);
        if twice != 0 {
            sort_and_drop(keys, start);
        }
    }
}

fn sort_and_drop<K: Key>(keys: &mut Vec<K>, start: usize) {
    keys[start..].sort_unstable();
    let mut kept = start;
    for at in start..keys.len() {
        if kept == start || keys[kept - 1] != keys[at] {
            keys[kept] = keys[at];
            kept += 1;
        }
    }
    keys.truncate(kept);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_key_is_left_once(lists in vec(vec(0u64..200, 0..90), 1..5), before in vec(0u64..200, 0..5)) {
            let mut repeats = Repeats::default();
            for list in lists {
                let mut keys = before.clone();
                keys.extend(&list);
                repeats.drop_from(&mut keys, before.len());
                prop_assert_eq!(&keys[..before.len()], &before);
                let left: BTreeSet<u64> = keys[before.len()..].iter().copied().collect();
                prop_assert_eq!(left.len(), keys.len() - before.len());
                prop_assert_eq!(left, list.into_iter().collect());
            }
        }
    }
}
