//! From a position to its bit, and back.

use kanzen::Colour;
use kanzen::machine::cpu::pdep;

use super::heights;
use super::layout::{Array, Layout, Slab};
use crate::nocca::board::{MOST_CELLS, Position, Stack};

/// Where a position has its bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
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

impl Layout {
    /// The bit of a position in the array of its side to move; nothing if the mover wins at once. Both sides must have
    /// all their pieces.
    pub fn spot(&self, board: &Position) -> Option<Spot> {
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
        Some(Spot { rows: [pieces.top, pieces.bottom], board: run + self.lower.rank(pieces.lower), colouring })
    }

    /// A board and its mirror image, those of them whose slab is kept: the rows of the slab, the number of the board in
    /// it, and which pieces are white. Both sides must have all their pieces.
    pub fn images(&self, board: &Position) -> impl Iterator<Item = ([u32; 2], usize, u16)> {
        let images = [false, true].map(|mirrored| self.pieces(board, mirrored));
        images.into_iter().filter(|pieces| self.slab(pieces.top, pieces.bottom).is_some()).map(|pieces| {
            let upper_sum = heights::sum(pieces.upper);
            let middle = upper_sum + heights::sum(pieces.lower);
            let run = self.run(middle, upper_sum, self.upper.rank(pieces.upper));
            ([pieces.top, pieces.bottom], run + self.lower.rank(pieces.lower), pieces.white as u16)
        })
    }

    /// The number of a spot's bit in its array.
    pub fn bit(&self, array: Array, spot: &Spot) -> u64 {
        let [top, bottom] = spot.rows;
        let width = self.space(array, top, bottom).width();
        64 * (self.start(array, top, bottom) + spot.board * width) as u64 + spot.colouring as u64
    }

    /// The position of a bit; nothing if the bit is nobody's.
    pub fn position(&self, array: Array, bit: u64) -> Option<Position> {
        let word = usize::try_from(bit / 64).ok()?;
        let (slab, start) = self.slab_at(array, word)?;
        let space = self.space(array, slab.top, slab.bottom);
        let (board, word) = ((word - start) / space.width(), (word - start) % space.width());
        let colouring = *space.words().get(64 * word + (bit % 64) as usize)?;
        let given = self.given(array, slab.top, slab.bottom);
        let with_bits = ((1 << (2 * self.columns)) - 1) & !given;
        let white = pdep(colouring.into(), with_bits.into()) as u32;
        Some(match array {
            Array::Losses => self.coloured(slab, board, white, Colour::White),
            Array::Wins => self.coloured(slab, board, white | given, Colour::Black),
        })
    }

    /// A board of a slab with these pieces white.
    pub fn coloured(&self, slab: &Slab, board: usize, white: u32, to_move: Colour) -> Position {
        let (upper_sum, upper, lower) = self.parts(slab.middle, board);
        let upper = self.upper.code(upper_sum, upper);
        let lower = self.lower.code(slab.middle - upper_sum, lower);
        let mut codes = [slab.top, upper, lower, slab.bottom];
        let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move };
        let mut piece = 0;
        for (part, cell) in self.cells() {
            for _ in 0..codes[part] & 3 {
                board.cells[cell] = board.cells[cell].with(Colour::of_bit(white >> piece & 1 == 1));
                piece += 1;
            }
            codes[part] >>= 2;
        }
        board
    }

    fn pieces(&self, board: &Position, mirrored: bool) -> Pieces {
        let mut codes = [0u32; 4];
        let mut place = [0; 4];
        let (mut white, mut piece) = (0, 0);
        for (part, cell) in self.cells() {
            let cell = if mirrored { self.mirrored_cell(cell) } else { cell };
            let stack = board.cells[cell];
            codes[part] |= stack.height() << (2 * place[part]);
            place[part] += 1;
            for side in stack.pieces() {
                white |= u32::from(side == Colour::White) << piece;
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
