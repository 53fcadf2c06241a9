//! Notices to the boards that a decided board can have come from.
//!
//! A notice goes to a word somewhere in gigabytes. So notices are gathered by the part of the words they go to, some
//! hundred at a time; then those words are asked for all at once, then the notices delivered:
//!
//! ```text
//! boards -> number the boards before -> [part 0 ..][part 1 .......][part 2 ...] -> ask for the words -> deliver
//! ```
//!
//! These are loops of their own, since each would hold up the others: behind a line that is asked for the processor
//! goes on only as far as it can remember, so that few are on the way where much else is done in between. A part has
//! one thread at a time deliver to it. So its words need no locked instructions, behind which nothing begins.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::fence;
use std::sync::{Mutex, PoisonError};

use kanzen::machine::prefetch;

use super::engine::{BLOCK_BITS, Engine};
use super::word::{TOUCHED, Word};

/// Parts of the words, as a power of two.
const PART_BITS: u32 = 6;
const PARTS: usize = 1 << PART_BITS;
/// Notices that are delivered together: their words fill a part of the first cache.
const TOGETHER: usize = 256;

/// The parts of the words.
pub struct Parts {
    /// A slot without so many bits is the number of its part.
    bits: u32,
    /// Who has the lock delivers.
    locks: [Mutex<()>; PARTS],
}

impl Parts {
    /// The parts of so many words.
    pub fn of(words: u32) -> Parts {
        let bits = (u32::BITS - words.leading_zeros()).saturating_sub(PART_BITS);
        Parts { bits, locks: [const { Mutex::new(()) }; PARTS] }
    }
}

/// Room for a thread's notices, a slot and above it the number of a move each.
pub struct Room {
    notices: Box<[u64]>,
    lens: [u32; PARTS],
    /// Slots of words that were decided by a delivery, and the level at which that is due.
    decided: Vec<(u32, u8)>,
}

impl Room {
    /// Room without a notice.
    pub fn new() -> Room {
        let notices = vec![0; PARTS * TOGETHER].into_boxed_slice();
        Room { notices, lens: [0; PARTS], decided: Vec::with_capacity(TOGETHER) }
    }
}

/// A thread's notices of a level.
pub struct Notices<'e, 'a> {
    engine: &'e Engine<'a>,
    /// The level at which they are decided.
    pub level: u8,
    room: &'e mut Room,
    /// Irregular boards that were told of something, once each.
    touched: Vec<u32>,
}

impl<'e, 'a> Notices<'e, 'a> {
    /// No notices of a level yet.
    pub fn new(engine: &'e Engine<'a>, level: u8, room: &'e mut Room) -> Notices<'e, 'a> {
        Notices { engine, level, room, touched: Vec::new() }
    }

    /// Tells a board that its move with this number, 0 if it cannot be forbidden, leads to what is decided now.
    #[inline(always)]
    pub fn push(&mut self, slot: u32, number: u8) {
        let part = (slot >> self.engine.parts.bits) as usize % PARTS;
        let len = self.room.lens[part] as usize % TOGETHER;
        self.room.notices[part * TOGETHER + len] = u64::from(slot) | u64::from(number) << 32;
        self.room.lens[part] = len as u32 + 1;
        if len + 1 == TOGETHER {
            self.deliver(part);
        }
    }

    /// Delivers what is left, and gives the irregular boards that were told of something.
    pub fn finish(mut self) -> Vec<u32> {
        for part in 0..PARTS {
            if self.room.lens[part] != 0 {
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
    fn deliver_by(&mut self, part: usize, told: impl Fn(Word, u8) -> Word) {
        let Engine { words, due, parts, .. } = self.engine;
        let len = std::mem::take(&mut self.room.lens[part]) as usize;
        let notices = &self.room.notices[part * TOGETHER..][..len];
        for &notice in notices {
            prefetch(&words[notice as u32 as usize]);
        }
        let alone = parts.locks[part].lock().unwrap_or_else(PoisonError::into_inner);
        for &notice in notices {
            let (slot, number) = (notice as u32, (notice >> 32) as u8);
            let word = &words[slot as usize];
            let before = Word(word.load(Relaxed));
            if before.is_irregular() {
                if before.0 & TOUCHED == 0 {
                    word.store(before.0 | TOUCHED, Relaxed);
                    self.touched.push(slot);
                }
                continue;
            }
            let after = told(before, number);
            if after != before {
                word.store(after.0, Relaxed);
                if let Some(level) = after.due_after(self.level) {
                    self.room.decided.push((slot, level));
                }
            }
        }
        drop(alone);
        // Who looks at a block says first that nothing is due in it, and reads its words then. Here it is the other way
        // round: either the words of above are read there, or what was said there is read here.
        fence(SeqCst);
        for (slot, level) in self.room.decided.drain(..) {
            let block = &due[(slot >> BLOCK_BITS) as usize];
            if block.load(Acquire) > level {
                block.fetch_min(level, Release);
            }
        }
    }
}
