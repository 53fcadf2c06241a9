//! NOCCA positions and moves as text.
//!
//! ```text
//! b,b,b/.,.,./w,w,w w      rows from the top, cells by commas, stacks from bottom to top, then the side to move
//! a1-b2, c3-off            columns a, b, c from the left, rows 1, 2, 3 from the bottom
//! ```

use kanzen::notation::{split_side, square};
use kanzen::{BadPosition, Colour, Game};

use super::board::{MOST_CELLS, Position, Stack};
use super::rules::{Move, Nocca};

/// The notation in words.
pub const NOTATION: &str = "Rows from the top joined by '/', cells by ','; a cell is '.' or its stack from bottom to top, b plays \
    down, w plays up; a space, and the side to move. A move is from-to, columns a, b, c from the left and rows 1, 2, 3 from \
    the bottom; from-off walks off the board.";

pub fn show(game: &Nocca, board: Position) -> String {
    // Room for all pieces, a dot or a comma for each cell and the side: a probe shows dozens of boards.
    let mut text = String::with_capacity(2 * (game.rows + 1) * game.columns + 2);
    for (cell, stack) in board.cells[..game.rows * game.columns].iter().enumerate() {
        match (cell, cell % game.columns) {
            (0, _) => {}
            (_, 0) => text.push('/'),
            _ => text.push(','),
        }
        match stack.height() {
            0 => text.push('.'),
            _ => stack.pieces().for_each(|piece| text.push_str(piece.letter())),
        }
    }
    text.push(' ');
    text.push_str(board.to_move.letter());
    text
}

pub fn read(game: &Nocca, text: &str) -> Result<Position, BadPosition> {
    let (cells, to_move) = split_side(text, Colour::BOTH.map(|colour| (colour.letter(), colour)))?;
    let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move };
    let rows: Vec<&str> = cells.split('/').collect();
    if rows.len() != game.rows {
        return Err(BadPosition::new(format!("expected {} rows, found {}", game.rows, rows.len())));
    }
    for (row, text) in rows.iter().enumerate() {
        let stacks: Vec<&str> = text.split(',').collect();
        if stacks.len() != game.columns {
            let found = stacks.len();
            return Err(BadPosition::new(format!("row {} has {found} cells, expected {}", row + 1, game.columns)));
        }
        for (column, text) in stacks.iter().enumerate() {
            let at = game.square(row * game.columns + column);
            board.cells[row * game.columns + column] = read_stack(text)
                .map_err(|wrong| BadPosition::new(format!("{wrong} at {at} (row {}, cell {})", row + 1, column + 1)))?;
        }
    }
    piece_counts(game, &board)?;
    Ok(board)
}

fn read_stack(text: &str) -> Result<Stack, String> {
    if text == "." {
        return Ok(Stack::EMPTY);
    }
    let mut stack = Stack::EMPTY;
    for letter in text.chars() {
        if stack.height() == 3 {
            return Err(format!("a stack of {}, at most 3 are allowed,", text.chars().count()));
        }
        stack = match letter {
            'b' => stack.with(Colour::Black),
            'w' => stack.with(Colour::White),
            other => return Err(format!("unknown letter {other:?}")),
        };
    }
    if stack == Stack::EMPTY { Err("nothing, not even a '.',".to_owned()) } else { Ok(stack) }
}

/// Each side has all its pieces, or the one that has just moved has walked off with one.
fn piece_counts(game: &Nocca, board: &Position) -> Result<(), BadPosition> {
    let (all, mover) = (game.columns, board.to_move);
    let (own, others) = (board.pieces(mover), board.pieces(mover.other()));
    if own != all {
        return Err(BadPosition::new(format!("{own} pieces {}, expected {all}", mover.letter())));
    }
    if others != all && others + 1 != all {
        return Err(BadPosition::new(format!("{others} pieces {}, expected {all}", mover.other().letter())));
    }
    if game.ended(*board).is_some() && game.never_left(board) {
        return Err(BadPosition::new(format!(
            "no piece {} can have walked off the full far row",
            mover.other().letter()
        )));
    }
    Ok(())
}

impl Nocca {
    /// A cell as people name it.
    fn square(&self, cell: usize) -> String {
        square(cell % self.columns, self.rows - cell / self.columns)
    }

    /// Whether the far row is so full that nobody can have left from it.
    fn never_left(&self, board: &Position) -> bool {
        let mut left = false;
        self.unmoves(*board, &mut |_| left = true);
        !left
    }
}

pub fn show_move(game: &Nocca, step: Move) -> String {
    match step.to {
        Some(to) => format!("{}-{}", game.square(step.from), game.square(to)),
        None => format!("{}-off", game.square(step.from)),
    }
}
