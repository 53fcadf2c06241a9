//! The board of Ostle: 25 squares in a mask, row by row from the top left.
//!
//! ```text
//!  0  1  2  3  4        directions   0 up   1 left   2 right   3 down
//!  5  6  7  8  9        the way back of direction d is 3 - d
//! 10 11 12 13 14
//! 15 16 17 18 19
//! 20 21 22 23 24
//! ```

use kanzen::index::points;

/// A set of squares, a bit each.
pub type Mask = u32;

/// All squares.
pub const ALL: Mask = (1 << 25) - 1;
const FIRST_COLUMN: Mask = 0x0010_8421;
const LAST_COLUMN: Mask = FIRST_COLUMN << 4;

/// How many squares.
pub const SQUARES: usize = 25;
/// Off the board, as a square.
pub const OFF: u8 = 255;

/// The direction back.
#[inline(always)]
pub const fn back(direction: u8) -> u8 {
    3 - direction
}

/// All squares of a mask moved one step; those that leave the board are gone.
#[inline(always)]
pub const fn step(mask: Mask, direction: u8) -> Mask {
    match direction {
        0 => mask >> 5,
        1 => (mask & !FIRST_COLUMN) >> 1,
        2 => (mask & !LAST_COLUMN) << 1,
        _ => mask << 5 & ALL,
    }
}

/// The square one step on, or [`OFF`].
pub static NEXT: [[u8; SQUARES]; 4] = {
    let mut table = [[OFF; SQUARES]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut square = 0;
        while square < SQUARES {
            let next = step(1 << square, direction);
            if next != 0 {
                table[direction as usize][square] = next.trailing_zeros() as u8;
            }
            square += 1;
        }
        direction += 1;
    }
    table
};

/// All squares beyond a square in a direction, to the edge.
pub static RAY: [[Mask; SQUARES]; 4] = {
    let mut table = [[0; SQUARES]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut square = 0;
        while square < SQUARES {
            let mut next = step(1 << square, direction);
            while next != 0 {
                table[direction as usize][square] |= next;
                next = step(next, direction);
            }
            square += 1;
        }
        direction += 1;
    }
    table
};

/// The squares of a mask, lowest first.
#[inline(always)]
pub fn squares(mask: Mask) -> impl Iterator<Item = u8> {
    points(mask).map(|square| square as u8)
}

/// The hole and the pieces, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// The square of the hole.
    pub hole: u8,
    /// The pieces of the side to move.
    pub mover: Mask,
    /// The other side's pieces.
    pub opponent: Mask,
}

impl Board {
    /// The hole as a mask.
    #[inline(always)]
    pub fn pit(&self) -> Mask {
        1 << self.hole
    }

    /// All pieces.
    #[inline(always)]
    pub fn pieces(&self) -> Mask {
        self.mover | self.opponent
    }

    /// The squares with neither piece nor hole.
    #[inline(always)]
    pub fn empty(&self) -> Mask {
        ALL & !(self.pieces() | self.pit())
    }

    /// The board as a number of 55 bits.
    pub fn code(&self) -> u64 {
        u64::from(self.hole) << 50 | u64::from(self.mover) << 25 | u64::from(self.opponent)
    }

    /// The board of a number that [`code`](Board::code) made.
    pub fn from_code(code: u64) -> Board {
        let mask = |bits: u64| bits as Mask & ALL;
        Board { hole: (code >> 50) as u8, mover: mask(code >> 25), opponent: mask(code) }
    }
}
