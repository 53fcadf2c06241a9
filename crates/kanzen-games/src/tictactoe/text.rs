//! Boards and moves of tic-tac-toe as text.
//!
//! ```text
//! X../.O./... X      rows from the top, then the side to move, which the stones tell
//! a1                 columns a to c from the left, rows 1 to 3 from the bottom
//! ```

use kanzen::BadPosition;
use kanzen::notation::{read_rows, show_rows, square};

use super::rules::{Cell, Position, has_line};

/// The notation in words.
pub const NOTATION: &str = "Rows from the top joined by '/', X and O, '.' where nothing stands; a space, and the side to move. A \
    move is its square: columns a, b, c from the left, rows 1, 2, 3 from the bottom.";

/// The letter of the side to move.
pub fn mover(board: Position) -> &'static str {
    if board.crosses_move() { "X" } else { "O" }
}

pub fn show(board: Position) -> String {
    let letter = |cell: usize| match (board.crosses >> cell & 1, board.noughts >> cell & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '.',
    };
    format!("{} {}", show_rows([3; 3], letter), mover(board))
}

pub fn show_move(Cell(cell): Cell) -> String {
    square(cell as usize % 3, 3 - cell as usize / 3)
}

pub fn read(text: &str) -> Result<Position, BadPosition> {
    let (cells, side) =
        text.split_once(' ').ok_or_else(|| BadPosition::new("expected three rows, a space and X or O to move"))?;
    let mut board = Position { crosses: 0, noughts: 0 };
    for (cell, (row, letter)) in read_rows(cells, ["row", "cells"], [3; 3])?.into_iter().enumerate() {
        match letter {
            'X' => board.crosses |= 1 << cell,
            'O' => board.noughts |= 1 << cell,
            '.' => {}
            other => return Err(BadPosition::new(format!("unknown letter {other:?} in row {row}"))),
        }
    }
    let (crosses, noughts) = (board.crosses.count_ones(), board.noughts.count_ones());
    if crosses != noughts && crosses != noughts + 1 {
        return Err(BadPosition::new(format!("{crosses} X and {noughts} O cannot stand on the board together")));
    }
    if side != mover(board) {
        return Err(BadPosition::new(format!("with {crosses} X and {noughts} O it is {} to move", mover(board))));
    }
    let (last, other) =
        if board.crosses_move() { (board.noughts, board.crosses) } else { (board.crosses, board.noughts) };
    if has_line(other) {
        return Err(BadPosition::new(format!("{} to move has three in a row already", mover(board))));
    }
    // The stone that ended the game lies on every line its side has.
    if has_line(last) && !(0..9).any(|cell| last >> cell & 1 == 1 && !has_line(last & !(1 << cell))) {
        return Err(BadPosition::new("two lines that no single move completes"));
    }
    Ok(board)
}
