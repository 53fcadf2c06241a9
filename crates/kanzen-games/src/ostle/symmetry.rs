//! The eight symmetries of the board.
//!
//! Symmetry `s` mirrors left and right if it has bit 1, then top and bottom with bit 2, then exchanges rows and
//! columns with bit 4. A mask goes through three small tables, nine, eight and eight squares at a time.

use super::board::{Board, Mask, NEXT, OFF, SQUARES};

/// How many symmetries; number 0 changes nothing.
pub const SYMMETRIES: usize = 8;

/// Where a symmetry takes a square.
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
            // The image of the lowest square joins that of the others.
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

/// `THEN[a][b]`: first a, then b.
pub static THEN: [[u8; SYMMETRIES]; SYMMETRIES] = {
    let mut table = [[0; SYMMETRIES]; SYMMETRIES];
    let mut first = 0;
    while first < SYMMETRIES {
        let mut second = 0;
        while second < SYMMETRIES {
            // Squares 0 and 1 tell the symmetries apart.
            let corner = IMAGE[second][IMAGE[first][0] as usize];
            let beside = IMAGE[second][IMAGE[first][1] as usize];
            let mut both = 0;
            while IMAGE[both][0] != corner || IMAGE[both][1] != beside {
                both += 1;
            }
            table[first][second] = both as u8;
            second += 1;
        }
        first += 1;
    }
    table
};

/// Where a symmetry takes a direction.
pub static TURN: [[u8; 4]; SYMMETRIES] = {
    let mut table = [[0; 4]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut direction = 0;
        while direction < 4 {
            // What becomes of a step away from the centre, which every symmetry keeps.
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

/// The image of a set of squares.
#[inline(always)]
pub fn image(symmetry: u8, mask: Mask) -> Mask {
    let symmetry = usize::from(symmetry & 7);
    TABLES.low[symmetry][mask as usize & 511]
        | TABLES.middle[symmetry][mask as usize >> 9 & 255]
        | TABLES.high[symmetry][mask as usize >> 17 & 255]
}

impl Board {
    /// The board under a symmetry.
    #[inline(always)]
    pub fn under(&self, symmetry: u8) -> Board {
        Board {
            hole: IMAGE[usize::from(symmetry)][usize::from(self.hole)],
            mover: image(symmetry, self.mover),
            opponent: image(symmetry, self.opponent),
        }
    }

    /// The smallest of the eight images: one board stands for all.
    pub fn smallest_image(&self) -> Board {
        (1..SYMMETRIES as u8).map(|symmetry| self.under(symmetry)).fold(*self, Board::min)
    }

    /// The symmetries that keep the board, a bit each.
    #[inline]
    pub fn symmetries(&self) -> u8 {
        // Which keep the hole costs nothing to ask first, and most boards are done with it.
        let keeps = |symmetry: &u8| {
            IMAGE[usize::from(*symmetry)][usize::from(self.hole)] == self.hole
                && image(*symmetry, self.mover) == self.mover
                && image(*symmetry, self.opponent) == self.opponent
        };
        (0..SYMMETRIES as u8).filter(keeps).map(|symmetry| 1 << symmetry).sum()
    }

    /// Whether a symmetry other than the identity keeps the board.
    pub fn is_symmetric(&self) -> bool {
        self.symmetries() != 1
    }
}
