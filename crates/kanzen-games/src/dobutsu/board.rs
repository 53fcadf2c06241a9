//! The board of three columns and four rows, and the animals on it.

use kanzen::Colour;

use super::squares::{Mask, Squares};

/// Columns of the board.
pub const COLUMNS: usize = 3;
/// Rows of the board.
pub const ROWS: usize = 4;
/// Squares of the board.
pub const SQUARES: usize = COLUMNS * ROWS;

/// The row (0 at the top) that a side plays towards. Black begins, and plays up from the bottom row.
pub fn far_row(side: Colour) -> usize {
    match side {
        Colour::Black => 0,
        Colour::White => ROWS - 1,
    }
}

/// An animal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// One step in any of eight directions. Who loses it loses.
    Lion,
    /// One step straight.
    Giraffe,
    /// One step diagonally.
    Elephant,
    /// One step forward; becomes a hen on the far row.
    Chick,
    /// One step straight or diagonally forward. Taken, it is a chick again.
    Hen,
}

impl Kind {
    /// All animals.
    pub const ALL: [Kind; 5] = [Kind::Lion, Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];
    /// Those that can be in a hand.
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

/// An animal and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    /// Whose.
    pub side: Colour,
    /// What.
    pub kind: Kind,
}

impl Piece {
    /// The squares that it steps to from a square.
    #[inline]
    pub fn reach(self, square: usize) -> Mask {
        static REACH: [[[Mask; SQUARES]; Kind::ALL.len()]; 2] = [reach_of(Colour::Black), reach_of(Colour::White)];
        REACH[self.side as usize][self.kind as usize][square]
    }
}

/// Where a side's animals step to from each square.
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

/// A position: squares row by row from the top left, hands, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The squares.
    pub squares: Squares,
    /// Giraffes, elephants and chicks in the first and the second player's hand.
    pub hands: [[u8; 3]; 2],
    /// Whose turn it is.
    pub to_move: Colour,
}

impl Position {
    /// Where a side's lion stands.
    #[inline]
    pub fn lion(&self, side: Colour) -> Option<usize> {
        self.squares.with_piece(Piece { side, kind: Kind::Lion }).first()
    }

    /// The board turned by half a turn with the sides exchanged: the same game seen by the other player.
    #[inline]
    pub fn turned(&self) -> Position {
        let [first, second] = self.hands;
        Position { squares: self.squares.turned(), hands: [second, first], to_move: self.to_move.other() }
    }

    /// The board in a mirror: left and right exchanged.
    #[inline]
    pub fn mirrored(&self) -> Position {
        Position { squares: self.squares.mirrored(), ..*self }
    }
}
