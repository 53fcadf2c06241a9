//! Buffers updates to parent words by partition and delivers them in batches.
//!
//! Each update changes a word somewhere in gigabytes. So updates are buffered by the partition of their word, some
//! hundred at a time; then all their words are prefetched, then the updates are applied:
//!
//! ```text
//! boards -> rank the parents -> [part 0 ..][part 1 .......][part 2 ...] -> prefetch the words -> apply
//! ```
//!
//! These are separate loops because each would stall the others: behind a cache miss the processor continues only
//! within its reorder window, so little memory parallelism is left if much other work lies between the loads. One
//! thread at a time delivers to a partition, so the words need no locked instructions, which would serialise the loop.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::fence;
use std::sync::{Mutex, PoisonError};

use kanzen_core::machine::prefetch;

use super::engine::{BLOCK_BITS, Engine};
use super::word::{TOUCHED, Word};

/// The number of partitions, as a power of two.
const PART_BITS: u32 = 6;
const PARTS: usize = 1 << PART_BITS;
/// Updates that are delivered together: their words take a part of the L1 cache.
const BATCH: usize = 256;

/// The partitions of the words.
pub struct Partitions {
    /// The partition of a slot is the slot shifted right by this many bits.
    bits: u32,
    /// The holder of the lock delivers.
    locks: [Mutex<()>; PARTS],
}

impl Partitions {
    /// Partitions `words` words.
    pub fn of(words: u32) -> Partitions {
        let bits = (u32::BITS - words.leading_zeros()).saturating_sub(PART_BITS);
        Partitions { bits, locks: [const { Mutex::new(()) }; PARTS] }
    }
}

/// The update buffers of a thread: each update is a slot, and above it the number of a move.
pub struct UpdateBuffers {
    updates: Box<[u64]>,
    lens: [u32; PARTS],
    /// Slots of words that a delivery decided, and the level at which they are due.
    decided: Vec<(u32, u8)>,
}

impl UpdateBuffers {
    /// Empty buffers.
    pub fn new() -> UpdateBuffers {
        let updates = vec![0; PARTS * BATCH].into_boxed_slice();
        UpdateBuffers { updates, lens: [0; PARTS], decided: Vec::with_capacity(BATCH) }
    }
}

/// The updates of a thread in one level.
pub struct Updates<'e, 'a> {
    engine: &'e Engine<'a>,
    /// The level at which they were decided.
    pub level: u8,
    buffers: &'e mut UpdateBuffers,
    /// Irregular boards with an update, once each.
    touched: Vec<u32>,
}

impl<'e, 'a> Updates<'e, 'a> {
    /// Starts a level.
    pub fn new(engine: &'e Engine<'a>, level: u8, buffers: &'e mut UpdateBuffers) -> Updates<'e, 'a> {
        Updates { engine, level, buffers, touched: Vec::new() }
    }

    /// Buffers an update: the move with this number (0 if it cannot be forbidden) of the board in `slot` is now
    /// decided.
    #[inline(always)]
    pub fn push(&mut self, slot: u32, number: u8) {
        let part = (slot >> self.engine.parts.bits) as usize % PARTS;
        let len = self.buffers.lens[part] as usize % BATCH;
        self.buffers.updates[part * BATCH + len] = u64::from(slot) | u64::from(number) << 32;
        self.buffers.lens[part] = len as u32 + 1;
        if len + 1 == BATCH {
            self.deliver(part);
        }
    }

    /// Delivers the remaining updates and returns the irregular boards with an update.
    pub fn finish(mut self) -> Vec<u32> {
        for part in 0..PARTS {
            if self.buffers.lens[part] != 0 {
                self.deliver(part);
            }
        }
        self.touched
    }

    #[cold]
    #[inline(never)]
    fn deliver(&mut self, part: usize) {
        let level = self.level + 1;
        if level & 1 == 1 {
            self.deliver_by(part, |word, number| word.move_won(number, level));
        } else {
            self.deliver_by(part, |word, number| word.move_lost(number, level));
        }
    }

    #[inline(always)]
    fn deliver_by(&mut self, part: usize, apply: impl Fn(Word, u8) -> Word) {
        let Engine { words, due, parts, .. } = self.engine;
        let len = std::mem::take(&mut self.buffers.lens[part]) as usize;
        let updates = &self.buffers.updates[part * BATCH..][..len];
        for &update in updates {
            prefetch(&words[update as u32 as usize]);
        }
        let alone = parts.locks[part].lock().unwrap_or_else(PoisonError::into_inner);
        for &update in updates {
            let (slot, number) = (update as u32, (update >> 32) as u8);
            let word = &words[slot as usize];
            let before = Word(word.load(Relaxed));
            if before.is_irregular() {
                if before.0 & TOUCHED == 0 {
                    word.store(before.0 | TOUCHED, Relaxed);
                    self.touched.push(slot);
                }
                continue;
            }
            let after = apply(before, number);
            if after != before {
                word.store(after.0, Relaxed);
                if let Some(level) = after.due_after(self.level) {
                    self.buffers.decided.push((slot, level));
                }
            }
        }
        drop(alone);
        // A thread that scans a block first marks it as not due, then reads its words. Here the order is reversed:
        // either that thread reads the words stored above, or this thread reads its mark.
        fence(SeqCst);
        for (slot, level) in self.buffers.decided.drain(..) {
            let block = &due[(slot >> BLOCK_BITS) as usize];
            if block.load(Acquire) > level {
                block.fetch_min(level, Release);
            }
        }
    }
}
