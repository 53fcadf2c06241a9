//! The twelve squares in one word, four bits each, the top left first.
//!
//! ```text
//!   bits 47..44   43..40   39..36   35 ..             .. 3..0
//!        a4       b4       c4       a3      ...          c1          0 empty, 1 to 5 the first player's animals,
//!        [      top row         ]                                    9 to 13 the second's: bit 3 says whose
//! ```
//!
//! Words compare as their squares do one after the other. A set of squares ([`Mask`]) has the lowest of the four bits of
//! each, so that sets of animals are a few shifts away, and so are the mirror image and the other player's view.

use kanzen::Colour;

use super::board::{COLUMNS, Kind, Piece, ROWS, SQUARES};

/// Bits of a square.
const BITS: usize = 4;
/// The bit that says whose an animal is.
const SIDE: u64 = 8;
const EVERY: u64 = 0x1111_1111_1111;
const LEFT_COLUMN: u64 = 0xf00_f00_f00_f00;

/// The animals on the squares of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Squares(u64);

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mask(u64);

impl Mask {
    /// The set of one square.
    pub const fn of(square: usize) -> Mask {
        Mask(1 << (BITS * (SQUARES - 1 - square)))
    }

    /// No square.
    pub const EMPTY: Mask = Mask(0);

    /// What is in both.
    pub const fn and(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }

    /// What is in this one only.
    pub const fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }

    /// What is in one of them.
    pub const fn or(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a square is among them.
    pub const fn has(self, square: usize) -> bool {
        !self.and(Mask::of(square)).is_empty()
    }

    /// The first of them.
    #[inline]
    pub fn first(self) -> Option<usize> {
        let skipped = (self.0 << (64 - BITS * SQUARES)).leading_zeros() as usize;
        (self.0 != 0).then_some(skipped / BITS)
    }

    /// The squares in ascending order.
    #[inline]
    pub fn squares(self) -> impl Iterator<Item = usize> {
        let mut left = self;
        std::iter::from_fn(move || {
            let square = left.first()?;
            left = left.without(Mask::of(square));
            Some(square)
        })
    }
}

/// The four bits of an animal.
const fn code(piece: Piece) -> u64 {
    SIDE * piece.side as u64 + piece.kind as u64 + 1
}

const fn piece(code: u64) -> Option<Piece> {
    if code & (SIDE - 1) == 0 {
        return None;
    }
    Some(Piece { side: Colour::of_bit(code & SIDE != 0), kind: Kind::ALL[(code as usize & 7) - 1] })
}

impl Squares {
    const fn shift(square: usize) -> usize {
        BITS * (SQUARES - 1 - square)
    }

    /// What stands on a square.
    #[inline]
    pub const fn at(self, square: usize) -> Option<Piece> {
        piece(self.0 >> Self::shift(square) & 15)
    }

    /// The same with another animal, or none, on a square.
    #[inline]
    #[must_use]
    pub const fn with(self, square: usize, stands: Option<Piece>) -> Squares {
        let bits = match stands {
            Some(piece) => code(piece),
            None => 0,
        };
        Squares(self.0 & !(15 << Self::shift(square)) | bits << Self::shift(square))
    }

    /// All squares, in order.
    pub fn each(self) -> impl Iterator<Item = Option<Piece>> {
        (0..SQUARES).map(move |square| self.at(square))
    }

    /// Squares with an animal.
    #[inline]
    pub const fn occupied(self) -> Mask {
        Mask((self.0 | self.0 >> 1 | self.0 >> 2) & EVERY)
    }

    /// Squares without one.
    #[inline]
    pub const fn empty(self) -> Mask {
        Mask(EVERY & !self.occupied().0)
    }

    /// Squares with an animal of a side.
    #[inline]
    pub const fn of(self, side: Colour) -> Mask {
        let second = Mask(self.0 >> 3 & EVERY);
        match side {
            Colour::Black => self.occupied().without(second),
            Colour::White => second,
        }
    }

