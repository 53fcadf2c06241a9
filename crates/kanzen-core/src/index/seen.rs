//! A cache of recently seen keys: most moves lead to a position that another move has led to before.
//!
//! ```text
//!   key ──mix──> a line of 8 keys   [ newest | ... | oldest ]     a key that is new here pushes another out
//! ```
//!
//! A key that is found has been listed before and need not be sorted and merged again. One that is not found may have
//! been: it was pushed out, or another thread wrote at the same time. So this saves work and decides nothing.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::machine::{Array, parallel, prefetch};
use crate::vocabulary::{Error, Key};

/// Keys of a line.
const LINE: usize = 8;
/// Lines that a thread takes over at a time when there is more room.
const PART: usize = 1 << 14;
/// An odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Keys that were met lately.
pub struct Seen<K> {
    /// Keys plus one; 0 is none.
    entries: Array<AtomicU64>,
    /// How far a mixed key is shifted to be the number of a line.
    shift: u32,
    keys: PhantomData<K>,
}

impl<K: Key> Seen<K> {
    /// Room for about so many keys, at least a few.
    pub fn with_room(keys: u64) -> Result<Seen<K>, Error> {
        let lines = (keys / LINE as u64).max(2).next_power_of_two();
        let entries = Array::zeroed("positions met lately", lines as usize * LINE)?;
        Ok(Seen { entries, shift: 64 - lines.trailing_zeros(), keys: PhantomData })
    }

    /// How many keys there is room for.
    pub fn room(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Bytes of memory for so many keys.
    pub fn bytes(keys: u64) -> u64 {
        8 * LINE as u64 * (keys / LINE as u64).max(2).next_power_of_two()
    }

    /// The same keys with more room.
    pub fn grown(self, keys: u64) -> Result<Seen<K>, Error> {
        let grown = Seen::with_room(keys)?;
        let parts = self.entries.len().div_ceil(PART * LINE);
        parallel::for_each(parts, &|part| {
            let entries = &self.entries[part * PART * LINE..self.entries.len().min((part + 1) * PART * LINE)];
            let kept = entries.iter().map(|entry| entry.load(Relaxed)).filter(|entry| *entry > 0);
            kept.for_each(|entry| _ = grown.is_new(K::from_wide(u128::from(entry - 1))));
        });
        Ok(grown)
    }

    /// The first entry of a key's line, and what the key is there; nothing for keys of too many bits.
    #[inline(always)]
    fn home(&self, key: K) -> Option<(usize, u64)> {
        let entry = u64::try_from(key.wide()).ok()?.checked_add(1)?;
        let mixed = (entry ^ entry >> 29).wrapping_mul(FACTOR);
        Some(((mixed >> self.shift) as usize * LINE, entry))
    }

    /// Asks for what [`is_new`](Self::is_new) looks at.
    #[inline]
    pub fn fetch(&self, key: K) {
        if let Some((first, _)) = self.home(key) {
            prefetch(&self.entries[first]);
        }
    }

    /// Whether the key was not met lately; now it was.
    #[inline]
    pub fn is_new(&self, key: K) -> bool {
        let Some((first, entry)) = self.home(key) else { return true };
        let line = &self.entries[first..first + LINE];
        let known = line.iter().fold(false, |known, at| known | (at.load(Relaxed) == entry));
        if !known {
            for at in (1..LINE).rev() {
                line[at].store(line[at - 1].load(Relaxed), Relaxed);
            }
            line[0].store(entry, Relaxed);
        }
        !known
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_found_was_met(keys in proptest::collection::vec(0u64..3000, 0..3000), room in 0u64..4096) {
            let (mut seen, mut twin) = (Seen::with_room(room).unwrap(), BTreeSet::new());
            for (at, key) in keys.into_iter().enumerate() {
                seen.fetch(key);
                let new = twin.insert(key);
                prop_assert!(seen.is_new(key) || !new, "{key} was never met");
                prop_assert!(!seen.is_new(key), "{key} was met just now");
                if at == 1000 {
                    seen = seen.grown(2 * room).unwrap();
                    prop_assert!(Seen::<u64>::bytes(2 * room) == 8 * seen.room());
                }
            }
        }
    }

    #[test]
    fn keys_of_too_many_bits_are_always_new() {
        let seen = Seen::<u128>::with_room(100).unwrap();
        for key in [u128::from(u64::MAX), 1 << 64, u128::MAX] {
            assert!(seen.is_new(key) && seen.is_new(key));
        }
        assert!(seen.is_new(7) && !seen.is_new(7));
    }
}
