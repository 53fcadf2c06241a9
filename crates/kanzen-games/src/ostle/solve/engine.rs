//! From the ends of the game backwards, a level at a time, board by board.
//!
//! ```text
//! level L:  a board whose `best` is L tells every board it can have come from,
//!           but not the one that its `unique` move leads back to: there that move is forbidden,
//!           and `second` tells it, at its own level
//! ```
//!
//! Each move of each board is told of once. What it does to the word of its board does not depend on the order within
//! a level, so the values do not depend on the number of threads. Blocks of boards remember the next level at which
//! something in them is due; all others are skipped.
//!
//! A level can be left at any time between blocks: those that still have something due are the ones to go on with.
//! So a checkpoint is the words and what the blocks remember.

use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, fence};

use kanzen::Error;
use kanzen::machine::cpu::{Gather, Work, dispatch};
use kanzen::machine::{AtomicWords, prefetch};
use rayon::prelude::*;

use super::group::{Below, Group};
use super::look::LookAtStrip;
use super::notices::{Notices, Parts, Room};
use super::scan::Scan;
use super::scene::Scene;
use super::word::{TOUCHED, Word};
use crate::ostle::board::Board;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;
use crate::ostle::stored::Values;

/// Boards in a block, as a power of two.
pub(super) const BLOCK_BITS: u32 = 8;
/// Boards in a block.
pub(super) const BLOCK: usize = 1 << BLOCK_BITS;
/// Blocks that one thread works through at a time: many, so that notices come together; fewer where there are few.
const BLOCKS: std::ops::RangeInclusive<usize> = 64..=1024;
/// The level at which nothing is due.
pub(super) const NOTHING_DUE: u8 = u8::MAX;

/// The state of a solve of one group.
pub struct Engine<'a> {
    pub(super) game: &'a Ostle,
    pub(super) group: &'a Group,
    pub(super) below: &'a [Below],
    /// One for each board; what the blocks remember follows them in a checkpoint.
    pub(super) words: AtomicWords,
    /// For each block, the next level at which something in it is due.
    pub(super) due: Vec<AtomicU8>,
    /// Who may deliver notices where.
    pub(super) parts: Parts,
    /// The slots of the irregular boards, ascending.
    pub(super) irregular: Vec<u32>,
    /// For each level, the irregular boards for which it decides a move to an earlier class.
    pub(super) appointments: Vec<Vec<u32>>,
    /// Irregular boards that were told of something in a level that was left before its end.
    touched: Vec<u32>,
}