    /// Squares with this very animal.
    #[inline]
    pub const fn with_piece(self, piece: Piece) -> Mask {
        let other = self.0 ^ (EVERY * code(piece));
        Mask(!(other | other >> 1 | other >> 2 | other >> 3) & EVERY)
    }

    /// The board turned by half a turn with the sides exchanged.
    #[inline]
    #[must_use]
    pub const fn turned(self) -> Squares {
        let bytes = self.0.swap_bytes() >> (64 - BITS * SQUARES);
        let turned = (bytes & 0x0f0f_0f0f_0f0f) << 4 | bytes >> 4 & 0x0f0f_0f0f_0f0f;
        Squares(turned ^ (Squares(turned).occupied().0 * SIDE))
    }

    /// The board in a mirror: left and right exchanged.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Squares {
        let across = BITS * (COLUMNS - 1);
        let (left, middle) = (self.0 & LEFT_COLUMN, self.0 & LEFT_COLUMN >> BITS);
        Squares(left >> across | middle | self.0 << across & LEFT_COLUMN)
    }

    /// The squares as a number in base 11: 0 for an empty one, 1 to 5 and 6 to 10 for animals, the first square highest.
    #[inline]
    pub fn number(self, above: u64) -> u64 {
        (0..ROWS).fold(above, |number, row| {
            let signs = self.0 >> (ROW_BITS * (ROWS - 1 - row)) & ((1 << ROW_BITS) - 1);
            number * ROW_NUMBERS as u64 + u64::from(NUMBER_OF_ROW[signs as usize])
        })
    }

    /// The squares of such a number, what stands above it, and how many giraffes, elephants, and chicks or hens there
    /// are.
    #[inline]
    pub fn of_number(number: u64) -> (Squares, u64, [u8; 3]) {
        let (mut squares, mut counts, mut rest) = (0, 0, number);
        for row in 0..ROWS {
            let found = ROW_OF_NUMBER[(rest % ROW_NUMBERS as u64) as usize];
            rest /= ROW_NUMBERS as u64;
            squares |= (u64::from(found) & ((1 << ROW_BITS) - 1)) << (ROW_BITS * row);
            counts += found >> ROW_BITS;
        }
        (Squares(squares), rest, [counts as u8 & 15, (counts >> 4) as u8 & 15, (counts >> 8) as u8 & 15])
    }
}

/// Bits of a row.
const ROW_BITS: usize = BITS * COLUMNS;
/// Rows that there are: eleven signs for each square.
const ROW_NUMBERS: usize = 11 * 11 * 11;

/// The number in base 11 of the signs of a row.
static NUMBER_OF_ROW: [u16; 1 << ROW_BITS] = {
    let mut numbers = [0; 1 << ROW_BITS];
    let mut number = 0;
    while number < ROW_NUMBERS {
        numbers[row_of(number) as usize & ((1 << ROW_BITS) - 1)] = number as u16;
        number += 1;
    }
    numbers
};

/// The signs of a row, and above them how many giraffes, elephants, and chicks or hens it has, four bits each.
static ROW_OF_NUMBER: [u32; ROW_NUMBERS] = {
    let mut rows = [0; ROW_NUMBERS];
    let mut number = 0;
    while number < ROW_NUMBERS {
        rows[number] = row_of(number);
        number += 1;
    }
    rows
};

const fn row_of(number: usize) -> u32 {
    let (mut rest, mut row, mut at) = (number, 0, 0);
    while at < COLUMNS {
        let digit = rest % 11;
        rest /= 11;
        if digit > 0 {
            let kind = Kind::ALL[(digit - 1) % 5];
            row |= (code(Piece { side: Colour::of_bit(digit > 5), kind }) as u32) << (BITS * at);
            row += match kind {
                Kind::Lion => 0,
                Kind::Giraffe => 1 << ROW_BITS,
                Kind::Elephant => 1 << (ROW_BITS + 4),
                Kind::Chick | Kind::Hen => 1 << (ROW_BITS + 8),
            };
        }
        at += 1;
    }
    row
}
