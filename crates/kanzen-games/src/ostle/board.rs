//! The Ostle board as bitmasks of 25 squares, and its eight symmetries.
//!
//! ```text
//!  0  1  2  3  4        directions   0 up   1 left   2 right   3 down
//!  5  6  7  8  9        the reverse of direction d is 3 - d
//! 10 11 12 13 14
//! 15 16 17 18 19
//! 20 21 22 23 24
//! ```
//!
//! Symmetry `s` mirrors left to right if bit 0 is set, then top to bottom with bit 1, then transposes with bit 2. The
//! image of a mask takes three table look-ups, of nine, eight and eight squares.

use kanzen_core::index::points;

/// A set of squares, one bit each.
pub type Mask = u32;

/// All squares.
pub const ALL: Mask = (1 << 25) - 1;
const FIRST_COLUMN: Mask = 0x0010_8421;
const LAST_COLUMN: Mask = FIRST_COLUMN << 4;

/// The number of squares.
pub const SQUARES: usize = 25;
/// The square index that stands for "off the board".
pub const OFF: u8 = 255;

/// The reverse direction.
#[inline(always)]
pub const fn back(direction: u8) -> u8 {
    3 - direction
}

/// Shifts a mask one step; bits that leave the board are dropped.
#[inline(always)]
pub const fn step(mask: Mask, direction: u8) -> Mask {
    match direction {
        0 => mask >> 5,
        1 => (mask & !FIRST_COLUMN) >> 1,
        2 => (mask & !LAST_COLUMN) << 1,
        _ => mask << 5 & ALL,
    }
}

/// The neighbouring square in a direction, or [`OFF`].
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

/// The squares from a square to the edge in a direction, without the square itself.
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

/// Iterates over the squares of a mask, lowest first.
#[inline(always)]
pub fn squares(mask: Mask) -> impl Iterator<Item = u8> {
    points(mask).map(|square| square as u8)
}

/// The hole and the pieces, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// The square of the hole.
    pub hole: u8,
    /// The pieces of the side to move.
    pub mover: Mask,
    /// The opponent's pieces.
    pub opponent: Mask,
}

impl Board {
    /// The hole as a mask.
    #[inline(always)]
    pub fn pit(&self) -> Mask {
        1 << self.hole
    }

    /// The pieces of both sides.
    #[inline(always)]
    pub fn pieces(&self) -> Mask {
        self.mover | self.opponent
    }

    /// The squares with neither a piece nor the hole.
    #[inline(always)]
    pub fn empty(&self) -> Mask {
        ALL & !(self.pieces() | self.pit())
    }

    /// Packs the board into 55 bits.
    pub fn code(&self) -> u64 {
        u64::from(self.hole) << 50 | u64::from(self.mover) << 25 | u64::from(self.opponent)
    }

    /// Inverts [`code`](Board::code).
    pub fn from_code(code: u64) -> Board {
        let mask = |bits: u64| bits as Mask & ALL;
        Board { hole: (code >> 50) as u8, mover: mask(code >> 25), opponent: mask(code) }
    }
}

/// The number of symmetries; number 0 is the identity.
pub const SYMMETRIES: usize = 8;

/// The image of a square under a symmetry.
pub static IMAGE: [[u8; SQUARES]; SYMMETRIES] = {
    let mut table = [[0; SQUARES]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut square = 0;
        while square < SQUARES {
            let (mut row, mut column) = (square / 5, square % 5);
            if symmetry & 1 != 0 {
                column = 4 - column;
            }
            if symmetry & 2 != 0 {
                row = 4 - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            table[symmetry][square] = (5 * row + column) as u8;
            square += 1;
        }
        symmetry += 1;
    }
    table
};

struct Tables {
    low: [[Mask; 512]; SYMMETRIES],
    middle: [[Mask; 256]; SYMMETRIES],
    high: [[Mask; 256]; SYMMETRIES],
}

static TABLES: Tables = {
    let mut tables =
        Tables { low: [[0; 512]; SYMMETRIES], middle: [[0; 256]; SYMMETRIES], high: [[0; 256]; SYMMETRIES] };
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut bits = 1usize;
        while bits < 512 {
            // The image of the lowest square is added to that of the others.
            let (lowest, others) = (bits.trailing_zeros() as usize, bits & (bits - 1));
            tables.low[symmetry][bits] = tables.low[symmetry][others] | 1 << IMAGE[symmetry][lowest];
            if bits < 256 {
                tables.middle[symmetry][bits] = tables.middle[symmetry][others] | 1 << IMAGE[symmetry][9 + lowest];
                tables.high[symmetry][bits] = tables.high[symmetry][others] | 1 << IMAGE[symmetry][17 + lowest];
            }
            bits += 1;
        }
        symmetry += 1;
    }
    tables
};

/// `THEN[a][b]` is the composition: first `a`, then `b`.
pub static THEN: [[u8; SYMMETRIES]; SYMMETRIES] = {
    let mut table = [[0; SYMMETRIES]; SYMMETRIES];
    let mut first = 0;
    while first < SYMMETRIES {
        let mut second = 0;
        while second < SYMMETRIES {
            // Squares 0 and 1 distinguish the symmetries.
            let corner = IMAGE[second][IMAGE[first][0] as usize];
            let next = IMAGE[second][IMAGE[first][1] as usize];
            let mut both = 0;
            while IMAGE[both][0] != corner || IMAGE[both][1] != next {
                both += 1;
            }
            table[first][second] = both as u8;
            second += 1;
        }
        first += 1;
    }
    table
};

/// The image of a direction under a symmetry.
pub static TURN: [[u8; 4]; SYMMETRIES] = {
    let mut table = [[0; 4]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut direction = 0;
        while direction < 4 {
            // The image of a step away from the centre, which every symmetry fixes.
            let to = IMAGE[symmetry][NEXT[direction][12] as usize];
            let mut image = 0;
            while NEXT[image][12] != to || to == OFF {
                image += 1;
            }
            table[symmetry][direction] = image as u8;
            direction += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of a mask under a symmetry.
#[inline(always)]
pub fn image(symmetry: u8, mask: Mask) -> Mask {
    let symmetry = usize::from(symmetry & 7);
    TABLES.low[symmetry][mask as usize & 511]
        | TABLES.middle[symmetry][mask as usize >> 9 & 255]
        | TABLES.high[symmetry][mask as usize >> 17 & 255]
}

impl Board {
    /// The image of the board under a symmetry.
    #[inline(always)]
    pub fn under(&self, symmetry: u8) -> Board {
        Board {
            hole: IMAGE[usize::from(symmetry)][usize::from(self.hole)],
            mover: image(symmetry, self.mover),
            opponent: image(symmetry, self.opponent),
        }
    }

    /// The least of the eight images: the canonical form.
    pub fn smallest_image(&self) -> Board {
        (1..SYMMETRIES as u8).map(|symmetry| self.under(symmetry)).fold(*self, Board::min)
    }

    /// The symmetries that fix the board, one bit each.
    #[inline]
    pub fn symmetries(&self) -> u8 {
        // The hole is the cheapest test and rejects most symmetries.
        let keeps = |symmetry: &u8| {
            IMAGE[usize::from(*symmetry)][usize::from(self.hole)] == self.hole
                && image(*symmetry, self.mover) == self.mover
                && image(*symmetry, self.opponent) == self.opponent
        };
        (0..SYMMETRIES as u8).filter(keeps).map(|symmetry| 1 << symmetry).sum()
    }

    /// Whether a symmetry other than the identity fixes the board.
    pub fn is_symmetric(&self) -> bool {
        self.symmetries() != 1
    }
}
