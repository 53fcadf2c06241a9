//! The 3x4 board: the animals, their steps, and twelve squares packed into one word.
//!
//! Each square takes four bits, the top left first:
//!
//! ```text
//!   bits 47..44   43..40   39..36   35 ..             .. 3..0
//!        a4       b4       c4       a3      ...          c1          0 empty, 1 to 5 the first player's animals,
//!        [      top row         ]                                    9 to 13 the second's: bit 3 is the owner
//! ```
//!
//! Words compare like their squares in lexicographic order. A set of squares ([`Mask`]) uses the lowest of the four bits
//! of each, so sets of animals, the mirror image and the other player's view take a few shifts.

use kanzen::Colour;

/// Columns of the board.
pub const COLUMNS: usize = 3;
/// Rows of the board.
pub const ROWS: usize = 4;
/// Squares of the board.
pub const SQUARES: usize = COLUMNS * ROWS;

/// The row (0 at the top) that a side plays towards. Black moves first and plays up from the bottom row.
pub fn far_row(side: Colour) -> usize {
    match side {
        Colour::Black => 0,
        Colour::White => ROWS - 1,
    }
}

/// An animal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// One step in any of eight directions. Losing it loses the game.
    Lion,
    /// One step straight.
    Giraffe,
    /// One step diagonally.
    Elephant,
    /// One step forward; becomes a hen on the far row.
    Chick,
    /// One step straight or diagonally forward. Captured, it reverts to a chick.
    Hen,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Lion, Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];
    /// The kinds that can be held in hand.
    pub const IN_HAND: [Kind; 3] = [Kind::Giraffe, Kind::Elephant, Kind::Chick];

    /// Steps as (rows forward, columns to the right).
    pub const fn steps(self) -> &'static [(isize, isize)] {
        match self {
            Kind::Lion => &[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)],
            Kind::Giraffe => &[(1, 0), (0, -1), (0, 1), (-1, 0)],
            Kind::Elephant => &[(1, -1), (1, 1), (-1, -1), (-1, 1)],
            Kind::Chick => &[(1, 0)],
            Kind::Hen => &[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, 0)],
        }
    }
}

/// An animal and its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    /// The owner.
    pub side: Colour,
    /// The kind of animal.
    pub kind: Kind,
}

impl Piece {
    /// The squares it attacks from `square`.
    #[inline]
    pub fn reach(self, square: usize) -> Mask {
        static REACH: [[[Mask; SQUARES]; Kind::ALL.len()]; 2] = [reach_of(Colour::Black), reach_of(Colour::White)];
        REACH[self.side as usize][self.kind as usize][square]
    }
}

/// The attack table of one side, by kind and square.
const fn reach_of(side: Colour) -> [[Mask; SQUARES]; Kind::ALL.len()] {
    let forward = if side as usize == Colour::Black as usize { -1 } else { 1 };
    let mut reach = [[Mask::EMPTY; SQUARES]; Kind::ALL.len()];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let steps = Kind::ALL[kind].steps();
        let mut at = 0;
        while at < SQUARES * steps.len() {
            let (square, (ahead, right)) = (at / steps.len(), steps[at % steps.len()]);
            let row = (square / COLUMNS) as isize + forward * ahead;
            let column = (square % COLUMNS) as isize + right;
            if row >= 0 && row < ROWS as isize && column >= 0 && column < COLUMNS as isize {
                reach[kind][square] = reach[kind][square].or(Mask::of(row as usize * COLUMNS + column as usize));
            }
            at += 1;
        }
        kind += 1;
    }
    reach
}

/// A position: squares row by row from the top left, hands, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The board.
    pub squares: Squares,
    /// Giraffes, elephants and chicks in the first and the second player's hand.
    pub hands: [[u8; 3]; 2],
    /// The side to move.
    pub to_move: Colour,
}

impl Position {
    /// The square of a side's lion, or `None` if it was captured.
    #[inline]
    pub fn lion(&self, side: Colour) -> Option<usize> {
        self.squares.with_piece(Piece { side, kind: Kind::Lion }).first()
    }

