//! Othello positions and moves as text.
//!
//! ```text
//! ..../.OX./.XO./.... X      rows from the top, X black, O white, then the side to move
//! d3, pass                   columns a, b, c from the left, rows 1, 2, 3 from the top, as Othello's custom is
//! ```

use kanzen::BadPosition;

use super::rules::{Board, Side, Turn};
use super::shape::Shape;

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
    let mut text = String::new();
    for square in 0..shape.squares() {
        if square > 0 && square % shape.columns == 0 {
            text.push('/');
        }
        text.push(match (board.own >> square & 1, board.others >> square & 1) {
            (1, _) => own,
            (_, 1) => others,
            _ => '.',
        });
    }
    format!("{text} {}", letter(board.to_move))
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
    let to_move = match side {
        "X" => Side::Black,
        "O" => Side::White,
        other => return Err(BadPosition::new(format!("expected X or O to move, found {other:?}"))),
    };
    let rows: Vec<&str> = cells.split('/').collect();
    if rows.len() != shape.rows as usize {
        return Err(BadPosition::new(format!("expected {} rows, found {}", shape.rows, rows.len())));
    }
    let (mut black, mut white) = (0u64, 0u64);
    for (row, text) in rows.iter().enumerate() {
        let found = text.chars().count();
        if found != shape.columns as usize {
            return Err(BadPosition::new(format!("row {} has {found} squares, expected {}", row + 1, shape.columns)));
        }
        for (column, letter) in text.chars().enumerate() {
            let square = row as u32 * shape.columns + column as u32;
            match letter {
                'X' => black |= 1 << square,
                'O' => white |= 1 << square,
                '.' => {}
                other => {
                    let place = show_square(shape, square);
                    return Err(BadPosition::new(format!(
                        "unknown letter {other:?} at {place}: X, O or '.' stand there"
                    )));
                }
            }
        }
    }
    let (own, others) = match to_move {
        Side::Black => (black, white),
        Side::White => (white, black),
    };
    Ok(Board { own, others, to_move })
}
