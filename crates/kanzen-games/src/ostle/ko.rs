//! The ko rule, in its two readings.
//!
//! A move may not recreate the board of two plies before. *Literal*, as printed on the box, means exactly that board.
//! *Symmetric*, as the published program implements it, includes mirrored and rotated copies, but forbids only the
//! first such move in move order. If two moves lead to copies of one board, the second remains legal.
//!
//! Under the literal rule only [reversible](super::moves) moves can be forbidden, each by the one board that it
//! recreates. Under the symmetric rule a board can be *twisted*: some move leads to a copy of a possible parent. Then a
//! move may be forbidden although it takes nothing back, or a ban on the reverse move may have no effect.

use super::board::{Board, IMAGE, Mask, SYMMETRIES, back, image, step};
use super::moves::Effect;

/// Which boards count as a repetition of the board two plies before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// Only the identical board: the rule as printed.
    Literal,
    /// Also its mirrored and rotated copies: the rule of the published tables.
    Symmetric,
}

impl Ko {
    /// Whether a move to `after` recreates `previous`.
    pub fn recreates(self, previous: &Board, after: &Board) -> bool {
        match self {
            Ko::Literal => after == previous,
            Ko::Symmetric => after.smallest_image() == previous.smallest_image(),
        }
    }

    /// Normalises the previous board: `None` if it forbids no move on `board`, else the least parent of `board` with
    /// the same effect. `reversible` states whether the move from `previous` was reversible.
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

    /// Whether a board needs the general method: two of its moves may lead to the same board up to symmetry.
    #[inline(always)]
    pub fn is_irregular(self, board: &Board, symmetric: bool) -> bool {
        symmetric || (self == Ko::Symmetric && may_be_twisted(board) && is_twisted(board))
    }
}

/// Whether a quiet move leads to a copy of a possible parent, other than that parent itself.
///
/// Equivalently: two quiet plies lead from the board to a copy of it, through a board that the same symmetry does not
/// fix.
pub fn is_twisted(board: &Board) -> bool {
    NEAR[usize::from(board.hole)].iter().filter(|(symmetry, plies)| may_twist(board, *symmetry, *plies)).any(
        |&(symmetry, _)| {
            let copy = board.under(symmetry);
            let mut twisted = false;
            board.each_move(|_, child, effect| {
                twisted |= matches!(effect, Effect::Quiet { .. })
                    && is_a_ply_away(&child, &copy)
                    && child.under(symmetry) != child
                    && child.leads_quietly_to(&copy);
            });
            twisted
        },
    )
}

/// The naive twin of [`is_twisted`]: all children against all copies of all parents.
pub fn is_twisted_by_definition(board: &Board) -> bool {
    let mut children = Vec::new();
    board.each_move(|_, after, effect| {
        if matches!(effect, Effect::Quiet { .. }) {
            children.push(after);
        }
    });
    let mut twisted = false;
    board.each_quiet_parent(|before, _, _| {
        let mut copies = (1..SYMMETRIES as u8).map(|symmetry| before.under(symmetry));
        twisted |= copies.any(|copy| copy != before && children.contains(&copy));
    });
    twisted
}

/// A fast filter without false negatives for "a quiet ply leads to `next`": at most one piece appears to jump for each
/// run in the pushed line, and a line has at most four runs.
#[inline(always)]
fn is_a_ply_away(board: &Board, next: &Board) -> bool {
    let gone = (board.mover & !next.opponent).count_ones() + (board.opponent & !next.mover).count_ones();
    if board.hole == next.hole { gone <= 4 } else { gone == 0 }
}

/// A fast filter without false negatives for twisted boards.
///
/// Two plies lead from a twisted board to a copy of it. A ply moves the hole by one square, or a line, in which case
/// one piece of a side appears to jump for each run of that side. So the board and its copy differ in few squares.
#[inline(always)]
pub fn may_be_twisted(board: &Board) -> bool {
    NEAR[usize::from(board.hole)].iter().any(|&(symmetry, plies)| may_twist(board, symmetry, plies))
}

/// Whether `plies` piece moves can account for the difference under this symmetry.
#[inline(always)]
fn may_twist(board: &Board, symmetry: u8, plies: u8) -> bool {
    let of = |side: Mask| (side & !image(symmetry, side)).count_ones();
    let (differing, plies) = (of(board.mover) + of(board.opponent), u32::from(plies));
    // Counting the runs is deferred until the result depends on it.
    differing <= 2 * plies || differing <= 4 * plies && differing <= most_runs(board) * plies
}

/// The most runs that a push along a line can move: at least two, at most four.
#[inline(always)]
fn most_runs(board: &Board) -> u32 {
    let (mover, opponent) = (board.mover, board.opponent);
    let (mut three, mut four) = (0, 0);
    for direction in 0..2 {
        // One or two pieces of `inner` between two of `outer`: the last of them, and the single ones. Three would fill
        // the line, and a push along a full line is not quiet.
        let between = |inner: Mask, outer: Mask| {
            let first = step(outer, direction) & inner;
            let last = step(outer, back(direction)) & inner;
            ((first | step(first, direction)) & last, first & last)
        };
        let (last_mine, single_mine) = between(mover, opponent);
        let (last_theirs, single_theirs) = between(opponent, mover);
        three |= last_mine | last_theirs;
        four |= step(single_mine, direction) & single_theirs | step(single_theirs, direction) & single_mine;
    }
    2 + u32::from(three != 0) + u32::from(four != 0)
}

/// For each square of the hole: the symmetries that at most two hole moves realise, and the plies left for pieces.
static NEAR: [&[(u8, u8)]; 25] = {
    const fn distance(from: usize, to: usize) -> u32 {
        (from / 5).abs_diff(to / 5) as u32 + (from % 5).abs_diff(to % 5) as u32
    }
    const fn near(hole: usize) -> ([(u8, u8); 7], usize) {
        let (mut list, mut len) = ([(0, 0); 7], 0);
        let mut symmetry = 1;
        while symmetry < SYMMETRIES {
            let far = distance(hole, IMAGE[symmetry][hole] as usize);
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

/// Whether a move that cannot be taken back under this rule leads to the board, from a board with at most `most` pieces
/// a side; suicide requires more than `least`.
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

/// Whether a move that removed a piece can have led to the board.
fn removed(board: &Board, least: u32, most: u32) -> bool {
    let mut found = false;
    board.each_removing_parent(|before, effect| {
        let (mover, opponent) = (before.mover.count_ones(), before.opponent.count_ones());
        found |= mover <= most && opponent <= most && (effect == Effect::Capture || mover > least);
    });
    found
}
