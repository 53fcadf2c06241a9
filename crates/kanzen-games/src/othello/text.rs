//! Notation of Othello: reads and writes positions and moves, and draws boards for the terminal and the browser.
//!
//! ```text
//! ..../.OX./.XO./.... X      rows from the top, X black, O white, then the side to move
//! d3, pass                   columns a, b, c from the left, rows 1, 2, 3 from the top, as is customary in Othello
//! ```

use kanzen::notation::{self, read_rows, show_rows, split_side};
use kanzen::view::Shape as Look;
use kanzen::view::{Side, Tone, View};
use kanzen::{BadPosition, Colour};

use super::rules::{Move, Position};
use super::shape::Shape;

/// The notation, described for users.
pub const NOTATION: &str = "Rows from the top joined by '/', X black, O white, '.' empty; a space, and the side to move. A move is \
    its square, columns a, b, c from the left and rows 1, 2, 3 from the top, or pass.";

pub fn letter(side: Colour) -> &'static str {
    match side {
        Colour::Black => "X",
        Colour::White => "O",
    }
}

pub fn show_move(shape: &Shape, turn: Move) -> String {
    match turn {
        Move::Put(square) => show_square(shape, square),
        Move::Pass => "pass".to_owned(),
    }
}

fn show_square(shape: &Shape, square: u32) -> String {
    // 21 columns at most, so letters suffice.
    notation::square((square % shape.columns) as usize, (square / shape.columns) as usize + 1)
}

pub fn show(shape: &Shape, board: Position) -> String {
    let (own, others) = match board.to_move {
        Colour::Black => ('X', 'O'),
        Colour::White => ('O', 'X'),
    };
    let disc = |square: usize| match (board.own >> square & 1, board.others >> square & 1) {
        (1, _) => own,
        (_, 1) => others,
        _ => '.',
    };
    format!("{} {}", show_rows(rows(shape), disc), letter(board.to_move))
}

/// The length of each row.
fn rows(shape: &Shape) -> impl Iterator<Item = usize> {
    (0..shape.rows).map(|_| shape.columns as usize)
}

/// Draws the board below column letters, with rows numbered from the top.
pub fn draw(shape: &Shape, board: Position) -> String {
    let text = show(shape, board);
    let cells = text.split(' ').next().unwrap_or("");
    let spaced = |row: &str| row.chars().map(|letter| format!("  {letter}")).collect::<String>();
    let letters: String = (b'a'..).take(shape.columns as usize).map(char::from).collect();
    let rows = cells.split('/').enumerate().map(|(row, cells)| format!("\n{:2}{}", row + 1, spaced(cells)));
    format!("  {}{}", spaced(&letters), rows.collect::<String>())
}

pub fn read(shape: &Shape, text: &str) -> Result<Position, BadPosition> {
    let (cells, to_move) = split_side(text, Colour::BOTH.map(|colour| (letter(colour), colour)))?;
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
        Colour::Black => (black, white),
        Colour::White => (white, black),
    };
    Ok(Position { own, others, to_move })
}

/// Describes the board for the browser: discs on squares, rows numbered from the top.
pub fn view(shape: &Shape) -> View {
    let (rows, columns) = (shape.rows as usize, shape.columns as usize);
    View::grid_from_the_top(rows, columns)
        .felt()
        .sides(Side::new("X", "Black", "黒", Tone::Dark), Side::new("O", "White", "白", Tone::Light))
        .piece('X', Some(0), Look::Disc)
        .piece('O', Some(1), Look::Disc)
        .japanese(
            format!("オセロ {rows}×{columns}"),
            "相手の石をはさむように石を置き、はさんだ石を裏返します。置ける所がなければパスです。両者とも置けなければ終わりで、\
             石の多い方が勝ちです。空いたマスは勝った方の石に数えます。",
        )
}
