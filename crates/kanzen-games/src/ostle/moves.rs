//! Moves and un-moves on the board.
//!
//! A piece moves one step and pushes the line of pieces in front of it:
//!
//! ```text
//! s a b c .  ->  . s a b c      the square after the line decides: empty, the hole, or the edge
//! s a b c |  ->  . s a b |  c   the last piece of the line falls off the edge or into the hole
//! ```
//!
//! The opponent can take a move back in two cases only: the hole moved, or the last piece of the line is the opponent's
//! and did not fall. Only these *reversible* moves can be forbidden by a ko rule. The reverse of a reversible move is
//! reversible too.

use super::board::{ALL, Board, IMAGE, Mask, NEXT, OFF, RAY, TURN, back, squares, step};

/// A piece or the hole, and its direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square of the piece or the hole.
    pub from: u8,
    /// The direction.
    pub direction: u8,
}

/// How a move changes the number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// No piece is removed.
    Quiet {
        /// Whether the opponent's next move can take it back.
        reversible: bool,
    },
    /// A piece of the opponent is removed.
    Capture,
    /// A piece of the mover is removed.
    Suicide,
}

impl Move {
    /// The number of the move on a board, from 1: first the hole's four directions, then four for each piece.
    #[inline(always)]
    pub fn number(self, board: &Board) -> u8 {
        if self.from == board.hole {
            return 1 + self.direction;
        }
        let before = (board.mover & ((1 << self.from) - 1)).count_ones() as u8;
        5 + 4 * before + self.direction
    }

    /// Returns the move with a number on a board.
    #[inline(always)]
    pub fn numbered(number: u8, board: &Board) -> Move {
        let direction = (number - 1) & 3;
        let from = match (number - 1) >> 2 {
            0 => board.hole,
            piece => squares(board.mover).nth(usize::from(piece - 1)).unwrap_or(OFF),
        };
        Move { from, direction }
    }

    /// The image of the move under a symmetry.
    #[inline(always)]
    pub fn under(self, symmetry: u8) -> Move {
        Move {
            from: IMAGE[usize::from(symmetry)][usize::from(self.from)],
            direction: TURN[usize::from(symmetry)][usize::from(self.direction)],
        }
    }
}

/// The squares from which a piece that moves in `direction` falls: at the edge, or next to the hole.
#[inline(always)]
pub fn falling_squares(pit: Mask, direction: u8) -> Mask {
    !step(ALL, back(direction)) & ALL | step(pit, back(direction))
}

/// The squares from which an opponent's piece could push out one of the `hunted` pieces: behind each line of them that
/// ends at the edge or the hole. The result does not depend on the opponent's pieces.
#[inline(always)]
pub fn hunting_squares(hunted: Mask, pit: Mask) -> Mask {
    (0..4).fold(0, |all, direction| {
        let mut line = hunted & falling_squares(pit, direction);
        let mut squares = all;
        for _ in 0..4 {
            let behind = step(line, back(direction));
            squares |= behind & !hunted;
            line = behind & hunted;
        }
        squares
    })
}

impl Board {
    /// Pushes a line with the mover's piece on `from`. The returned board is from the opponent's view.
    #[inline(always)]
    pub fn push(&self, from: u8, direction: u8) -> (Board, Effect) {
        let (next, effect, _) = self.push_line(from, direction);
        (next, effect)
    }

