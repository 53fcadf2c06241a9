//! A hash table from keys to their places in a sorted list that stands beside it.
//!
//! An entry is one word: the place, one up so that 0 is free, and above it as many bits of the key's hash as are left:
//!
//! ```text
//!   table   [ 0 | 5:place 17 | 2:place 3 | 0 | ... ]     three words for two keys
//!   keys    [ k0 k1 k2 k3 ... ]                          only looked at where the bits agree
//! ```
//!
//! So a look-up touches one line of the table and, nearly always, one of the keys: two cache misses, however the keys
//! are spread, and both can be asked for ahead of time.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::machine::{AtomicWords, prefetch};
use crate::vocabulary::Key;

/// Keys that a thread enters at a time.
const CHUNK: usize = 1 << 14;

/// The places of keys.
pub struct Places {
    table: AtomicWords,
    /// Bits of an entry that hold the place.
    place_bits: u32,
}

impl Places {
    /// Bytes it takes for so many keys.
    pub fn bytes(keys: u64) -> u64 {
        4 * (keys + keys / 2 + 1)
    }

    /// Enters all keys. Nothing if there are more than an entry can name, or no memory for the table.
    pub fn new<K: Key>(keys: &[K]) -> Option<Places> {
        let place_bits = 64 - (keys.len() as u64).leading_zeros();
        if place_bits > 32 {
            return None;
        }
        let table = AtomicWords::zeroed("the places of keys", Places::bytes(keys.len() as u64) as usize / 4).ok()?;
        let places = Places { table, place_bits };
        keys.par_chunks(CHUNK).enumerate().for_each(|(chunk, keys)| {
            keys.iter().for_each(|key| prefetch(&places.table[places.home(hash(*key))]));
            for (at, key) in keys.iter().enumerate() {
                places.enter(hash(*key), (chunk * CHUNK + at) as u64);
            }
        });
        Some(places)
    }

    /// Asks for the entry of a key. To be called some time before [`fetch_key`](Self::fetch_key).
    pub fn fetch_entry<K: Key>(&self, key: K) {
        prefetch(&self.table[self.home(hash(key))]);
    }

    /// Asks for the key that the entry names. To be called some time before [`find`](Self::find).
    pub fn fetch_key<K: Key>(&self, keys: &[K], key: K) {
        if let Some(place) = self.candidates(hash(key)).next() {
            prefetch(&keys[place]);
        }
    }

    /// The place of a key.
    pub fn find<K: Key>(&self, keys: &[K], key: K) -> Option<u64> {
        self.candidates(hash(key)).find(|&place| keys[place] == key).map(|place| place as u64)
    }

    /// Where the search for a key begins.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    /// The bits of a hash that an entry keeps: the lowest ones; the highest have chosen its home.
    fn tag(&self, hash: u64) -> u32 {
        (hash << self.place_bits) as u32
    }

    fn enter(&self, hash: u64, place: u64) {
        let entry = self.tag(hash) | (place as u32 + 1);
        let mut at = self.home(hash);
        while self.table[at].compare_exchange(0, entry, Relaxed, Relaxed).is_err() {
            at = self.after(at);
        }
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.table.len() { 0 } else { at + 1 }
    }

    /// The places whose keys may have this hash.
    fn candidates(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let place_mask = ((1u64 << self.place_bits) - 1) as u32;
        let tag = self.tag(hash);
        let mut at = self.home(hash);
        std::iter::from_fn(move || {
            loop {
                let entry = self.table[at].load(Relaxed);
                if entry == 0 {
                    return None;
                }
                at = self.after(at);
                if entry & !place_mask == tag {
                    return Some((entry & place_mask) as usize - 1);
                }
            }
        })
    }
}

/// Mixes all bits of a key into the highest and the lowest.
fn hash<K: Key>(key: K) -> u64 {
    let wide = key.wide();
    let folded = (wide as u64) ^ ((wide >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let once = folded.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (once ^ once >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_empty_list_has_no_places() {
        let places = Places::new::<u64>(&[]).unwrap();
        assert_eq!(places.find(&[], 7u64), None);
    }

    #[test]
    fn neighbours_are_spread_over_the_table() {
        let keys: Vec<u64> = (0..30_000).map(|n| n << 7).collect();
        let places = Places::new(&keys).unwrap();
        let worst = keys.iter().map(|key| {
            let place = places.find(&keys, *key).unwrap() as u32 + 1;
            let home = places.home(hash(*key));
            let mask = (1u32 << places.place_bits) - 1;
            (0..).find(|step| places.table[(home + step) % places.table.len()].load(Relaxed) & mask == place).unwrap()
        });
        assert!(worst.max().unwrap() < 100);
    }

    proptest! {
        #[test]
        fn every_key_is_found_and_no_other(keys: BTreeSet<u64>, others: Vec<u64>) {
            let keys: Vec<u64> = keys.into_iter().collect();
            let places = Places::new(&keys).unwrap();
            for (place, &key) in keys.iter().enumerate() {
                places.fetch_entry(key);
                places.fetch_key(&keys, key);
                prop_assert_eq!(places.find(&keys, key), Some(place as u64));
            }
            for &other in &others {
                prop_assert_eq!(places.find(&keys, other), keys.binary_search(&other).ok().map(|place| place as u64));
            }
        }
    }
}
