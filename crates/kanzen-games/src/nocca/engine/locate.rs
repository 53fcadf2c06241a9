//! From a position to its bit, and back.

use super::heights;
use super::layout::{Array, Layout, Slab};
use crate::nocca::board::{Board, MOST_CELLS, Side, Stack};

/// Where a position has its bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The slab's top and bottom rows.
    pub rows: [u32; 2],
    /// The number of the board in the slab.
    pub board: usize,
    /// The number of the colouring in the array's space.
    pub colouring: usize,
}

/// The four codes of a board and the colours of its pieces in order.
struct Pieces {
    top: u32,
    upper: u32,
    lower: u32,
    bottom: u32,
    white: u32,
}

impl Array {
    /// The array that holds positions of this side to move.
    pub fn of(side: Side) -> Array {
        match side {
            Side::White => Array::Losses,
            Side::Black => Array::Wins,
        }
    }
}

impl Layout {
    /// The bit of a position in the array of its side to move; nothing if the mover wins at once. Both sides must have
    /// all their pieces.
    pub fn slot(&self, board: &Board) -> Option<Slot> {
        let array = Array::of(board.to_move);
        let mut pieces = self.pieces(board, false);
        if self.slab(pieces.top, pieces.bottom).is_none() {
            pieces = self.pieces(board, true);
        }
        let white = self.with_bits(array, pieces.top, pieces.bottom, pieces.white);
        let goal_tops = self.given(array, pieces.top, pieces.bottom);
        let tops_of_white = pieces.white & goal_tops;
        let wins_at_once = match array {
            Array::Losses => tops_of_white != 0,
            Array::Wins => tops_of_white != goal_tops,
        };
        if wins_at_once {
            return None;
        }
        let upper_sum = heights::sum(pieces.upper);
        let middle = upper_sum + heights::sum(pieces.lower);
        let run = self.run(middle, upper_sum, self.upper.rank(pieces.upper));
        let colouring = self.space(array, pieces.top, pieces.bottom).rank(white as u16);
        Some(Slot { rows: [pieces.top, pieces.bottom], board: run + self.lower.rank(pieces.lower), colouring })
    }

    /// The number of a slot's bit in its array.
    pub fn bit(&self, array: Array, slot: &Slot) -> u64 {
        let [top, bottom] = slot.rows;
        let width = self.space(array, top, bottom).width();
        64 * (self.start(array, top, bottom) + slot.board * width) as u64 + slot.colouring as u64
    }

    /// The position of a bit.
    #[cfg(test)]
    pub fn position(&self, array: Array, slab: &Slab, board: usize, colouring: usize) -> Board {
        let word = self.space(array, slab.top, slab.bottom).word(colouring);
        let given = self.given(array, slab.top, slab.bottom);
        let white = self.spread_out(array, [slab.top, slab.bottom], word.into());
        match array {
            Array::Losses => self.coloured(slab, board, white, Side::White),
            Array::Wins => self.coloured(slab, board, white | given, Side::Black),
        }
    }

    /// A board of a slab with these pieces white.
    pub fn coloured(&self, slab: &Slab, board: usize, white: u32, to_move: Side) -> Board {
        let (upper_sum, upper, lower) = self.parts(slab.middle, board);
        let upper = self.upper.code(upper_sum, upper);
        let lower = self.lower.code(slab.middle - upper_sum, lower);
        let mut codes = [slab.top, upper, lower, slab.bottom];
        let mut board = Board { cells: [Stack::EMPTY; MOST_CELLS], to_move };
        let mut piece = 0;
        for (part, cell) in self.cells() {
            for _ in 0..codes[part] & 3 {
                let side = if white >> piece & 1 == 1 { Side::White } else { Side::Black };
                board.cells[cell] = board.cells[cell].with(side);
                piece += 1;
            }
            codes[part] >>= 2;
        }
        board
    }

    /// Bits over the pieces of a space, as bits over all pieces.
    #[cfg(test)]
    fn spread_out(&self, array: Array, [top, bottom]: [u32; 2], bits: u32) -> u32 {
        use kanzen::solve::rounds::{Lift, Portable};
        let given = self.given(array, top, bottom);
        let all = (1u64 << (2 * self.columns)) - 1;
        Portable.pdep(bits.into(), all & !u64::from(given)) as u32
    }

    fn pieces(&self, board: &Board, mirrored: bool) -> Pieces {
        let mut codes = [0u32; 4];
        let mut place = [0; 4];
        let (mut white, mut piece) = (0, 0);
        for (part, cell) in self.cells() {
            let cell = if mirrored { self.mirrored_cell(cell) } else { cell };
            let stack = board.cells[cell];
            codes[part] |= stack.height() << (2 * place[part]);
            place[part] += 1;
            for side in stack.pieces() {
                white |= u32::from(side == Side::White) << piece;
                piece += 1;
            }
        }
        let [top, upper, lower, bottom] = codes;
        Pieces { top, upper, lower, bottom, white }
    }

    fn mirrored_cell(&self, cell: usize) -> usize {
        let (row, column) = (cell / self.columns, cell % self.columns);
        row * self.columns + self.columns - 1 - column
    }

    /// The cells in the order of their pieces, each with its part: top, upper, lower, bottom.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let parts = [self.columns, self.upper.cells(), self.lower.cells(), self.columns];
        let parts = parts.into_iter().enumerate().flat_map(|(part, cells)| (0..cells).map(move |_| part));
        let cell = |place: usize| place / self.columns * self.columns + self.by_place[place % self.columns];
        parts.enumerate().map(move |(place, part)| (part, cell(place)))
    }
}
