//! Moves on the board, forwards and backwards.
//!
//! A piece moves one step and pushes the line of pieces in front of it:
//!
//! ```text
//! s a b c .  ->  . s a b c      what the line runs into decides: empty, the hole, or the edge
//! s a b c |  ->  . s a b |  c   the last of the line falls off the edge or into the hole
//! ```
//!
//! The move back is at the other side's disposal in two cases only: the hole moved, or the last of the line was the
//! other side's piece and still stands. These *reversible* moves are the ones that a ko rule can forbid. Every
//! reversible move leads to a board on which its way back is reversible as well.

use super::board::{ALL, Board, Mask, NEXT, OFF, RAY, back, squares, step};
use super::symmetry::{IMAGE, TURN};

/// A piece, or the hole, and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square of the piece, or of the hole.
    pub from: u8,
    /// The direction.
    pub direction: u8,
}

/// What a move does to the number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: all pieces stay.
    Quiet {
        /// Whether the other side could move back at once.
        reversible: bool,
    },
    /// A piece of the other side is out.
    Capture,
    /// A piece of the mover's own is out.
    Suicide,
}

impl Move {
    /// The number of the move on a board, from 1: the hole's four directions, then each piece's.
    #[inline(always)]
    pub fn number(self, board: &Board) -> u8 {
        if self.from == board.hole {
            return 1 + self.direction;
        }
        let before = (board.mover & ((1 << self.from) - 1)).count_ones() as u8;
        5 + 4 * before + self.direction
    }

    /// The move with a number on a board.
    #[inline(always)]
    pub fn numbered(number: u8, board: &Board) -> Move {
        let direction = (number - 1) & 3;
        let from = match (number - 1) >> 2 {
            0 => board.hole,
            piece => squares(board.mover).nth(usize::from(piece - 1)).unwrap_or(OFF),
        };
        Move { from, direction }
    }

    /// The same move on the board's image.
    #[inline(always)]
    pub fn under(self, symmetry: u8) -> Move {
        Move {
            from: IMAGE[usize::from(symmetry)][usize::from(self.from)],
            direction: TURN[usize::from(symmetry)][usize::from(self.direction)],
        }
    }
}

/// The squares from which a piece in this direction falls: at the edge, or before the hole.
#[inline(always)]
pub fn falling_squares(pit: Mask, direction: u8) -> Mask {
    !step(ALL, back(direction)) & ALL | step(pit, back(direction))
}

/// The squares from which a piece of the other side would push out one of these: behind each line of them that ends at
/// the edge or the hole. They do not depend on where the other side's pieces are.
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
    /// Moves a piece of the mover's; the board after it is seen by the other side.
    #[inline(always)]
    pub fn push(&self, from: u8, direction: u8) -> (Board, Effect) {
        let (next, effect, _) = self.push_line(from, direction);
        (next, effect)
    }

    /// As [`push`](Board::push), with the square on which the line ends after it, as a mask, if nothing fell.
    #[inline(always)]
    pub fn push_line(&self, from: u8, direction: u8) -> (Board, Effect, Mask) {
        let ray = RAY[usize::from(direction)][usize::from(from)];
        let stops = ray & !self.pieces();
        // The nearest square that is not a piece: up and left it is the highest.
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

    /// Moves the hole, if the square it goes to is empty.
    #[inline(always)]
    pub fn shift_hole(&self, direction: u8) -> Option<Board> {
        let to = step(self.pit(), direction) & self.empty();
        (to != 0).then(|| Board { hole: to.trailing_zeros() as u8, mover: self.opponent, opponent: self.mover })
    }

    /// Every move the pieces allow, in the order of their numbers. Whether suicide is allowed, the rules say.
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

    /// Whether a quiet move leads to another board.
    pub fn leads_quietly_to(&self, next: &Board) -> bool {
        let mut leads = false;
        self.each_move(|_, after, effect| leads |= matches!(effect, Effect::Quiet { .. }) && after == *next);
        leads
    }

    /// Every move the pieces allow, with the way back if it is reversible; plain steps to empty squares if wanted.
    #[inline(always)]
    pub fn each_move_and_back(&self, steps: bool, mut play: impl FnMut(Move, Board, Effect, Option<Move>)) {
        let empty = self.empty();
        let left_out = if steps { 0 } else { empty };
        for direction in 0..4 {
            let hole = if step(self.pit(), direction) & empty != 0 { self.pit() } else { 0 };
            // One call of `play`, so that it is inlined where this is.
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

    /// The board after a move of this board.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Option<(Board, Effect)> {
        if mv.from == self.hole {
            return self.shift_hole(mv.direction).map(|next| (next, Effect::Quiet { reversible: true }));
        }
        (mv.from < 25 && self.mover >> mv.from & 1 == 1).then(|| self.push(mv.from, mv.direction))
    }

    /// Whether the mover can push out a piece of the other side.
    #[inline(always)]
    pub fn can_capture(&self) -> bool {
        hunting_squares(self.opponent, self.pit()) & self.mover != 0
    }

    /// How many reversible moves there are.
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
        // Pieces of the opponent's with room before them, then backwards along the line.
        let mut line = step(self.empty(), back(direction)) & self.opponent;
        let mut pushing = 0;
        for _ in 0..3 {
            line = step(line, back(direction)) & self.pieces();
            pushing |= line & self.mover;
        }
        pushing
    }

    /// The mover's pieces whose push in this direction drives a piece out, be it their own.
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

    /// Whether the other side can have come here by a plain step of a piece, which nobody can take back.
    #[inline(always)]
    pub fn follows_a_step(&self) -> bool {
        let empty = self.empty();
        (0..4).any(|direction| step(empty, direction) & self.opponent != 0)
    }

    /// Every board from which a quiet move leads here, with that move and, if it is reversible, the way back.
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

    /// Every board from which a move that pushes a piece out leads here, with the effect of that move.
    pub fn each_removing_parent(&self, mut visit: impl FnMut(Board, Effect)) {
        let pieces = self.pieces();
        for direction in 0..4 {
            for from in squares(self.empty()) {
                // What stands beyond the square the piece came from is the line after the push.
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
                // The piece that moved was the mover's, be it the one that fell.
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
