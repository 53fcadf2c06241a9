//! Sorted keys: the dense number of a key is its place, which a hash table beside them finds.

use super::places::Places;
use crate::vocabulary::Key;

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
    places: Option<Places>,
}

impl<K: Key> SortedKeys<K> {
    /// Takes keys that ascend strictly.
    ///
    /// # Panics
    /// In debug builds, if they do not.
    pub fn new(keys: Vec<K>) -> SortedKeys<K> {
        debug_assert!(keys.is_sorted_by(|a, b| a < b));
        let places = Places::new(&keys);
        SortedKeys { keys, places }
    }

    /// Bytes that so many keys take.
    pub fn bytes(keys: u64) -> u64 {
        keys * size_of::<K>() as u64 + Places::bytes(keys)
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
        match &self.places {
            Some(places) => places.find(&self.keys, key),
            None => self.keys.binary_search(&key).ok().map(|place| place as u64),
        }
    }

    /// The places of several keys, each as [`rank`](Self::rank) tells it. Quicker than one by one: what one key waits
    /// for is fetched while the others are looked at.
    pub fn rank_all(&self, keys: &[K], found: &mut impl FnMut(usize, Option<u64>)) {
        if let Some(places) = &self.places {
            keys.iter().for_each(|key| places.fetch_entry(*key));
            keys.iter().for_each(|key| places.fetch_key(&self.keys, *key));
        }
        keys.iter().enumerate().for_each(|(number, key)| found(number, self.rank(*key)));
    }

    /// The key at a place.
    ///
    /// # Panics
    /// If there is none.
    pub fn key(&self, place: u64) -> K {
        self.keys[place as usize]
    }

    /// All keys, ascending.
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
