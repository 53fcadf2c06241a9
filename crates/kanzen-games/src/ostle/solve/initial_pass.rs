//! The initial pass: counts the open moves of every board and reads the values of moves that remove a piece.
//!
//! The latter lead to boards of finished classes, anywhere in memory. So boards are processed in batches: the levels of
//! a batch are prefetched first and read afterwards.

use std::sync::atomic::Ordering::Relaxed;

use kanzen::Error;
use kanzen_core::machine::cpu::{Gather, Work};
use kanzen_core::machine::prefetch;

use super::engine::Engine;
use super::group::{GroupClass, level_place};
use super::word::Word;
use crate::ostle::board::{Board, squares, step};
use crate::ostle::index::Strip;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;

/// Boards in a batch.
const BATCH: usize = 64;

/// Computes the first words of a strip and returns its irregular boards.
pub struct InitStrip<'e, 'a> {
    /// The engine.
    pub engine: &'e Engine<'a>,
    /// The class.
    pub class: &'a GroupClass,
    /// The strip.
    pub strip: Strip,
}

impl Work for InitStrip<'_, '_> {
    type Output = Result<Vec<u32>, Error>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Result<Vec<u32>, Error> {
        let InitStrip { engine, class, strip } = self;
        let mut irregular = Vec::new();
        let mut batch = Batch { engine, pending: Vec::with_capacity(BATCH), lookups: Vec::with_capacity(8 * BATCH) };
        for number in strip.first..strip.first + strip.len {
            let board = class.index.board_in(bits, &strip, number);
            let slot = number + class.base;
            if engine.game.ko().is_irregular(&board, class.index.is_symmetric(&strip, &board)) {
                irregular.push(slot);
                engine.words[slot as usize].store(Word::irregular(Default::default()).0, Relaxed);
                continue;
            }
            batch.add(bits, slot, board);
            if batch.pending.len() == BATCH {
                batch.flush()?;
            }
        }
        batch.flush()?;
        Ok(irregular)
    }
}

/// A regular board whose levels are being fetched.
struct Pending {
    slot: u32,
    board: Board,
    open: u8,
    xor: u8,
    below: Decided,
}

/// A batch of boards.
struct Batch<'e, 'a> {
    engine: &'e Engine<'a>,
    pending: Vec<Pending>,
    /// The index of a pending board, and a level that it needs.
    lookups: Vec<(u32, &'a u8)>,
}

impl Batch<'_, '_> {
    #[inline(always)]
    fn add<B: Gather>(&mut self, bits: B, slot: u32, board: Board) {
        let game = self.engine.game;
        if game.wins_at_once(&board) {
            let below = Decided { win: 1, ..Decided::default() };
            return self.pending.push(Pending { slot, board, open: 0, xor: 0, below });
        }
        let (mut open, mut xor) = (0, 0);
        let (empty, own) = (board.empty(), board.mover.count_ones());
        for direction in 0..4 {
            if step(board.pit(), direction) & empty != 0 {
                open += 1;
                xor ^= 1 + direction;
            }
            let removing = board.removing_pushes(direction);
            open += (own - removing.count_ones()) as u8;
            for from in squares(board.reversible_pushes(direction)) {
                xor ^= Move { from, direction }.number(&board);
            }
            if !self.engine.below.is_empty() {
                for from in squares(removing) {
                    let (next, effect) = board.push(from, direction);
                    if game.allows(&board, effect) {
                        self.look_up(bits, &next);
                    }
                }
            }
        }
        self.pending.push(Pending { slot, board, open, xor, below: Decided::default() });
    }

    /// Prefetches a level of a finished class for the board being added.
    #[inline(always)]
    fn look_up<B: Gather>(&mut self, bits: B, board: &Board) {
        let level = level_place(bits, self.engine.below, board);
        prefetch(level);
        self.lookups.push((self.pending.len() as u32, level));
    }

    fn flush(&mut self) -> Result<(), Error> {
        for (board, level) in self.lookups.drain(..) {
            self.pending[board as usize].below.add(*level);
        }
        for Pending { slot, board, open, xor, below } in self.pending.drain(..) {
            let word = Word::first(below.win, below.floor, open + below.refuge, xor);
            let word = word.ok_or_else(|| stuck(self.engine.game, &board))?;
            self.engine.words[slot as usize].store(word.0, Relaxed);
        }
        Ok(())
    }
}

/// The combined value of the moves to finished classes.
#[derive(Default)]
struct Decided {
    win: u8,
    floor: u8,
    refuge: u8,
}

impl Decided {
    fn add(&mut self, level: u8) {
        match level {
            0 => self.refuge = 1,
            lost if lost & 1 == 0 => self.win = if self.win == 0 { lost + 1 } else { self.win.min(lost + 1) },
            won => self.floor = self.floor.max(won + 1),
        }
    }
}

fn stuck(game: &Ostle, board: &Board) -> Error {
    use kanzen::Game;
    let text = game.show(crate::ostle::Position { board: *board, previous: None });
    Error::Rules(format!("{text} may leave its mover without a move, which this engine does not support"))
}
