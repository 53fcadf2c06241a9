//! The transposition table: proven bounds by whole key, shared by all threads without locks.
//!
//! ```text
//!   one line of the cache   [turn | facts 0 1 2 | key 0 | key 1 | key 2]      4 + 3*4 + 3*16 = 64 bytes
//!   facts                   lower bound, upper bound, best child, effort      a byte each
//! ```
//!
//! A writer makes `turn` odd, writes, and makes it even again; a reader that saw it change, or saw it odd, has found
//! nothing. Of the three, the one that cost the least effort is replaced.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use kanzen::Error;
use kanzen_core::machine::{Array, Plain, prefetch};

const WAYS: usize = 3;

/// What is proven of a score.
///
/// ```
/// use kanzen_games::othello::Bounds;
/// let bounds = Bounds { lower: -4, upper: 10 };
/// assert_eq!(bounds.exact(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The score, if there is no doubt left.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The position's key.
    pub key: u128,
    /// What is proven of its score.
    pub bounds: Bounds,
    /// The low byte of the hash of its best child so far.
    pub best: u8,
    /// The logarithm of the number of positions it cost.
    pub effort: u8,
}

#[repr(C, align(64))]
struct Line {
    turn: AtomicU32,
    facts: [AtomicU32; WAYS],
    keys: [[AtomicU64; 2]; WAYS],
}

/// Proven bounds of positions.
///
/// ```
/// use kanzen_games::othello::{Bounds, Table};
/// let table = Table::new(1 << 20)?;
/// table.put(77, Bounds { lower: 2, upper: 64 }, 0, 1000);
/// assert_eq!(table.get(77).unwrap().bounds.lower, 2);
/// assert!(table.get(78).is_none());
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Table {
    lines: Array<Line>,
}

// SAFETY: a line is made of atomic numbers, without padding, aligned to 64 bytes.
unsafe impl Plain for Line {}

/// A well mixed number of a key.
#[inline(always)]
pub fn hash(key: u128) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed = low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    let product = u128::from(mixed ^ mixed >> 29) * 0xd6e8_feb8_6659_fd93;
    (product >> 64) as u64 ^ product as u64
}

impl Table {
    /// A table of at most so many bytes, at least one line.
    pub fn new(bytes: usize) -> Result<Table, Error> {
        let lines = (bytes / size_of::<Line>()).max(1);
        Ok(Table { lines: Array::zeroed("the table of the search", lines)? })
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.lines[..])
    }

    #[inline(always)]
    fn line(&self, hash: u64) -> &Line {
        let lines = &self.lines[..];
        let number = ((u128::from(hash) * lines.len() as u128) >> 64) as usize;
        // SAFETY: the high half of a product with the length is below the length.
        unsafe { lines.get_unchecked(number) }
    }

    /// Asks the processor for the line of a hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.line(hash));
    }

    /// What is known of a key.
    #[inline]
    pub fn get(&self, key: u128) -> Option<Proven> {
        self.get_hashed(key, hash(key))
    }

    /// What is known of a key whose hash is at hand.
    #[inline]
    pub fn get_hashed(&self, key: u128, hash: u64) -> Option<Proven> {
        let line = self.line(hash);
        let turn = line.turn.load(Ordering::Acquire);
        for way in 0..WAYS {
            if line.key(way) == key {
                let facts = line.facts[way].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let steady = turn & 1 == 0 && line.turn.load(Ordering::Relaxed) == turn;
                return steady.then(|| unpack(key, facts));
            }
        }
        None
    }

    /// Keeps what was proven of a key at the cost of so many positions.
    pub fn put(&self, key: u128, bounds: Bounds, best: u8, positions: u64) {
        let effort = (u64::BITS - positions.leading_zeros()) as u8;
        self.put_proven(Proven { key, bounds, best, effort });
    }

    /// Keeps an entry.
    pub fn put_proven(&self, proven: Proven) {
        let line = self.line(hash(proven.key));
        let turn = line.turn.load(Ordering::Relaxed);
        let free = turn & 1 == 0
            && line.turn.compare_exchange(turn, turn.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed).is_ok();
        if !free {
            return; // another thread writes here: this entry is lost, which costs time only
        }
        fence(Ordering::Release);
        let mut proven = proven;
        let way = match (0..WAYS).find(|&way| line.key(way) == proven.key) {
            Some(way) => {
                let known = unpack(proven.key, line.facts[way].load(Ordering::Relaxed)).bounds;
                proven.bounds.lower = proven.bounds.lower.max(known.lower);
                proven.bounds.upper = proven.bounds.upper.min(known.upper);
                way
            }
            None => {
                let effort = |way: &usize| line.facts[*way].load(Ordering::Relaxed) >> 24;
                (0..WAYS).min_by_key(effort).unwrap_or(0)
            }
        };
        line.keys[way][0].store(proven.key as u64, Ordering::Relaxed);
        line.keys[way][1].store((proven.key >> 64) as u64, Ordering::Relaxed);
        line.facts[way].store(pack(&proven), Ordering::Relaxed);
        line.turn.store(turn.wrapping_add(2), Ordering::Release);
    }

    /// Every entry that cost at least so much effort.
    pub fn entries(&self, effort: u8) -> impl Iterator<Item = Proven> + '_ {
        self.lines.iter().flat_map(move |line| {
            let turn = line.turn.load(Ordering::Acquire);
            let ways: [Proven; WAYS] =
                std::array::from_fn(|way| unpack(line.key(way), line.facts[way].load(Ordering::Relaxed)));
            fence(Ordering::Acquire);
            let steady = turn & 1 == 0 && line.turn.load(Ordering::Relaxed) == turn;
            ways.into_iter().filter(move |proven| steady && proven.key != 0 && proven.effort >= effort)
        })
    }
}

impl Line {
    #[inline(always)]
    fn key(&self, way: usize) -> u128 {
        let low = self.keys[way][0].load(Ordering::Relaxed);
        u128::from(self.keys[way][1].load(Ordering::Relaxed)) << 64 | u128::from(low)
    }
}

fn pack(proven: &Proven) -> u32 {
    u32::from_le_bytes([proven.bounds.lower as u8, proven.bounds.upper as u8, proven.best, proven.effort])
}

fn unpack(key: u128, facts: u32) -> Proven {
    let [lower, upper, best, effort] = facts.to_le_bytes();
    Proven { key, bounds: Bounds { lower: i32::from(lower as i8), upper: i32::from(upper as i8) }, best, effort }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_was_put_there_even_under_contention() {
        let table = Table::new(64 * 16).unwrap();
        let rounds = if cfg!(miri) { 30 } else { 100_000 }; // an interpreter is slow
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..rounds {
                        let key = u128::from((n * 7 + thread) % 199 + 1) << 60 | 1;
                        // The bounds are a function of the key: a mixture of two entries would show.
                        let lower = (key >> 60) as i32 % 60 - 30;
                        let bounds = Bounds { lower, upper: lower + 2 };
                        match table.get(key) {
                            Some(found) => assert_eq!((found.key, found.bounds), (key, bounds)),
                            None => table.put(key, bounds, 0, n % 1000),
                        }
                    }
                });
            }
        });
        assert!(table.entries(0).count() > 0);
    }

    #[test]
    fn costly_entries_stay() {
        let table = Table::new(64).unwrap();
        let bounds = Bounds { lower: 0, upper: 1 };
        for key in 1..=3 {
            table.put(key, bounds, 0, 1 << 40);
        }
        for key in 4..100 {
            table.put(key, bounds, 0, 10);
        }
        assert_eq!(table.entries(30).count(), 2);
        assert!(table.get(99).is_some());
    }
}
