//! Counts the solved positions like the published tables.
//!
//! A board with an immediate win counts as a board only. Every other board has one position for each move that can be
//! forbidden, and one without a forbidden move if some board of the game leads to it so, even if the side that moved
//! there missed a win. Mirror images count once.

use kanzen::Tally;
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ostle::board::Board;
use crate::ostle::index::{ClassIndex, HOLES, Strip};
use crate::ostle::ko::arises_free;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;
use crate::ostle::stored::Values;
use crate::ostle::value;

/// The counts of a class with the hole on one of the six squares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HoleCount {
    /// Boards.
    pub boards: u64,
    /// Boards with an immediate win.
    pub immediate_wins: u64,
    /// Positions of the other boards by level, 0 for draws.
    pub levels: Vec<u64>,
}

impl HoleCount {
    /// Zero counts.
    pub fn empty() -> HoleCount {
        HoleCount { boards: 0, immediate_wins: 0, levels: vec![0; 256] }
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: &HoleCount) {
        self.boards += other.boards;
        self.immediate_wins += other.immediate_wins;
        self.levels.iter_mut().zip(&other.levels).for_each(|(sum, more)| *sum += more);
    }

    /// The number of positions of all levels.
    pub fn positions(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The positions by value.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (level, &positions) in self.levels.iter().enumerate() {
            tally.add(value(level as u8), positions);
        }
        tally
    }

    /// Counts a board; `irregular` is [`Ko::is_irregular`](crate::ostle::Ko::is_irregular).
    #[inline(always)]
    pub fn add(&mut self, game: &Ostle, board: &Board, irregular: bool, values: Values) {
        self.boards += 1;
        if game.wins_at_once(board) {
            self.immediate_wins += 1;
            return;
        }
        let army = game.army();
        let free = (!irregular && board.follows_a_step()) || arises_free(board, game.ko(), army.least, army.most);
        self.levels[usize::from(values.best)] += u64::from(free);
        if !irregular {
            let bans = u64::from(board.count_reversible());
            let unique = u64::from(values.unique != 0);
            self.levels[usize::from(values.best)] += bans - unique;
            self.levels[usize::from(values.second)] += unique;
            return;
        }
        self.add_bans(game, board, values);
    }

    #[cold]
    fn add_bans(&mut self, game: &Ostle, board: &Board, values: Values) {
        let after = (values.unique != 0).then(|| board.after(Move::numbered(values.unique, board))).flatten();
        game.each_ban(board, |position| {
            let previous = position.previous.expect("a ban has a previous board");
            // On a symmetric board a ban covers its mirror images, but a unique move has none.
            let matters = after.is_some_and(|(after, _)| game.ko().recreates(&previous, &after));
            self.levels[usize::from(if matters { values.second } else { values.best })] += 1;
        });
    }
}

/// Counts the positions of a class without solving it, all as draws.
pub fn count_class(game: &Ostle, index: &ClassIndex) -> Vec<HoleCount> {
    let empty = || vec![HoleCount::empty(); HOLES.len()];
    let strips = (0..index.strips()).into_par_iter().fold(empty, |mut counts, number| {
        let strip = index.strip(number);
        let count = &mut counts[usize::from(strip.hole_number)];
        dispatch(CountStrip { game, index, strip, count });
        counts
    });
    strips.reduce(empty, |mut all, more| {
        all.iter_mut().zip(&more).for_each(|(all, more)| all.merge(more));
        all
    })
}

struct CountStrip<'c> {
    game: &'c Ostle,
    index: &'c ClassIndex,
    strip: Strip,
    count: &'c mut HoleCount,
}

impl Work for CountStrip<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let CountStrip { game, index, strip, count } = self;
        for slot in strip.first..strip.first + strip.len {
            let board = index.board_in(bits, &strip, slot);
            let irregular = game.ko().is_irregular(&board, index.is_symmetric(&strip, &board));
            count.add(game, &board, irregular, Values::default());
        }
    }
}