    /// Like [`push`](Board::push), and also returns the square on which the line then ends, as a mask, or 0 if a piece
    /// fell.
    #[inline(always)]
    pub fn push_line(&self, from: u8, direction: u8) -> (Board, Effect, Mask) {
        let ray = RAY[usize::from(direction)][usize::from(from)];
        let stops = ray & !self.pieces();
        // The nearest square of the ray without a piece: the highest bit for up and left, else the lowest.
        let (line, stop) = if stops == 0 {
            (ray, 0)
        } else {
            let nearest = if direction >= 2 { stops.trailing_zeros() } else { stops.ilog2() };
            (ray & !(RAY[usize::from(direction)][nearest as usize] | 1 << nearest), 1 << nearest)
        };
        let moving = line | 1 << from;
        let shift = |pieces: Mask| (pieces & !moving) | (step(pieces & moving, direction) & !self.pit());
        let next = Board { hole: self.hole, mover: shift(self.opponent), opponent: shift(self.mover) };
        let effect = if stop & !self.pit() != 0 {
            Effect::Quiet { reversible: step(stop, back(direction)) & self.opponent != 0 }
        } else if next.mover.count_ones() < self.opponent.count_ones() {
            Effect::Capture
        } else {
            Effect::Suicide
        };
        (next, effect, stop)
    }

    /// Moves the hole, or returns `None` if the target is not empty.
    #[inline(always)]
    pub fn shift_hole(&self, direction: u8) -> Option<Board> {
        let to = step(self.pit(), direction) & self.empty();
        (to != 0).then(|| Board { hole: to.trailing_zeros() as u8, mover: self.opponent, opponent: self.mover })
    }

    /// Generates all moves in the order of their numbers. The caller rejects suicide where the rules forbid it.
    #[inline(always)]
    pub fn each_move(&self, mut play: impl FnMut(Move, Board, Effect)) {
        for direction in 0..4 {
            if let Some(next) = self.shift_hole(direction) {
                play(Move { from: self.hole, direction }, next, Effect::Quiet { reversible: true });
            }
        }
        for from in squares(self.mover) {
            for direction in 0..4 {
                let (next, effect) = self.push(from, direction);
                play(Move { from, direction }, next, effect);
            }
        }
    }

    /// Whether a quiet move leads to `next`.
    pub fn leads_quietly_to(&self, next: &Board) -> bool {
        let mut leads = false;
        self.each_move(|_, after, effect| leads |= matches!(effect, Effect::Quiet { .. }) && after == *next);
        leads
    }

    /// Generates all moves, each with its reverse if it is reversible; single-piece steps to empty squares only if
    /// `steps`.
    #[inline(always)]
    pub fn each_move_and_back(&self, steps: bool, mut play: impl FnMut(Move, Board, Effect, Option<Move>)) {
        let empty = self.empty();
        let left_out = if steps { 0 } else { empty };
        for direction in 0..4 {
            let hole = if step(self.pit(), direction) & empty != 0 { self.pit() } else { 0 };
            // A single call of `play`, so that it is inlined.
            for from in squares(self.mover & !step(left_out, back(direction)) | hole) {
                let (next, effect, end) = if from == self.hole {
                    let hole = NEXT[usize::from(direction)][usize::from(from)];
                    let next = Board { hole, mover: self.opponent, opponent: self.mover };
                    (next, Effect::Quiet { reversible: true }, next.pit())
                } else {
                    self.push_line(from, direction)
                };
                let way_back = (effect == Effect::Quiet { reversible: true })
                    .then(|| Move { from: end.trailing_zeros() as u8, direction: back(direction) });
                play(Move { from, direction }, next, effect, way_back);
            }
        }
    }

