//! A hash table from keys to their places: a look-up reads one cache line.
//!
//! ```text
//!   key - lowest ──mix──> number below 2^b ──its share of 2^b──> line of 8 entries, or the next that has room
//!                            └─ its low bits, with the place, are an entry      [ low bits | place + 1 ], 0 is empty
//! ```
//!
//! Mixing is one to one, so that line and low bits together are the key: nothing is compared that was left out. That
//! works as long as entries are found near the line they belong to, and a place and the bits that are wanted fit into a
//! word; where they do not, there is no table, and the packed list is searched. Ten bytes a key, beside the list.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::packed::PackedKeys;
use crate::machine::{Array, parallel, prefetch};
use crate::vocabulary::{Error, Key};

/// Entries of a line.
const LINE: usize = 8;
/// Of ten entries so many are taken.
const LOAD: u64 = 8;
/// Lines that an entry may be away from its own, at most: an entry must distinguish so many.
const FAR: u64 = 256;
/// Keys that are looked up together.
const BATCH: usize = 64;
/// Keys that a thread inserts at a time.
const PART: u64 = 1 << 16;
const NOWHERE: u64 = u64::MAX;
/// Odd numbers without a pattern.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

/// The places of keys.
pub struct KeyTable<K> {
    entries: Array<AtomicU64>,
    numbers: Numbers,
    keys: PhantomData<K>,
}

/// How keys become entries.
#[derive(Clone, Copy)]
struct Numbers {
    lowest: u128,
    /// Bits of a key, the lowest taken off.
    bits: u32,
    /// Bits of a place, plus one.
    place_bits: u32,
    lines: u64,
}

/// Where a key belongs, and its entry without the place.
#[derive(Clone, Copy)]
struct Home {
    line: usize,
    entry: u64,
}

impl Numbers {
    /// Nothing if keys are too far apart.
    fn of<K: Key>(keys: &PackedKeys<K>) -> Option<Numbers> {
        let len = keys.len();
        if len == 0 {
            return None;
        }
        let lowest = keys.key(0).wide();
        let bits = 128 - (keys.key(len - 1).wide() - lowest).leading_zeros();
        let place_bits = 64 - len.leading_zeros();
        let lines = (10 * len).div_ceil(LOAD * LINE as u64) + 1;
        // Numbers of neighbouring lines must differ in their low bits.
        let span = (1u128 << bits.min(100)) / u128::from(lines) + 1;
        let enough = bits <= 64 && span * u128::from(2 * FAR) <= 1 << (64 - place_bits);
        enough.then_some(Numbers { lowest, bits: bits.max(1), place_bits, lines })
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Where a key belongs; nothing for one that is out of range.
    #[inline(always)]
    fn home(self, key: impl Key) -> Option<Home> {
        let distance = key.wide().wrapping_sub(self.lowest);
        if distance > u128::from(self.mask()) {
            return None;
        }
        let once = (distance as u64).wrapping_mul(FACTORS[0]) & self.mask();
        let mixed = (once ^ once >> self.bits.div_ceil(2)).wrapping_mul(FACTORS[1]) & self.mask();
        let line = (u128::from(mixed) * u128::from(self.lines)) >> self.bits;
        Some(Home { line: line as usize, entry: mixed << self.place_bits })
    }
}

impl<K: Key> KeyTable<K> {
    /// Bytes of memory that a table of these keys takes; nothing if they are too far apart for one.
    pub fn bytes_for(keys: &PackedKeys<K>) -> Option<u64> {
        Numbers::of(keys).map(|numbers| Self::entries_for(numbers) as u64 * 8)
    }

    /// Lines that overflow at the end go on behind it.
    fn entries_for(numbers: Numbers) -> usize {
        (numbers.lines + FAR) as usize * LINE
    }

    /// A table of some keys, made on all threads of the current pool; nothing if there cannot be one.
    pub fn new(keys: &PackedKeys<K>) -> Result<Option<KeyTable<K>>, Error> {
        let Some(numbers) = Numbers::of(keys) else { return Ok(None) };
        let entries = Array::zeroed("the table of positions", Self::entries_for(numbers))?;
        let table = KeyTable { entries, numbers, keys: PhantomData };
        let parts = keys.len().div_ceil(PART) as usize;
        let fit = parallel::map(parts, &|part| {
            let first = part as u64 * PART;
            let last = (first + PART).min(keys.len());
            table.insert_some(keys, first, last)
        });
        Ok(fit.into_iter().all(|fit| fit).then_some(table))
    }

