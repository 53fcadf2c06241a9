//! A board of stacks.

/// The most cells a board has: six rows of five.
pub const MOST_CELLS: usize = 30;

/// Whose piece, or whose turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Plays down from the top row.
    Black,
    /// Plays up from the bottom row, and begins.
    White,
}

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

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
    pub fn top(self) -> Option<Side> {
        match (self.height(), self.0 & 1) {
            (0, _) => None,
            (_, 1) => Some(Side::White),
            _ => Some(Side::Black),
        }
    }

    /// With one more piece on top.
    pub fn with(self, side: Side) -> Stack {
        Stack(self.0 << 1 | u8::from(side == Side::White))
    }

    /// Without its top piece.
    pub fn without_top(self) -> Stack {
        Stack((self.0 >> 1).max(1))
    }

    /// The pieces from bottom to top.
    pub fn pieces(self) -> impl Iterator<Item = Side> {
        (0..self.height()).rev().map(move |bit| if self.0 >> bit & 1 == 1 { Side::White } else { Side::Black })
    }

    /// With every piece's colour changed.
    pub fn recoloured(self) -> Stack {
        Stack(self.0 ^ ((1 << self.height()) - 1))
    }
}

/// A position: stacks row by row from the top left, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The cells; those beyond the board are empty.
    pub cells: [Stack; MOST_CELLS],
    /// Whose turn it is.
    pub to_move: Side,
}

impl Board {
    /// Pieces of a side.
    pub fn pieces(&self, side: Side) -> usize {
        self.cells.iter().flat_map(|stack| stack.pieces()).filter(|piece| *piece == side).count()
    }
}
