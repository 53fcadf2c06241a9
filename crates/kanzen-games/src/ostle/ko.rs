//! The ko rule, in its two readings.
//!
//! A move may not recreate the board of two plies before. *Literal*, as printed on the box: not that very board.
//! *Symmetric*, as the published program has it: no mirrored or rotated copy of it either.
//!
//! Literally only [reversible](super::moves) moves can be forbidden, each by the one board it leads back to. Under
//! the symmetric rule a board can be *twisted*: some move leads to a copy of a board that it can have come from, so
//! that a move is forbidden although nothing is taken back, or two moves are forbidden at once.

use super::board::{Board, Mask, back, step};
use super::moves::Effect;
use super::symmetry::{SYMMETRIES, image};

/// Which boards count as the board of two plies before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// That very board: the rule as printed.
    Literal,
    /// Its mirrored and rotated copies too: the published tables.
    Symmetric,
}

impl Ko {
    /// Whether a move that leads to `after` recreates `previous`.
    pub fn recreates(self, previous: &Board, after: &Board) -> bool {
        match self {
            Ko::Literal => after == previous,
            Ko::Symmetric => after.smallest_image() == previous.smallest_image(),
        }
    }

    /// The previous board that stands for `previous` on `board`: nothing if it forbids no move there, else the
    /// smallest board with the same effect that leads to `board`. `reversible`: the move from it was.
    pub fn normal(self, board: &Board, previous: Board, reversible: bool) -> Option<Board> {
        if self == Ko::Literal || !(may_be_twisted(board) || board.is_symmetric()) {
            return reversible.then_some(previous);
        }
        let mut forbids = false;
        board.each_move(|_, after, effect| {
            forbids |= matches!(effect, Effect::Quiet { .. }) && self.recreates(&previous, &after);
        });
        let mut smallest = None;
        if forbids {
            board.each_quiet_parent(|before, _, _| {
                if self.recreates(&previous, &before) {
                    smallest = Some(smallest.map_or(before, |least: Board| least.min(before)));
                }
            });
        }
        smallest
    }

    /// Whether a board needs the long way round: its moves are not told apart by the boards they lead to, up to
    /// symmetry, as the boards of all others are.
    #[inline(always)]
    pub fn is_irregular(self, board: &Board, symmetric: bool) -> bool {
        symmetric || (self == Ko::Symmetric && may_be_twisted(board) && is_twisted(board))
    }
}

/// Whether a quiet move leads to a copy, but not to itself, of a board from which a quiet move leads here.
pub fn is_twisted(board: &Board) -> bool {
    let mut children = [0; 64];
    let mut count = 0;
    board.each_move(|_, after, effect| {
        if matches!(effect, Effect::Quiet { .. }) {
            children[count] = after.code();
            count += 1;
        }
    });
    let children = &children[..count];
    let mut twisted = false;
    board.each_quiet_parent(|before, _, _| {
        let code = before.code();
        for symmetry in 1..SYMMETRIES as u8 {
            let copy = before.under(symmetry).code();
            twisted |= copy != code && children.contains(&copy);
        }
    });
    twisted
}

/// A quick look that misses no twisted board.
///
/// Two plies lead from a twisted board to a copy of it. A ply moves the hole one square; or a line, and then for each
/// run of one side's pieces in the line one piece of that side seems to jump. So the board and its copy differ little.
#[inline(always)]
pub fn may_be_twisted(board: &Board) -> bool {
    // Lines with three runs or more are rare: where there is one, look closely.
    let jumps = if alternates(board) { 8 } else { 4 };
    let (hole, mover, opponent) = (usize::from(board.hole), board.mover, board.opponent);
    NEAR[hole].iter().any(|&(symmetry, plies)| {
        let differing = |side: Mask| (side & !image(symmetry, side)).count_ones();
        // `plies` of the two are left for pieces.
        match plies {
            0 => differing(mover) + differing(opponent) == 0,
            _ => {
                let moved = differing(mover);
                moved <= jumps && moved + differing(opponent) <= jumps
            }
        }
    })
}

/// Whether one or two of a side's pieces stand between two of the other side's in a row or column. (Three would fill
/// the line, and a push along it is not quiet.)
#[inline(always)]
fn alternates(board: &Board) -> bool {
    let between = |inner: Mask, outer: Mask, direction: u8| {
        let first = step(outer, direction) & inner;
        let last = step(outer, back(direction)) & inner;
        (first | step(first, direction)) & last
    };
    let (mover, opponent) = (board.mover, board.opponent);
    let lines = |direction: u8| between(mover, opponent, direction) | between(opponent, mover, direction);
    lines(0) | lines(1) != 0
}

/// For each square of the hole: the symmetries that two plies can bring it through, and the plies left for pieces.
static NEAR: [&[(u8, u8)]; 25] = {
    const fn distance(from: usize, to: usize) -> u32 {
        (from / 5).abs_diff(to / 5) as u32 + (from % 5).abs_diff(to % 5) as u32
    }
    const fn near(hole: usize) -> ([(u8, u8); 7], usize) {
        let (mut list, mut len) = ([(0, 0); 7], 0);
        let mut symmetry = 1;
        while symmetry < SYMMETRIES {
            let far = distance(hole, super::symmetry::IMAGE[symmetry][hole] as usize);
            if far <= 2 {
                list[len] = (symmetry as u8, 2 - far as u8);
                len += 1;
            }
            symmetry += 1;
        }
        (list, len)
    }
    const LISTS: [([(u8, u8); 7], usize); 25] = {
        let mut lists = [([(0, 0); 7], 0); 25];
        let mut hole = 0;
        while hole < 25 {
            lists[hole] = near(hole);
            hole += 1;
        }
        lists
    };
    let mut table: [&[(u8, u8)]; 25] = [&[]; 25];
    let mut hole = 0;
    while hole < 25 {
        table[hole] = LISTS[hole].0.split_at(LISTS[hole].1).0;
        hole += 1;
    }
    table
};

/// Whether any move, quiet or not, that nobody can take back under this rule leads to the board from one with at most
/// `most` pieces a side; suicide needs more than `least`.
pub fn arises_free(board: &Board, ko: Ko, least: u32, most: u32) -> bool {
    let twisted = ko == Ko::Symmetric && (may_be_twisted(board) || board.is_symmetric());
    if !twisted && board.follows_a_step() {
        return true;
    }
    let mut free = false;
    board.each_quiet_parent(|before, _, way_back| {
        free |= !twisted && way_back.is_none() || twisted && ko.normal(board, before, way_back.is_some()).is_none();
    });
    free || removed(board, least, most)
}

/// Whether a move that pushed a piece out can have led to the board.
fn removed(board: &Board, least: u32, most: u32) -> bool {
    let mut found = false;
    board.each_removing_parent(|before, effect| {
        let (mover, opponent) = (before.mover.count_ones(), before.opponent.count_ones());
        found |= mover <= most && opponent <= most && (effect == Effect::Capture || mover > least);
    });
    found
}