impl<'a> Engine<'a> {
    /// An engine that knows nothing of its boards yet.
    pub fn new(game: &'a Ostle, group: &'a Group, below: &'a [Below]) -> Result<Engine<'a>, Error> {
        let slots = group.slots() as usize;
        let blocks = slots.div_ceil(BLOCK);
        let words = AtomicWords::zeroed(&format!("{} pieces", group.pieces), slots + blocks.div_ceil(4))?;
        let due = (0..blocks).map(|_| AtomicU8::new(NOTHING_DUE)).collect();
        let (irregular, appointments, touched) = (Vec::new(), vec![Vec::new(); 256], Vec::new());
        let parts = Parts::of(group.slots());
        Ok(Engine { game, group, below, words, due, parts, irregular, appointments, touched })
    }

    /// Bytes of memory for so many boards, without the irregular ones.
    pub fn bytes_for(slots: u32) -> u64 {
        4 * u64::from(slots) + 2 * u64::from(slots.div_ceil(BLOCK as u32))
    }

    /// Bytes of memory for the lists of irregular boards, twice while they are sorted.
    pub fn irregular_bytes(&self) -> u64 {
        let listed = self.irregular.len() + self.appointments.iter().map(Vec::len).sum::<usize>();
        8 * listed as u64
    }

    /// Writes the first word of every board. `looked_at` hears of how many, and may end it.
    pub fn first_look(&mut self, looked_at: &(dyn Fn(u64) -> Result<(), Error> + Sync)) -> Result<(), Error> {
        let engine = &*self;
        let strips = engine.group.classes.par_iter().flat_map(|class| {
            let strips = (0..class.index.strips()).into_par_iter();
            strips.map(move |number| LookAtStrip { engine, class, strip: class.index.strip(number) })
        });
        let mut irregular = strips
            .map(|look| {
                let len = look.strip.len;
                let irregular = dispatch(look)?;
                looked_at(len.into()).map(|()| irregular)
            })
            .try_reduce(Vec::new, |mut all, mut more| {
                all.append(&mut more);
                Ok(all)
            })?;
        irregular.par_sort_unstable();
        self.irregular = irregular;
        self.make_appointments();
        self.look_again(self.irregular.clone(), 0);
        self.find_due(0);
        Ok(())
    }

    /// The words, one for each board.
    pub fn words(&self) -> &[AtomicU32] {
        &self.words[..self.group.slots() as usize]
    }

    /// What is known of a board: all of it, once all levels are done.
    pub fn values(&self, slot: u32) -> Values {
        Word(self.words[slot as usize].load(Relaxed)).values()
    }

    /// All that is known so far, for a checkpoint.
    pub fn state(&mut self) -> &[u8] {
        let blocks = &mut self.words.bytes_mut()[4 * self.group.slots() as usize..];
        blocks.iter_mut().zip(&mut self.due).for_each(|(byte, due)| *byte = *due.get_mut());
        self.words.bytes()
    }

    /// Where a checkpoint is read to; [`resume`](Engine::resume) takes it up.
    pub fn state_mut(&mut self) -> &mut [u8] {
        self.words.bytes_mut()
    }

    /// Takes up the work where a checkpoint has left it, within a level or after one.
    pub fn resume(&mut self) {
        let blocks = &self.words.bytes_mut()[4 * self.group.slots() as usize..];
        blocks.iter().zip(&mut self.due).for_each(|(byte, due)| *due.get_mut() = *byte);
        let word = |slot: &u32| Word(self.words[*slot as usize].load(Relaxed));
        self.irregular = (0..self.group.slots()).into_par_iter().filter(|slot| word(slot).is_irregular()).collect();
        self.touched = self.irregular.iter().filter(|slot| word(slot).0 & TOUCHED != 0).copied().collect();
        self.make_appointments();
    }

    /// How many boards are done: decided at a level or before it, or at the next, if that was begun and they were told of.
    pub fn done_by(&self, level: u8) -> u64 {
        let blocks = self.words().par_chunks(BLOCK).zip(&self.due);
        let done = blocks.map(|(words, due)| {
            let last = if due.load(Relaxed) > level + 1 { level + 1 } else { level };
            words.iter().filter(|word| (1..=last).contains(&Word(word.load(Relaxed)).best())).count() as u64
        });
        done.sum()
    }

    fn find_due(&self, level: u8) {
        self.words().par_chunks(BLOCK).zip(&self.due).for_each(|(words, due)| {
            let next = words.iter().filter_map(|word| Word(word.load(Relaxed)).due_after(level)).min();
            due.store(next.unwrap_or(NOTHING_DUE), Relaxed);
        });
    }

    /// The next level at which something happens.
    pub fn next_level(&self, after: u8) -> Option<u8> {
        let due = self.due.par_iter().map(|due| due.load(Relaxed)).min().filter(|&level| level != NOTHING_DUE);
        let waiting = (after..=254).find(|&level| level > after && !self.appointments[usize::from(level)].is_empty());
        due.into_iter().chain(waiting).min()
    }

    /// All that is decided at a level is told. Returns how many boards that were; nothing if it was asked to stop and left
    /// some out. Then the [`state`](Engine::state) is within this level: to run it again tells the others. `told` hears of
    /// boards as they are done.
    pub fn run_level(
        &mut self,
        level: u8,
        stop: &(dyn Fn() -> bool + Sync),
        told: &(dyn Fn(u64) + Sync),
    ) -> Option<u64> {
        let left_out = AtomicBool::new(false);
        let together = (self.due.len() / 256).clamp(*BLOCKS.start(), *BLOCKS.end());
        let (settled, mut touched) = self
            .due
            .par_chunks(together)
            .enumerate()
            .filter(|(_, blocks)| blocks.iter().any(|due| due.load(Relaxed) <= level))
            .map_init(Room::new, |room, (chunk, blocks)| {
                if stop() {
                    left_out.store(true, Relaxed);
                    return Default::default();
                }
                let done = dispatch(RunBlocks { engine: self, first: chunk * together, blocks, level, room });
                told(done.0);
                done
            })
            .reduce(Default::default, |mut all, mut more| {
                all.1.append(&mut more.1);
                (all.0 + more.0, all.1)
            });
        touched.append(&mut self.touched);
        if left_out.into_inner() {
            self.touched = touched;
            return None;
        }
        touched.extend(&self.appointments[usize::from(level)]);
        touched.par_sort_unstable();
        touched.dedup();
        self.look_again(touched, level);
        Some(settled)
    }

    /// Asks for the words of a block, which are soon to be looked at.
    #[inline(always)]
    fn ask_for(&self, block: usize) {
        self.words().iter().skip(block << BLOCK_BITS).take(BLOCK).step_by(16).for_each(prefetch);
    }

    #[inline(always)]
    fn run_block<B: Gather>(
        &self,
        bits: B,
        block: usize,
        due: &AtomicU8,
        scan: &mut Scan,
        scene: &mut Scene<'a>,
        notices: &mut Notices<'_, '_>,
    ) -> u64 {
        due.swap(NOTHING_DUE, AcqRel);
        // Before the words are read: see `notices`.
        fence(SeqCst);
        let level = notices.level;
        let first = block << BLOCK_BITS;
        let words = &self.words()[first..(first + BLOCK).min(self.group.slots() as usize)];
        scan.look_at(words, level);
        let mut settled = 0;
        for (offset, word, now) in scan.due() {
            settled += u64::from(now.0);
            let slot = (first + offset) as u32;
            scene.go_to(self, slot);
            let board = scene.class.index.board_in(bits, &scene.strip, slot - scene.class.base);
            if word.is_irregular() {
                self.tell_from_irregular(&board, word, now, notices);
            } else {
                scene.tell(bits, &board, word, now, notices);
            }
        }
        due.fetch_min(scan.next, Release);
        settled
    }

    pub(super) fn set_due(&self, slot: u32, level: u8) {
        self.due[(slot >> BLOCK_BITS) as usize].fetch_min(level, Release);
    }
}

/// A thread's share of a level.
struct RunBlocks<'e, 'a> {
    engine: &'e Engine<'a>,
    first: usize,
    blocks: &'e [AtomicU8],
    level: u8,
    room: &'e mut Room,
}

impl Work for RunBlocks<'_, '_> {
    type Output = (u64, Vec<u32>);

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> (u64, Vec<u32>) {
        let RunBlocks { engine, first, blocks, level, room } = self;
        let mut notices = Notices::new(engine, level, room);
        let mut scene = Scene::at(engine, (first << BLOCK_BITS) as u32);
        let (mut scan, mut settled) = (Scan::new(), 0);
        let mut due = (0..blocks.len()).filter(|&block| blocks[block].load(Relaxed) <= level).peekable();
        while let Some(block) = due.next() {
            if let Some(next) = due.peek() {
                engine.ask_for(first + next);
            }
            settled += engine.run_block(bits, first + block, &blocks[block], &mut scan, &mut scene, &mut notices);
        }
        (settled, notices.finish())
    }
}

/// The way back of a reversible move from `board` to `next`, as a move of `next`.
pub(super) fn way_back(board: &Board, next: &Board) -> Option<Move> {
    let mut found = None;
    next.each_move(|mv, again, _| {
        if again == *board {
            found = Some(mv);
        }
    });
    found
}
