//! Reads and writes NOCCA positions and moves as text, and describes the board for drawings.
//!
//! ```text
//! b,b,b/.,.,./w,w,w w      rows from the top, cells by commas, stacks from bottom to top, then the side to move
//! a1-b2, c3-off            columns a, b, c from the left, rows 1, 2, 3 from the bottom
//! ```

use kanzen::notation::{split_side, square};
use kanzen::view::{Shape, Side, Tone, View};
use kanzen::{BadPosition, Colour, Game};

use super::rules::{MOST_CELLS, Move, Nocca, Position, Stack};

/// The description of the notation for users.
pub const NOTATION: &str = "Rows from the top joined by '/', cells by ','; a cell is '.' or its stack from bottom to top, b plays \
    down, w plays up; a space, and the side to move. A move is from-to, columns a, b, c from the left and rows 1, 2, 3 from \
    the bottom; from-off walks off the board.";

pub fn show(game: &Nocca, board: Position) -> String {
    // Enough for all pieces, a dot or comma per cell and the side: a probe prints dozens of boards.
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
    if stack == Stack::EMPTY { Err("empty text, expected '.' or a stack,".to_owned()) } else { Ok(stack) }
}

/// Requires all pieces of both sides, except one that has just walked off.
fn piece_counts(game: &Nocca, board: &Position) -> Result<(), BadPosition> {
    let (all, mover) = (game.columns, board.to_move);
    let (own, others) = (board.pieces(mover), board.pieces(mover.other()));
    if own != all {
        return Err(BadPosition::new(format!("{own} pieces {}, expected {all}", mover.letter())));
    }
    if others != all && others + 1 != all {
        return Err(BadPosition::new(format!("{others} pieces {}, expected {all}", mover.other().letter())));
    }
    if game.ended(*board).is_some() && game.cannot_have_left(board) {
        return Err(BadPosition::new(format!(
            "no piece {} can have walked off the full far row",
            mover.other().letter()
        )));
    }
    Ok(())
}

impl Nocca {
    /// Returns the name of a cell.
    fn square(&self, cell: usize) -> String {
        square(cell % self.columns, self.rows - cell / self.columns)
    }

    /// Whether the far row is so full that no piece can have walked off from it.
    fn cannot_have_left(&self, board: &Position) -> bool {
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

pub fn view(game: &Nocca) -> View {
    let (white, black) = (Some(0), Some(1));
    View::grid(game.rows, game.columns)
        .stacks(3)
        .sides(Side::new("w", "White", "白", Tone::Light), Side::new("b", "Black", "黒", Tone::Dark))
        .piece('w', white, Shape::Drum)
        .piece('b', black, Shape::Drum)
        .exit("off", white, 0.0, -1.0)
        .exit("off", black, 0.0, 1.0)
        .japanese(
            format!("ノッカノッカ {}×{}", game.rows, game.columns),
            "自分の一番上の駒を周囲8マスのどこかへ1歩動かします。高さ2までの山には乗れます。一番上の駒を相手側の端から盤の\
             外へ出せば勝ち、動かせなければ負けです。千日手は引き分けです。",
        )
}