    /// Rotates the board by 180 degrees and exchanges the sides: the same position from the other player's view.
    #[inline]
    pub fn turned(&self) -> Position {
        let [first, second] = self.hands;
        Position { squares: self.squares.turned(), hands: [second, first], to_move: self.to_move.other() }
    }

    /// Mirrors the board left to right.
    #[inline]
    pub fn mirrored(&self) -> Position {
        Position { squares: self.squares.mirrored(), ..*self }
    }
}

/// Bits of a square.
const BITS: usize = 4;
/// The bit of the owner.
const SIDE: u64 = 8;
/// The lowest bit of every square.
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

    /// The empty set.
    pub const EMPTY: Mask = Mask(0);

    /// The intersection.
    pub const fn and(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }

    /// The difference: squares of `self` that are not in `other`.
    pub const fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }

    /// The union.
    pub const fn or(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains a square.
    pub const fn has(self, square: usize) -> bool {
        !self.and(Mask::of(square)).is_empty()
    }

    /// The first square, or `None` if the set is empty.
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

    /// The animal on a square.
    #[inline]
    pub const fn at(self, square: usize) -> Option<Piece> {
        piece(self.0 >> Self::shift(square) & 15)
    }

    /// Returns the board with `stands` on `square`.
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

    /// The occupied squares.
    #[inline]
    pub const fn occupied(self) -> Mask {
        Mask((self.0 | self.0 >> 1 | self.0 >> 2) & EVERY)
    }

    /// The empty squares.
    #[inline]
    pub const fn empty(self) -> Mask {
        Mask(EVERY & !self.occupied().0)
    }

    /// The squares with an animal of `side`.
    #[inline]
    pub const fn of(self, side: Colour) -> Mask {
        let second = Mask(self.0 >> 3 & EVERY);
        match side {
            Colour::Black => self.occupied().without(second),
            Colour::White => second,
        }
    }

    /// The squares with exactly this piece.
    #[inline]
    pub const fn with_piece(self, piece: Piece) -> Mask {
        let other = self.0 ^ (EVERY * code(piece));
        Mask(!(other | other >> 1 | other >> 2 | other >> 3) & EVERY)
    }

    /// Rotates the board by 180 degrees and exchanges the sides.
    #[inline]
    #[must_use]
    pub const fn turned(self) -> Squares {
        let bytes = self.0.swap_bytes() >> (64 - BITS * SQUARES);
        let turned = (bytes & 0x0f0f_0f0f_0f0f) << 4 | bytes >> 4 & 0x0f0f_0f0f_0f0f;
        Squares(turned ^ (Squares(turned).occupied().0 * SIDE))
    }

    /// Mirrors the board left to right.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Squares {
        let across = BITS * (COLUMNS - 1);
        let (left, middle) = (self.0 & LEFT_COLUMN, self.0 & LEFT_COLUMN >> BITS);
        Squares(left >> across | middle | self.0 << across & LEFT_COLUMN)
    }

    /// Packs the squares in base 11 below `above`: digit 0 is empty, 1 to 5 and 6 to 10 are animals, the first square
    /// is the most significant.
    #[inline]
    pub fn number(self, above: u64) -> u64 {
        (0..ROWS).fold(above, |number, row| {
            let signs = self.0 >> (ROW_BITS * (ROWS - 1 - row)) & ((1 << ROW_BITS) - 1);
            number * ROW_NUMBERS as u64 + u64::from(NUMBER_OF_ROW[signs as usize])
        })
    }

    /// Inverts [`number`](Squares::number): the squares, `above`, and the counts of giraffes, elephants, and chicks or
    /// hens.
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
/// The number of distinct rows: eleven digits for each square.
const ROW_NUMBERS: usize = 11 * 11 * 11;

/// From the bits of a row to its number in base 11.
static NUMBER_OF_ROW: [u16; 1 << ROW_BITS] = {
    let mut numbers = [0; 1 << ROW_BITS];
    let mut number = 0;
    while number < ROW_NUMBERS {
        numbers[row_of(number) as usize & ((1 << ROW_BITS) - 1)] = number as u16;
        number += 1;
    }
    numbers
};

/// From a row's number to its bits, and above them its counts of giraffes, elephants, and chicks or hens, four bits each.
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