    /// Plays a move; `None` if the board does not have it.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Option<(Board, Effect)> {
        if mv.from == self.hole {
            return self.shift_hole(mv.direction).map(|next| (next, Effect::Quiet { reversible: true }));
        }
        (mv.from < 25 && self.mover >> mv.from & 1 == 1).then(|| self.push(mv.from, mv.direction))
    }

    /// Whether the mover can push out an opponent's piece.
    #[inline(always)]
    pub fn can_capture(&self) -> bool {
        hunting_squares(self.opponent, self.pit()) & self.mover != 0
    }

    /// The number of reversible moves.
    #[inline(always)]
    pub fn count_reversible(&self) -> u32 {
        let empty = self.empty();
        (0..4).fold(0, |count, direction| {
            let hole = u32::from(step(self.pit(), direction) & empty != 0);
            count + hole + self.reversible_pushes(direction).count_ones()
        })
    }

    /// The mover's pieces whose push in this direction is reversible.
    #[inline(always)]
    pub fn reversible_pushes(&self, direction: u8) -> Mask {
        // The opponent's pieces with an empty square in front, then backwards along the line.
        let mut line = step(self.empty(), back(direction)) & self.opponent;
        let mut pushing = 0;
        for _ in 0..3 {
            line = step(line, back(direction)) & self.pieces();
            pushing |= line & self.mover;
        }
        pushing
    }

    /// The mover's pieces whose push in this direction removes a piece of either side.
    #[inline(always)]
    pub fn removing_pushes(&self, direction: u8) -> Mask {
        let mut line = self.pieces() & falling_squares(self.pit(), direction);
        let mut pushing = 0;
        for _ in 0..5 {
            pushing |= line & self.mover;
            line = step(line, back(direction)) & self.pieces();
        }
        pushing
    }

    /// Whether the opponent's last move may have been a step of a single piece, which is never reversible.
    #[inline(always)]
    pub fn follows_a_step(&self) -> bool {
        let empty = self.empty();
        (0..4).any(|direction| step(empty, direction) & self.opponent != 0)
    }

    /// Generates the quiet un-moves: each parent, the move that leads from it to this board, and its reverse if it is
    /// reversible.
    #[inline(always)]
    pub fn each_quiet_parent(&self, mut visit: impl FnMut(Board, Move, Option<Move>)) {
        let (pieces, empty) = (self.pieces(), self.empty());
        for direction in 0..4 {
            if let Some(before) = self.shift_hole(direction) {
                let way_back = Move { from: self.hole, direction };
                visit(before, Move { from: before.hole, direction: back(direction) }, Some(way_back));
            }
            for front in squares(self.opponent & step(empty, direction)) {
                let from = NEXT[usize::from(back(direction))][usize::from(front)];
                let mv = Move { from, direction };
                let (mut line, mut last) = (1 << front, front);
                loop {
                    let unshift = |side: Mask| (side & !line) | step(side & line, back(direction));
                    let before =
                        Board { hole: self.hole, mover: unshift(self.opponent), opponent: unshift(self.mover) };
                    let theirs = self.mover >> last & 1 == 1;
                    visit(before, mv, theirs.then_some(Move { from: last, direction: back(direction) }));
                    last = NEXT[usize::from(direction)][usize::from(last)];
                    if last == OFF || pieces >> last & 1 == 0 {
                        break;
                    }
                    line |= 1 << last;
                }
            }
        }
    }

    /// Generates the un-moves that restore a removed piece: each parent, and the effect of the move that leads here.
    pub fn each_removing_parent(&self, mut visit: impl FnMut(Board, Effect)) {
        let pieces = self.pieces();
        for direction in 0..4 {
            for from in squares(self.empty()) {
                // The contiguous pieces beyond the origin are the line after the push.
                let ray = RAY[usize::from(direction)][usize::from(from)];
                let (mut line, mut fallen_from) = (0, from);
                let mut next = NEXT[usize::from(direction)][usize::from(from)];
                while next != OFF && pieces >> next & 1 == 1 {
                    line |= 1 << next;
                    fallen_from = next;
                    next = NEXT[usize::from(direction)][usize::from(next)];
                }
                if next != OFF && next != self.hole {
                    continue;
                }
                debug_assert_eq!(line & !ray, 0);
                let unshift = |side: Mask| (side & !line) | step(side & line, back(direction));
                let before = Board { hole: self.hole, mover: unshift(self.opponent), opponent: unshift(self.mover) };
                let fallen = 1 << fallen_from;
                // The piece that moved was the mover's, even if it is the one that fell.
                if line == 0 || before.mover >> from & 1 == 1 {
                    visit(Board { mover: before.mover | fallen, ..before }, Effect::Suicide);
                }
                if line != 0 && before.mover >> from & 1 == 1 {
                    visit(Board { opponent: before.opponent | fallen, ..before }, Effect::Capture);
                }
            }
        }
    }
}
