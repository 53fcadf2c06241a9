//! The retrograde engine of Ostle: propagates decided values to parent boards, level by level.
//!
//! ```text
//! level L:  a board whose `best` is L updates all its parents,
//!           except the one that its `unique` move leads back to: there that move is forbidden,
//!           and `second` updates it, at its own level
//! ```
//!
//! Each edge causes one update. Updates of one level commute, so the values do not depend on the number of threads.
//! Each block of boards stores the next level at which one of its boards is due; other blocks are skipped.
//!
//! A level can be interrupted between blocks: the blocks that are still due remain to be done. So a checkpoint holds
//! the words and the due levels of the blocks.

use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, fence};

use kanzen::Error;
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use kanzen_core::machine::{AtomicWords, prefetch};
use rayon::prelude::*;

use super::group::{Below, Group};
use super::initial_pass::InitStrip;
use super::strip_parents::StripParents;
use super::updates::{Partitions, UpdateBuffers, Updates};
use super::word::{Scan, TOUCHED, Word};
use crate::ostle::board::Board;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;
use crate::ostle::stored::Values;

/// Boards in a block, as a power of two.
pub(super) const BLOCK_BITS: u32 = 8;
/// Boards in a block.
pub(super) const BLOCK: usize = 1 << BLOCK_BITS;
/// Blocks in a task: many, so that updates fill their buffers; fewer in small groups.
const BLOCKS: std::ops::RangeInclusive<usize> = 64..=1024;
/// The due level of a block with nothing left to do.
pub(super) const NOTHING_DUE: u8 = u8::MAX;

/// The state of the solve of one group.
pub struct Engine<'a> {
    pub(super) game: &'a Ostle,
    pub(super) group: &'a Group,
    pub(super) below: &'a [Below],
    /// One word per board; in a checkpoint the due levels follow.
    pub(super) words: AtomicWords,
    /// For each block, the next level at which one of its boards is due.
    pub(super) due: Vec<AtomicU8>,
    /// The locks for delivering updates.
    pub(super) parts: Partitions,
    /// The slots of the irregular boards, ascending.
    pub(super) irregular: Vec<u32>,
    /// For each level, the irregular boards with a move to an earlier class that this level decides.
    pub(super) deferred: Vec<Vec<u32>>,
    /// Irregular boards updated in a level that was interrupted.
    touched: Vec<u32>,
}

