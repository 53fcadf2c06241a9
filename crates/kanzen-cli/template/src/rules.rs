//! The rules. It begins as hexapawn: change it into your game.
//!
//! ```text
//! 3  b  b  b      White (w) plays up, black (b) down. A pawn steps one square straight ahead if that is empty, or
//! 2  .  .  .      takes an enemy pawn one square diagonally ahead. Who reaches the far row has won; who is to move
//! 1  w  w  w      and cannot has lost.
//!    a  b  c
//! ```
//!
//! Nothing here depends on indices, files or threads. The kit in tests.rs checks that the parts fit together.

use kanzen::view::{self, Shape, Tone, View};
use kanzen::{BadPosition, Game, Notation, Value};

/// Rows of the board: try 4.
pub const ROWS: usize = 3;
/// Columns of the board.
pub const COLUMNS: usize = 3;

const SQUARES: usize = ROWS * COLUMNS;

/// The game.
#[derive(Clone)]
pub struct Hexapawn;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    White,
    Black,
}

use Side::{Black, White};

impl Side {
    fn other(self) -> Side {
        match self {
            White => Black,
            Black => White,
        }
    }

    fn letter(self) -> &'static str {
        match self {
            White => "w",
            Black => "b",
        }
    }

    /// The row, 0 at the top, that this side wants to reach.
    fn far_row(self) -> usize {
        match self {
            White => 0,
            Black => ROWS - 1,
        }
    }
}

/// A position: the squares row by row from the top left, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    squares: [Option<Side>; SQUARES],
    to_move: Side,
}

/// A pawn's move, from square to square.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    from: usize,
    to: usize,
}

impl Board {
    /// Left and right exchanged.
    fn mirrored(mut self) -> Board {
        self.squares.chunks_mut(COLUMNS).for_each(|row| row.reverse());
        self
    }

    /// Squares one row ahead of a pawn of the mover: the one straight ahead, and those beside it.
    fn ahead(self, from: usize) -> impl Iterator<Item = (usize, bool)> {
        let (row, column) = (from / COLUMNS, from % COLUMNS);
        let next_row = match self.to_move {
            White => row.checked_sub(1),
            Black => Some(row + 1).filter(|row| *row < ROWS),
        };
        let columns = column.saturating_sub(1)..=(column + 1).min(COLUMNS - 1);
        next_row.into_iter().flat_map(move |row| columns.clone().map(move |to| (row * COLUMNS + to, to == column)))
    }
}

impl Game for Hexapawn {
    type Position = Board;
    type Move = Step;
    /// Three states a square and the side to move: 40 squares would fit.
    type Key = u64;

    fn initial(&self) -> Board {
        let mut squares = [None; SQUARES];
        squares[..COLUMNS].fill(Some(Black));
        squares[SQUARES - COLUMNS..].fill(Some(White));
        Board { squares, to_move: White }
    }

    fn moves(&self, board: Board, play: &mut impl FnMut(Step, Board)) {
        for from in (0..SQUARES).filter(|&from| board.squares[from] == Some(board.to_move)) {
            for (to, straight) in board.ahead(from) {
                let wanted = if straight { None } else { Some(board.to_move.other()) };
                if board.squares[to] == wanted {
                    let mut next = Board { to_move: board.to_move.other(), ..board };
                    next.squares[to] = next.squares[from].take();
                    play(Step { from, to }, next);
                }
            }
        }
    }
    // No move: lost. Endless play: a draw. Both are what positions mean unless `stuck` or `endless` is overridden.

    /// Lost at once: the player who has just moved stands on the far row.
    fn ended(&self, board: Board) -> Option<Value> {
        let winner = board.to_move.other();
        let far_row = &board.squares[winner.far_row() * COLUMNS..][..COLUMNS];
        far_row.contains(&Some(winner)).then_some(Value::loss(0))
    }

