//! Packs sixty-four numbers of equal width.
//!
//! ```text
//!   word 0            word 1            ...  word w-1
//!   [n0][n1][n2][n3...n3][n4][n5]...             [n63]       w bits each: w words, to the bit
//! ```

use crate::vocabulary::Key;

/// Keys of a block.
pub const BLOCK: usize = 64;
/// Words that must follow the last block: two are read for each number, also for one of no bits.
pub const AFTER: usize = 2;

/// Appends the distances of up to [`BLOCK`] ascending keys from the first, and returns how many bits each takes: so many
/// words were appended. A block that is not full is filled up with its last key.
pub fn pack<K: Key>(keys: &[K], words: &mut Vec<u64>) -> u32 {
    let (first, last) = (keys[0].wide(), keys[keys.len() - 1].wide());
    let width = 128 - (last - first).leading_zeros();
    let (mut pending, mut filled) = (0u128, 0);
    let mut put = |bits: u64, count: u32| {
        pending |= u128::from(bits) << filled;
        filled += count;
        if filled >= 64 {
            words.push(pending as u64);
            pending >>= 64;
            filled -= 64;
        }
    };
    for at in 0..BLOCK {
        let distance = keys[at.min(keys.len() - 1)].wide() - first;
        put(distance as u64, width.min(64));
        if width > 64 {
            put((distance >> 64) as u64, width - 64);
        }
    }
    width
}

/// Number `at` of those packed into `words`, of at most 64 bits.
#[inline]
pub fn narrow(words: &[u64], at: usize, width: u32) -> u64 {
    let mask = ((1u128 << width) - 1) as u64;
    bits(words, at * width as usize) & mask
}

/// As [`narrow`], of any width.
#[inline]
pub fn wide(words: &[u64], at: usize, width: u32) -> u128 {
    if width <= 64 {
        return narrow(words, at, width).into();
    }
    let bit = at * width as usize;
    let high = bits(words, bit + 64) & (u64::MAX >> (128 - width));
    u128::from(high) << 64 | u128::from(bits(words, bit))
}

/// Sixty-four bits from a bit on.
#[inline]
fn bits(words: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / 64, bit % 64);
    let pair = &words[word..word + 2];
    pair[0] >> shift | (pair[1] << 1) << (63 - shift)
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_read_again(keys in btree_set(any::<u128>(), 1..=BLOCK), shift in 0u32..128) {
            let keys: std::collections::BTreeSet<u128> = keys.into_iter().map(|key| key >> shift).collect();
            let keys: Vec<u128> = keys.into_iter().collect();
            let mut words = Vec::new();
            let width = pack(&keys, &mut words);
            prop_assert_eq!(words.len(), width as usize);
            words.extend([u64::MAX; 2]); // whatever follows
            for at in 0..BLOCK {
                prop_assert_eq!(keys[0] + wide(&words, at, width), keys[at.min(keys.len() - 1)]);
            }
        }
    }
}