    /// Inserts the keys of some places. `false` if there is no room for one near its line.
    fn insert_some(&self, keys: &PackedKeys<K>, first: u64, last: u64) -> bool {
        let mut fit = true;
        let mut batch: Vec<u64> = Vec::with_capacity(BATCH);
        let mut homes: Vec<Home> = Vec::with_capacity(BATCH);
        let mut flush = |homes: &mut Vec<Home>, places: &mut Vec<u64>| {
            homes.drain(..).zip(places.drain(..)).for_each(|(home, place)| fit &= self.insert(home, place));
        };
        let mut place = first;
        keys.visit(first..last, |key| {
            if let Some(home) = self.numbers.home(key) {
                prefetch(&self.entries[home.line * LINE]);
                homes.push(home);
                batch.push(place);
            }
            place += 1;
            if homes.len() == BATCH {
                flush(&mut homes, &mut batch);
            }
        });
        flush(&mut homes, &mut batch);
        fit
    }

    fn insert(&self, home: Home, place: u64) -> bool {
        let entry = home.entry | (place + 1);
        let near = &self.entries[home.line * LINE..][..FAR as usize * LINE];
        near.iter().any(|at| at.load(Relaxed) == 0 && at.compare_exchange(0, entry, Relaxed, Relaxed).is_ok())
    }

    /// The place of a key, if it has one.
    #[cfg(test)]
    pub fn rank(&self, key: K) -> Option<u64> {
        self.find(self.numbers.home(key)?)
    }

    /// The places of several keys, each with its number among them: what one waits for is fetched while others are
    /// looked at.
    #[inline]
    pub fn rank_all(&self, keys: &[K], found: &mut impl FnMut(usize, Option<u64>)) {
        let mut homes = [None; BATCH];
        for (batch, keys) in keys.chunks(BATCH).enumerate() {
            for (home, key) in homes.iter_mut().zip(keys) {
                *home = self.numbers.home(*key);
                if let Some(home) = home {
                    prefetch(&self.entries[home.line * LINE]);
                }
            }
            for (at, home) in homes[..keys.len()].iter().enumerate() {
                found(batch * BATCH + at, home.and_then(|home| self.find(home)));
            }
        }
    }

    #[inline(always)]
    fn find(&self, home: Home) -> Option<u64> {
        let places = (1 << self.numbers.place_bits) - 1;
        let lines = self.entries[home.line * LINE..].as_chunks::<LINE>().0;
        for line in lines.iter().take(FAR as usize) {
            // All eight, without branches: which one it is cannot be predicted.
            let mut place = NOWHERE;
            for entry in line {
                // What is left of the right entry is its place plus one; nought, of an empty one, becomes a large number.
                let left = (entry.load(Relaxed) ^ home.entry).wrapping_sub(1);
                place = if left < places { left } else { place };
            }
            if place != NOWHERE || line[LINE - 1].load(Relaxed) == 0 {
                return (place != NOWHERE).then_some(place);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn check<K: Key>(keys: &BTreeSet<K>, asked: impl Iterator<Item = K>) -> bool {
        let list = PackedKeys::new(keys.iter().copied()).unwrap();
        let Some(table) = KeyTable::new(&list).unwrap() else { return false };
        assert!(KeyTable::bytes_for(&list).is_some_and(|bytes| bytes == size_of_val(&table.entries[..]) as u64));
        let asked: Vec<K> = asked.chain(keys.iter().copied()).collect();
        let mut heard = 0;
        table.rank_all(&asked, &mut |at, place| {
            assert_eq!(at, heard);
            assert_eq!(place, list.rank(asked[at]), "{:?}", asked[at]);
            assert_eq!(place, table.rank(asked[at]));
            heard += 1;
        });
        assert_eq!(heard, asked.len());
        true
    }

    proptest! {
        #[test]
        fn it_finds_what_the_packed_list_finds(keys: BTreeSet<u64>, asked: Vec<u64>, shift in 8u32..64) {
            let near: BTreeSet<u64> = keys.iter().map(|key| key >> shift).collect();
            let asked = asked.iter().flat_map(|key| [*key, key >> shift, (key >> shift).wrapping_sub(1)]);
            check(&near, asked);
        }

        #[test]
        fn of_wide_and_of_narrow_keys_too(keys: BTreeSet<u32>, base in any::<u128>()) {
            prop_assert_eq!(check(&keys, [0, u32::MAX].into_iter()), !keys.is_empty());
            let wide: BTreeSet<u128> = keys.iter().map(|key| base / 2 + u128::from(*key)).collect();
            check(&wide, [0, base, u128::MAX].into_iter());
        }
    }

    #[test]
    fn keys_in_a_row_and_keys_with_a_pattern_find_room() {
        for step in [1u64, 2, 3, 64, 1 << 13, 11 * 11 * 27, 1 << 20] {
            let keys: BTreeSet<u64> = (0..50_000).map(|n| 77 + n * step).collect();
            assert!(check(&keys, (0..1000).map(|n| 76 + n * step)), "{step}");
        }
    }

    #[test]
    fn keys_that_are_too_far_apart_have_no_table() {
        let list = PackedKeys::new([0, 1u128 << 100]).unwrap();
        assert!(KeyTable::bytes_for(&list).is_none() && KeyTable::new(&list).unwrap().is_none());
        assert!(KeyTable::new(&PackedKeys::<u64>::new([]).unwrap()).unwrap().is_none());
    }
}