    /// A board and its mirror image have the same value, so one of them stands for both.
    fn canonical(&self, board: Board) -> Board {
        let mirrored = board.mirrored();
        if self.pack(mirrored) < self.pack(board) { mirrored } else { board }
    }

    /// Pawns that are taken never come back: boards with fewer are solved first.
    fn class(&self, board: Board) -> u32 {
        board.squares.iter().flatten().count() as u32
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("pawns", class)]
    }

    fn to_move(&self, board: Board) -> &'static str {
        board.to_move.letter()
    }

    /// Rows from the top joined by `/`, then the side to move: `bbb/.../www w`.
    fn show(&self, board: Board) -> String {
        let row = |row: &[Option<Side>]| row.iter().map(|square| square.map_or(".", Side::letter)).collect::<String>();
        let rows: Vec<String> = board.squares.chunks(COLUMNS).map(row).collect();
        format!("{} {}", rows.join("/"), board.to_move.letter())
    }

    /// Squares by column and row, `a1` bottom left: `a1-a2`.
    fn show_move(&self, _: Board, step: Step) -> String {
        let name = |square| format!("{}{}", char::from(b'a' + (square % COLUMNS) as u8), ROWS - square / COLUMNS);
        format!("{}-{}", name(step.from), name(step.to))
    }

    /// A number in base 3: the side to move, then the squares.
    fn pack(&self, board: Board) -> u64 {
        let digit = |square: &Option<Side>| square.map_or(0, |side| 1 + side as u64);
        board.squares.iter().fold(board.to_move as u64, |key, square| 3 * key + digit(square))
    }

    fn unpack(&self, mut key: u64) -> Board {
        let mut squares = [None; SQUARES];
        for square in squares.iter_mut().rev() {
            *square = [None, Some(White), Some(Black)][(key % 3) as usize];
            key /= 3;
        }
        Board { squares, to_move: if key == 0 { White } else { Black } }
    }
}

impl Notation for Hexapawn {
    /// The same in words, for `info` and `play`.
    fn notation(&self) -> String {
        "Rows from the top joined by '/', w and b, '.' for an empty square; a space, and the side to move. A move is \
         from-to, columns a, b, c from the left and rows 1, 2, 3 from the bottom."
            .into()
    }

    fn read(&self, text: &str) -> Result<Board, BadPosition> {
        let (board, side) = text.split_once(' ').unwrap_or((text, ""));
        let to_move = match side {
            "w" => White,
            "b" => Black,
            _ => return Err(BadPosition::new("expected rows joined by '/', a space, and w or b to move")),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != ROWS || rows.iter().any(|row| row.chars().count() != COLUMNS) {
            return Err(BadPosition::new(format!("expected {ROWS} rows of {COLUMNS} squares, found {board:?}")));
        }
        let mut squares = [None; SQUARES];
        for (square, letter) in squares.iter_mut().zip(rows.iter().flat_map(|row| row.chars())) {
            *square = match letter {
                '.' => None,
                'w' => Some(White),
                'b' => Some(Black),
                _ => return Err(BadPosition::new(format!("unknown letter {letter:?} on the board"))),
            };
        }
        for side in [White, Black] {
            let pawns = squares.iter().filter(|square| **square == Some(side)).count();
            if pawns > COLUMNS {
                return Err(BadPosition::new(format!("{pawns} pawns {:?}, at most {COLUMNS}", side.letter())));
            }
        }
        Ok(Board { squares, to_move })
    }
}

impl kanzen::Board for Hexapawn {
    /// What the page draws.
    fn view(&self) -> View {
        let [white, black] = [White, Black].map(Side::letter);
        View::grid(ROWS, COLUMNS)
            .sides(
                view::Side::new(white, "White", "白", Tone::Light),
                view::Side::new(black, "Black", "黒", Tone::Dark),
            )
            .piece('w', Some(0), Shape::Disc)
            .piece('b', Some(1), Shape::Disc)
    }
}
