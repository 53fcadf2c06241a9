//! What is kept of a board: its level, and the one move that matters if it is forbidden.
//!
//! The move is kept as its place among the few moves that can be forbidden, so that it takes few bits.

use kanzen::solve::Exception;

use super::board::{Board, squares, step};
use super::moves::Move;
use super::stored::Values;

/// A move that is not reversible, but forbidden under the symmetric rule: its number and this.
const NOT_REVERSIBLE: u8 = 100;

/// The entry of a board with these values.
pub fn entry_of(board: &Board, values: Values) -> Exception {
    let case = if values.unique == 0 { 0 } else { code_of(board, values.unique) };
    Exception { value: values.best, case, then: values.second }
}

/// The values of a board with this entry; nothing if it cannot be its entry.
pub fn values_of(board: &Board, entry: Exception) -> Option<Values> {
    let unique = if entry.case == 0 { 0 } else { number_of(board, entry.case)? };
    Some(Values { best: entry.value, unique, second: entry.then })
}

/// The numbers of the reversible moves of a board, ascending.
fn reversible_numbers(board: &Board) -> impl Iterator<Item = u8> {
    let (pit, empty) = (board.pit(), board.empty());
    let pushes = [0, 1, 2, 3].map(|direction| board.reversible_pushes(direction));
    let holes = (0..4).filter(move |&direction| step(pit, direction) & empty != 0).map(|direction| 1 + direction);
    let pieces = squares(board.mover).enumerate().flat_map(move |(piece, from)| {
        (0..4u8)
            .filter(move |&direction| pushes[usize::from(direction)] >> from & 1 == 1)
            .map(move |direction| 5 + 4 * piece as u8 + direction)
    });
    holes.chain(pieces)
}

/// The place of a move among the reversible ones, from 1: there are few, so that it takes few bits.
fn code_of(board: &Board, number: u8) -> u8 {
    match reversible_numbers(board).position(|reversible| reversible == number) {
        Some(place) => place as u8 + 1,
        None => NOT_REVERSIBLE + number,
    }
}

fn number_of(board: &Board, code: u8) -> Option<u8> {
    if code < NOT_REVERSIBLE {
        return reversible_numbers(board).nth(usize::from(code) - 1);
    }
    let number = code - NOT_REVERSIBLE;
    let mv = (1..=24).contains(&number).then(|| Move::numbered(number, board))?;
    board.after(mv).map(|_| number)
}