impl<'a> Engine<'a> {
    /// An engine with all boards undecided and no pass done.
    pub fn new(game: &'a Ostle, group: &'a Group, below: &'a [Below]) -> Result<Engine<'a>, Error> {
        let slots = group.slots() as usize;
        let blocks = slots.div_ceil(BLOCK);
        let words = AtomicWords::zeroed(&format!("{} pieces", group.pieces), slots + blocks.div_ceil(4))?;
        let due = (0..blocks).map(|_| AtomicU8::new(NOTHING_DUE)).collect();
        let (irregular, deferred, touched) = (Vec::new(), vec![Vec::new(); 256], Vec::new());
        let parts = Partitions::of(group.slots());
        Ok(Engine { game, group, below, words, due, parts, irregular, deferred, touched })
    }

    /// The memory for `slots` boards, without the lists of irregular ones.
    pub fn bytes_for(slots: u32) -> u64 {
        4 * u64::from(slots) + 2 * u64::from(slots.div_ceil(BLOCK as u32))
    }

    /// The memory for the lists of irregular boards, doubled while they are sorted.
    pub fn irregular_bytes(&self) -> u64 {
        let listed = self.irregular.len() + self.deferred.iter().map(Vec::len).sum::<usize>();
        8 * listed as u64
    }

    /// The initial pass: computes the first word of every board. `initialised` receives the number of boards and may
    /// abort.
    pub fn initial_pass(&mut self, initialised: &(dyn Fn(u64) -> Result<(), Error> + Sync)) -> Result<(), Error> {
        let engine = &*self;
        let strips = engine.group.classes.par_iter().flat_map(|class| {
            let strips = (0..class.index.strips()).into_par_iter();
            strips.map(move |number| InitStrip { engine, class, strip: class.index.strip(number) })
        });
        let mut irregular = strips
            .map(|look| {
                let len = look.strip.len;
                let irregular = dispatch(look)?;
                initialised(len.into()).map(|()| irregular)
            })
            .try_reduce(Vec::new, |mut all, mut more| {
                all.append(&mut more);
                Ok(all)
            })?;
        irregular.par_sort_unstable();
        self.irregular = irregular;
        self.list_deferred();
        self.reevaluate(self.irregular.clone(), 0);
        self.find_due(0);
        Ok(())
    }

    /// The words, one per board.
    pub fn words(&self) -> &[AtomicU32] {
        &self.words[..self.group.slots() as usize]
    }

    /// The values of a board, final after the last level.
    pub fn values(&self, slot: u32) -> Values {
        Word(self.words[slot as usize].load(Relaxed)).values()
    }

    /// The state to write to a checkpoint.
    pub fn state(&mut self) -> &[u8] {
        let blocks = &mut self.words.bytes_mut()[4 * self.group.slots() as usize..];
        blocks.iter_mut().zip(&mut self.due).for_each(|(byte, due)| *byte = *due.get_mut());
        self.words.bytes()
    }

    /// The buffer to read a checkpoint into, before [`resume`](Engine::resume).
    pub fn state_mut(&mut self) -> &mut [u8] {
        self.words.bytes_mut()
    }

    /// Resumes from a checkpoint, taken within a level or after one.
    pub fn resume(&mut self) {
        let blocks = &self.words.bytes_mut()[4 * self.group.slots() as usize..];
        blocks.iter().zip(&mut self.due).for_each(|(byte, due)| *due.get_mut() = *byte);
        let word = |slot: &u32| Word(self.words[*slot as usize].load(Relaxed));
        self.irregular = (0..self.group.slots()).into_par_iter().filter(|slot| word(slot).is_irregular()).collect();
        self.touched = self.irregular.iter().filter(|slot| word(slot).0 & TOUCHED != 0).copied().collect();
        self.list_deferred();
    }

    /// Counts the boards decided at `level` or before, or at the next level in blocks that have already been processed.
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

    /// The next level with something to do.
    pub fn next_level(&self, after: u8) -> Option<u8> {
        let due = self.due.par_iter().map(|due| due.load(Relaxed)).min().filter(|&level| level != NOTHING_DUE);
        let waiting = (after..=254).find(|&level| level > after && !self.deferred[usize::from(level)].is_empty());
        due.into_iter().chain(waiting).min()
    }

    /// Propagates all values decided at `level` and returns the number of boards. Returns `None` if `stop` interrupted
    /// it: then the [`state`](Engine::state) is within this level, and a second run does the rest. `processed` receives
    /// the number of boards of each finished task.
    pub fn run_level(
        &mut self,
        level: u8,
        stop: &(dyn Fn() -> bool + Sync),
        processed: &(dyn Fn(u64) + Sync),
    ) -> Option<u64> {
        let left_out = AtomicBool::new(false);
        let together = (self.due.len() / 256).clamp(*BLOCKS.start(), *BLOCKS.end());
        let (settled, mut touched) = self
            .due
            .par_chunks(together)
            .enumerate()
            .filter(|(_, blocks)| blocks.iter().any(|due| due.load(Relaxed) <= level))
            .map_init(UpdateBuffers::new, |buffers, (chunk, blocks)| {
                if stop() {
                    left_out.store(true, Relaxed);
                    return Default::default();
                }
                let done = dispatch(RunBlocks { engine: self, first: chunk * together, blocks, level, buffers });
                processed(done.0);
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
        touched.extend(&self.deferred[usize::from(level)]);
        touched.par_sort_unstable();
        touched.dedup();
        self.reevaluate(touched, level);
        Some(settled)
    }

    /// Prefetches the words of a block.
    #[inline(always)]
    fn prefetch_block(&self, block: usize) {
        self.words().iter().skip(block << BLOCK_BITS).take(BLOCK).step_by(16).for_each(prefetch);
    }

    #[inline(always)]
    fn run_block<B: Gather>(
        &self,
        bits: B,
        block: usize,
        due: &AtomicU8,
        scan: &mut Scan,
        parents: &mut StripParents<'a>,
        updates: &mut Updates<'_, '_>,
    ) -> u64 {
        due.swap(NOTHING_DUE, AcqRel);
        // Before the words are read: see `updates`.
        fence(SeqCst);
        let level = updates.level;
        let first = block << BLOCK_BITS;
        let words = &self.words()[first..(first + BLOCK).min(self.group.slots() as usize)];
        scan.load(words, level);
        let mut settled = 0;
        for (offset, word, now) in scan.due() {
            settled += u64::from(now.0);
            let slot = (first + offset) as u32;
            parents.go_to(self, slot);
            let board = parents.class.index.board_in(bits, &parents.strip, slot - parents.class.base);
            if word.is_irregular() {
                self.update_parents_of_irregular(&board, word, now, updates);
            } else {
                parents.update_parents(bits, &board, word, now, updates);
            }
        }
        due.fetch_min(scan.next, Release);
        settled
    }

    pub(super) fn set_due(&self, slot: u32, level: u8) {
        self.due[(slot >> BLOCK_BITS) as usize].fetch_min(level, Release);
    }
}

/// A task: some blocks of a level.
struct RunBlocks<'e, 'a> {
    engine: &'e Engine<'a>,
    first: usize,
    blocks: &'e [AtomicU8],
    level: u8,
    buffers: &'e mut UpdateBuffers,
}

impl Work for RunBlocks<'_, '_> {
    type Output = (u64, Vec<u32>);

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> (u64, Vec<u32>) {
        let RunBlocks { engine, first, blocks, level, buffers } = self;
        let mut updates = Updates::new(engine, level, buffers);
        let mut parents = StripParents::at(engine, (first << BLOCK_BITS) as u32);
        let (mut scan, mut settled) = (Scan::new(), 0);
        let mut due = (0..blocks.len()).filter(|&block| blocks[block].load(Relaxed) <= level).peekable();
        while let Some(block) = due.next() {
            if let Some(next) = due.peek() {
                engine.prefetch_block(first + next);
            }
            settled += engine.run_block(bits, first + block, &blocks[block], &mut scan, &mut parents, &mut updates);
        }
        (settled, updates.finish())
    }
}

/// The move of `next` that reverses the move from `board` to `next`, if there is one.
pub(super) fn way_back(board: &Board, next: &Board) -> Option<Move> {
    let mut found = None;
    next.each_move(|mv, again, _| {
        if again == *board {
            found = Some(mv);
        }
    });
    found
}
