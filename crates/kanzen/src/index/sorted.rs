//! Sorted keys with a directory: the dense number of a key is its place.
//!
//! ```text
//!   directory   [0 | 3 | 3 | 7 | ...]     where the keys with each value of the high bits begin
//!   keys        [k0 k1 k2 | k3 k4 k5 k6 | ...]
//! ```
//!
//! The high bits lead to a short run, a binary search in it ends the look-up.

use crate::Key;

/// Different keys in ascending order, with quick look-up.
///
/// ```
/// use kanzen::index::SortedKeys;
/// let keys = SortedKeys::new(vec![3u32, 7, 1000]);
/// assert_eq!(keys.rank(7), Some(1));
/// assert_eq!(keys.rank(8), None);
/// assert_eq!(keys.key(2), 1000);
/// ```
pub struct SortedKeys<K> {
    keys: Vec<K>,
    shift: u32,
    directory: Vec<u64>,
}

impl<K: Key> SortedKeys<K> {
    /// Takes keys that ascend strictly.
    ///
    /// # Panics
    /// In debug builds, if they do not.
    pub fn new(keys: Vec<K>) -> SortedKeys<K> {
        debug_assert!(keys.is_sorted_by(|a, b| a < b));
        let widest = keys.last().map_or(0, |key| 128 - key.wide().leading_zeros());
        // About four keys for each entry of the directory.
        let directory_bits = (keys.len() as u64 / 4 + 1).ilog2();
        // A few keys of all 128 bits would ask for a shift by 128, which there is none of.
        let shift = widest.saturating_sub(directory_bits).min(127);
        let mut directory = Vec::with_capacity((1 << (widest - shift)) + 1);
        for (place, key) in keys.iter().enumerate() {
            let bucket = (key.wide() >> shift) as usize;
            while directory.len() <= bucket {
                directory.push(place as u64);
            }
        }
        directory.push(keys.len() as u64);
        SortedKeys { keys, shift, directory }
    }

    /// How many keys there are.
    pub fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The place of a key, if it is one of these.
    pub fn rank(&self, key: K) -> Option<u64> {
        let bucket = usize::try_from(key.wide() >> self.shift).ok()?;
        let &[start, end] = self.directory.get(bucket..bucket + 2)? else { return None };
        let run = &self.keys[start as usize..end as usize];
        run.binary_search(&key).ok().map(|place| start + place as u64)
    }

    /// The key at a place.
    ///
    /// # Panics
    /// If there is none.
    pub fn key(&self, place: u64) -> K {
        self.keys[place as usize]
    }

    /// All keys.
    pub fn as_slice(&self) -> &[K] {
        &self.keys
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_single_key_may_be_the_largest() {
        let sorted = SortedKeys::new(vec![u128::MAX]);
        assert_eq!((sorted.rank(u128::MAX), sorted.rank(0), sorted.rank(1 << 127)), (Some(0), None, None));
    }

    proptest! {
        #[test]
        fn a_key_is_found_where_it_stands(keys: BTreeSet<u64>, narrow: BTreeSet<u16>, others: Vec<u64>) {
            for keys in [keys.into_iter().collect::<Vec<_>>(), narrow.into_iter().map(u64::from).collect()] {
                let sorted = SortedKeys::new(keys.clone());
                for (place, &key) in keys.iter().enumerate() {
                    prop_assert_eq!(sorted.rank(key), Some(place as u64));
                }
                for &other in &others {
                    prop_assert_eq!(sorted.rank(other), keys.binary_search(&other).ok().map(|place| place as u64));
                }
            }
        }

        #[test]
        fn the_widest_keys_work_too(keys: BTreeSet<u128>) {
            let sorted = SortedKeys::new(keys.iter().copied().collect());
            for (place, &key) in keys.iter().enumerate() {
                prop_assert_eq!(sorted.rank(key), Some(place as u64));
            }
        }
    }
}
