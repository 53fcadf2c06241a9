//! Positions counted as the published tables count them.
//!
//! A board on which the mover wins at once is counted as a board. Every other board has a position for each move that
//! can be forbidden on it, and one without a forbidden move if it can arise so: from any board of the game, whether or
//! not somebody had to miss a win on the way. Mirror images are one.

use kanzen::Tally;
use kanzen::machine::cpu::{Gather, Work, dispatch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ostle::board::Board;
use crate::ostle::index::{ClassIndex, HOLES, Strip};
use crate::ostle::ko::arises_free;
use crate::ostle::moves::Move;
use crate::ostle::rules::Ostle;
use crate::ostle::stored::Values;
use crate::ostle::value;

/// What a class holds with the hole on one of the six squares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HoleCount {
    /// Boards.
    pub boards: u64,
    /// Boards on which the mover wins at once.
    pub immediate_wins: u64,
    /// Positions of the other boards by level, 0 for draws.
    pub levels: Vec<u64>,
}

impl HoleCount {
    /// A count of no boards and no positions.
    pub fn empty() -> HoleCount {
        HoleCount { boards: 0, immediate_wins: 0, levels: vec![0; 256] }
    }

    /// All of the other as well.
    pub fn merge(&mut self, other: &HoleCount) {
        self.boards += other.boards;
        self.immediate_wins += other.immediate_wins;
        self.levels.iter_mut().zip(&other.levels).for_each(|(sum, more)| *sum += more);
    }

    /// How many positions were counted, of all levels.
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

    /// Counts a board; `irregular` as the ko rule says.
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
            // On a symmetric board the ban stands for its mirror images, but the move that matters is alone.
            let matters = after.is_some_and(|(after, _)| game.ko().recreates(&previous, &after));
            self.levels[usize::from(if matters { values.second } else { values.best })] += 1;
        });
    }
}

/// Counts the positions of a class without solving it: all of them as draws.
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
