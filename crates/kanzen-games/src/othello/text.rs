//! Othello positions and moves as text.
//!
//! ```text
//! ..../.OX./.XO./.... X      rows from the top, X black, O white, then the side to move
//! d3, pass                   columns a, b, c from the left, rows 1, 2, 3 from the top, as Othello's custom is
//! ```

use kanzen::BadPosition;
use kanzen::notation::{read_rows, read_side, show_rows};

use super::rules::{Board, Side, Turn};
use super::shape::Shape;

/// The notation in words.
pub const NOTATION: &str = "Rows from the top joined by '/', X black, O white, '.' empty; a space, and the side to move. A move is \
    its square, columns a, b, c from the left and rows 1, 2, 3 from the top, or pass.";

pub fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "X",
        Side::White => "O",
    }
}

pub fn show_turn(shape: &Shape, turn: Turn) -> String {
    match turn {
        Turn::Put(square) => show_square(shape, square),
        Turn::Pass => "pass".to_owned(),
    }
}

fn show_square(shape: &Shape, square: u32) -> String {
    // 21 columns at most: the letters do.
    let column = char::from(b'a' + (square % shape.columns) as u8);
    format!("{column}{}", square / shape.columns + 1)
}

pub fn show(shape: &Shape, board: Board) -> String {
    let (own, others) = match board.to_move {
        Side::Black => ('X', 'O'),
        Side::White => ('O', 'X'),
    };
    let disc = |square: usize| match (board.own >> square & 1, board.others >> square & 1) {
        (1, _) => own,
        (_, 1) => others,
        _ => '.',
    };
    format!("{} {}", show_rows(rows(shape), disc), letter(board.to_move))
}

/// How many squares each row has.
fn rows(shape: &Shape) -> impl Iterator<Item = usize> {
    (0..shape.rows).map(|_| shape.columns as usize)
}

/// The board under the letters of its columns, rows numbered from the top.
pub fn draw(shape: &Shape, board: Board) -> String {
    let text = show(shape, board);
    let cells = text.split(' ').next().unwrap_or("");
    let spaced = |row: &str| row.chars().map(|letter| format!("  {letter}")).collect::<String>();
    let letters: String = (b'a'..).take(shape.columns as usize).map(char::from).collect();
    let rows = cells.split('/').enumerate().map(|(row, cells)| format!("\n{:2}{}", row + 1, spaced(cells)));
    format!("  {}{}", spaced(&letters), rows.collect::<String>())
}

pub fn read(shape: &Shape, text: &str) -> Result<Board, BadPosition> {
    let (cells, side) = text
        .split_once(' ')
        .ok_or_else(|| BadPosition::new("expected rows joined by '/', a space and X or O to move"))?;
    let to_move = read_side(side, [("X", Side::Black), ("O", Side::White)])?;
    let (mut black, mut white) = (0u64, 0u64);
    for (square, (_, letter)) in (0..).zip(read_rows(cells, ["row", "squares"], rows(shape))?) {
        match letter {
            'X' => black |= 1 << square,
            'O' => white |= 1 << square,
            '.' => {}
            other => {
                let place = show_square(shape, square);
                return Err(BadPosition::new(format!("unknown letter {other:?} at {place}: X, O or '.' stand there")));
            }
        }
    }
    let (own, others) = match to_move {
        Side::Black => (black, white),
        Side::White => (white, black),
    };
    Ok(Board { own, others, to_move })
}
