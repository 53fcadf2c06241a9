//! A board of stacks.

use kanzen::Colour;

/// The most cells a board has: six rows of five.
pub const MOST_CELLS: usize = 30;

/// Up to three pieces: a leading one, then a bit for each from bottom to top, set if it is white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stack(u8);

impl Stack {
    /// No piece.
    pub const EMPTY: Stack = Stack(1);

    /// The stack of a number below 16, if it is one.
    pub fn from_code(code: u8) -> Stack {
        Stack(code.max(1))
    }

    /// The stack as a number below 16.
    pub fn code(self) -> u8 {
        self.0
    }

    /// How many pieces.
    pub fn height(self) -> u32 {
        self.0.ilog2()
    }

    /// Whose piece lies on top.
    pub fn top(self) -> Option<Colour> {
        (self.height() > 0).then_some(Colour::of_bit(self.0 & 1 == 1))
    }

    /// With one more piece on top.
    pub fn with(self, side: Colour) -> Stack {
        Stack(self.0 << 1 | u8::from(side == Colour::White))
    }

    /// Without its top piece.
    pub fn without_top(self) -> Stack {
        Stack((self.0 >> 1).max(1))
    }

    /// The pieces from bottom to top.
    pub fn pieces(self) -> impl Iterator<Item = Colour> {
        (0..self.height()).rev().map(move |bit| Colour::of_bit(self.0 >> bit & 1 == 1))
    }

    /// How many of its pieces are black, and how many white.
    pub fn by_colour(self) -> [usize; 2] {
        let white = self.0.count_ones() as usize - 1;
        [self.height() as usize - white, white]
    }

    /// With every piece's colour changed.
    pub fn recoloured(self) -> Stack {
        Stack(self.0 ^ ((1 << self.height()) - 1))
    }
}

/// A position: stacks row by row from the top left, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The cells; those beyond the board are empty.
    pub cells: [Stack; MOST_CELLS],
    /// Whose turn it is. White plays up from the bottom row, and begins.
    pub to_move: Colour,
}

impl Position {
    /// Pieces of a side.
    pub fn pieces(&self, side: Colour) -> usize {
        self.cells.iter().map(|stack| stack.by_colour()[side as usize]).sum()
    }
}
