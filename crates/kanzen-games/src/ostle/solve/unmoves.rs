//! All un-moves of a board at once, as the bits of a few words.
//!
//! The other side moved last, and its line goes back a step. A line of its own pieces only looks, from before to after
//! and back, as if one piece had jumped over the others; which way makes no difference, so that one bit stands for a
//! pair of squares, one with the piece and one empty:
//!
//! ```text
//! . a b c   ->   a b c .       the piece `c` on the last square jumps to the first
//! ```
//!
//! A plain step is a jump over nobody. Lines with pieces of both sides are few and keep their direction. All bits of a
//! word are found by shifts of whole boards, and one loop goes through them: a loop for each direction and length would
//! be guessed wrong by the processor at nearly each end.

use crate::ostle::board::{ALL, Board, Mask, back, step};

/// The squares in all but the last `reach` columns: those from which so many steps to the right stay on the board.
const fn columns(reach: u32) -> Mask {
    let mut squares = ALL;
    let mut steps = 0;
    while steps < reach {
        squares = step(squares, 1);
        steps += 1;
    }
    // What went left and is still there can go right again.
    squares
}

/// For each word of [`jumps`] and each of its bits: the square that the piece jumps from and the one it jumps to.
pub static JUMPS: [[Mask; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 25 {
        let column = square % 5;
        // Jumps over 0 or 3 pieces share a row of the board, and so do those over 1 or 2.
        table[0][square] = if column < 4 { 0b11 << square } else { 0b10001 << (square - 4) };
        table[1][square] = if column < 3 { 0b101 << square } else { 0b1001 << (square - 3) };
        square += 1;
    }
    let mut square = 0;
    while square < 20 {
        table[0][25 + square] = (1 | 1 << 5) << square;
        if square < 15 {
            table[1][25 + square] = (1 | 1 << 10) << square;
        }
        if square < 10 {
            table[1][40 + square] = (1 | 1 << 15) << square;
        }
        if square < 5 {
            table[0][45 + square] = (1 | 1 << 20) << square;
        }
        square += 1;
    }
    table
};

/// The un-moves of lines of `all` these pieces, where one of the `jumping` among them jumps to one of the `targets`,
/// which are empty. A bit for each, as [`JUMPS`] has them.
#[inline(always)]
pub fn jumps(all: Mask, jumping: Mask, targets: Mask) -> [u64; 2] {
    let pairs = |distance: u32| (jumping & targets >> distance) | (targets & jumping >> distance);
    let in_row = |reach: u32| {
        let between = (1..reach).fold(ALL, |line, steps| line & all >> steps);
        u64::from(pairs(reach) & between & columns(reach))
    };
    let in_column = |reach: u32| {
        let between = (1..reach).fold(ALL, |line, steps| line & all >> (5 * steps));
        u64::from(pairs(5 * reach) & between)
    };
    [
        in_row(1) | in_row(4) << 4 | in_column(1) << 25 | in_column(4) << 45,
        in_row(2) | in_row(3) << 3 | in_column(2) << 25 | in_column(3) << 40,
    ]
}

/// An un-move of a line with pieces of both sides.
#[derive(Clone, Copy)]
pub struct Unpush {
    /// Where the line stands after the move.
    line: Mask,
    shift: u8,
    /// The square that the front piece came from.
    pub from: u8,
    /// The direction of the move.
    pub direction: u8,
    /// The last square of the line << 2 | the direction back: the move that would take it back, if it is one.
    pub way_back: u8,
}

impl Unpush {
    /// The last square of the line.
    #[inline(always)]
    pub fn last(&self) -> u8 {
        self.way_back >> 2
    }

    /// One side's pieces before the move.
    #[inline(always)]
    pub fn before(&self, side: Mask) -> Mask {
        (side & !self.line) | (u64::from(side & self.line) << 5 >> self.shift) as Mask
    }

    const fn new(from: u32, direction: u8, len: u32) -> Unpush {
        let (mut line, mut last, mut steps) = (0, 1 << from, 0);
        while steps < len {
            last = step(last, direction);
            line |= last;
            steps += 1;
        }
        // Up and to the left squares have lower numbers, so that back means a shift to the left: by 5 - shift.
        let shift = [0, 4, 6, 10][direction as usize];
        let way_back = (last.trailing_zeros() as u8) << 2 | back(direction);
        Unpush { line, shift, from: from as u8, direction, way_back }
    }
}

/// For each word of [`unpushes`] and each of its bits: the un-move.
pub static UNPUSHES: [[Unpush; 64]; 3] = {
    let mut table = [[Unpush { line: 0, shift: 0, from: 0, direction: 0, way_back: 0 }; 64]; 3];
    let mut square = 0;
    while square < 25 {
        let bit = square as usize;
        let (column, row) = (square % 5, square / 5);
        let len = if column < 3 { 2 } else { 3 };
        let first = if column < 3 { square } else { square - 3 };
        table[1][bit] = Unpush::new(first, 2, len);
        table[1][25 + bit] = Unpush::new(first + len, 1, len);
        if column == 0 {
            table[2][bit] = Unpush::new(square, 2, 4);
            table[2][25 + bit] = Unpush::new(square + 4, 1, 4);
        }
        // As many bits as a line of that length has places in a column.
        let places = [(2, 0), (3, 15), (4, 25)];
        let mut length = 0;
        while length < 3 {
            let (len, offset) = places[length];
            if row + len < 5 {
                table[0][offset + bit] = Unpush::new(square, 3, len);
                table[0][30 + offset + bit] = Unpush::new(square + 5 * len, 0, len);
            }
            length += 1;
        }
        square += 1;
    }
    table
};

/// The un-moves of lines with pieces of both sides, a bit for each, as [`UNPUSHES`] has them.
#[inline(always)]
pub fn unpushes(board: &Board) -> [u64; 3] {
    let (own, pieces, empty) = (board.opponent, board.pieces(), board.empty());
    // Lines of two to four by the square their front piece came from, which is empty.
    let lines = |shift: fn(Mask, u32) -> Mask| {
        let front = empty & shift(own, 1);
        let (mut line, mut own_line) = (front, front);
        [2, 3, 4].map(|len| {
            line &= shift(pieces, len);
            own_line &= shift(own, len);
            line & !own_line
        })
    };
    let [right, left] = [lines(|side, steps| side >> steps), lines(|side, steps| side << steps)];
    let [down, up] = [lines(|side, steps| side >> (5 * steps)), lines(|side, steps| side << (5 * steps))];
    // By the lowest square of the line and the square it came from; in rows, lines around the edge are none.
    let in_rows = |lines: [Mask; 3], reach: u32| u64::from(lines[reach as usize - 2] & columns(reach));
    let left = [left[0] >> 2, left[1] >> 3, left[2] >> 4];
    let both = |reach: u32| in_rows(right, reach) | in_rows(left, reach) << 25;
    let up = [up[0] >> 10, up[1] >> 15, up[2] >> 20];
    let in_columns = |lines: [Mask; 3]| u64::from(lines[0] | lines[1] << 15 | lines[2] << 25);
    [in_columns(down) | in_columns(up) << 30, both(2) | both(3) << 3, both(4)]
}

/// The places of the bits of a word.
#[inline(always)]
pub fn places(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize & 63;
        let some = word != 0;
        word &= word.wrapping_sub(1);
        some.then_some(place)
    })
}
