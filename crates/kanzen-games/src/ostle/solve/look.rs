//! The first look at every board: how many moves are open, and what those that push a piece out give.
//!
//! The latter lead to boards of finished classes that may lie anywhere in memory. So boards are looked at in batches:
//! what a batch wants is asked for first, and read when it has come.

use std::sync::atomic::Ordering::Relaxed;

use kanzen::Error;
use kanzen::machine::cpu::{Gather, Work};
use kanzen::machine::prefetch;

use super::engine::Engine;
use super::group::{GroupClass, level_place};
use super::word::Word;
use crate::ostle::board::{Board, squares, step};
use crate::ostle::index::Strip;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;

/// Boards in a batch.
const BATCH: usize = 64;

/// The first words of a strip. Gives the irregular boards in it.
pub struct LookAtStrip<'e, 'a> {
    /// The engine.
    pub engine: &'e Engine<'a>,
    /// The class.
    pub class: &'a GroupClass,
    /// The strip.
    pub strip: Strip,
}

impl Work for LookAtStrip<'_, '_> {
    type Output = Result<Vec<u32>, Error>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Result<Vec<u32>, Error> {
        let LookAtStrip { engine, class, strip } = self;
        let mut irregular = Vec::new();
        let mut batch = Batch { engine, openings: Vec::with_capacity(BATCH), wanted: Vec::with_capacity(8 * BATCH) };
        for number in strip.first..strip.first + strip.len {
            let board = class.index.board_in(bits, &strip, number);
            let slot = number + class.base;
            if engine.game.ko().is_irregular(&board, class.index.is_symmetric(&strip, &board)) {
                irregular.push(slot);
                engine.words[slot as usize].store(Word::irregular(Default::default()).0, Relaxed);
                continue;
            }
            batch.add(bits, slot, board);
            if batch.openings.len() == BATCH {
                batch.settle()?;
            }
        }
        batch.settle()?;
        Ok(irregular)
    }
}

/// A regular board that has been looked at.
struct Opening {
    slot: u32,
    board: Board,
    open: u8,
    xor: u8,
    below: Decided,
}

struct Batch<'e, 'a> {
    engine: &'e Engine<'a>,
    openings: Vec<Opening>,
    /// Which of the openings wants which level.
    wanted: Vec<(u32, &'a u8)>,
}

impl Batch<'_, '_> {
    #[inline(always)]
    fn add<B: Gather>(&mut self, bits: B, slot: u32, board: Board) {
        let game = self.engine.game;
        if game.wins_at_once(&board) {
            let below = Decided { win: 1, ..Decided::default() };
            return self.openings.push(Opening { slot, board, open: 0, xor: 0, below });
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
                        self.want(bits, &next);
                    }
                }
            }
        }
        self.openings.push(Opening { slot, board, open, xor, below: Decided::default() });
    }

    /// The opening at hand wants the level of a board of a finished class.
    #[inline(always)]
    fn want<B: Gather>(&mut self, bits: B, board: &Board) {
        let level = level_place(bits, self.engine.below, board);
        prefetch(level);
        self.wanted.push((self.openings.len() as u32, level));
    }

    fn settle(&mut self) -> Result<(), Error> {
        for (opening, level) in self.wanted.drain(..) {
            self.openings[opening as usize].below.add(*level);
        }
        for Opening { slot, board, open, xor, below } in self.openings.drain(..) {
            let word = Word::first(below.win, below.floor, open + below.refuge, xor);
            let word = word.ok_or_else(|| stuck(self.engine.game, &board))?;
            self.engine.words[slot as usize].store(word.0, Relaxed);
        }
        Ok(())
    }
}

/// What the moves to earlier classes give.
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
    Error::Rules(format!("{text} may leave its mover without a move, which this engine does not know"))
}
