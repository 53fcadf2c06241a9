//! The view of a game's board: places, lines, pieces, and how positions and moves name them.
//!
//! A [`View`] is data. The game declares it ([`Board::view`](crate::Board::view)), the explorer gets it as JSON and draws
//! every board with one renderer. A game that declares nothing is shown as text, with its moves as a list.
//!
//! ```text
//! position text  --notation-->  pieces on places  --places, lines, labels-->  picture
//! move text      --names, exits-->  the places to click in turn
//! ```

mod build;
mod reading;
pub mod svg;

use serde::Serialize;

pub use reading::{Click, Content};

/// The picture of a board, and how texts map to it.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::view::{Shape, Side, Tone, View};
/// let view = View::grid(3, 3)
///     .sides(Side::new("X", "Crosses", "先手", Tone::Dark), Side::new("O", "Noughts", "後手", Tone::Light))
///     .piece('X', Some(0), Shape::Cross)
///     .piece('O', Some(1), Shape::Ring);
/// let content = view.read("X../.O./... X").unwrap();
/// assert_eq!((content.cells[0].as_str(), content.turn.as_str()), ("X", "X"));
/// assert_eq!(view.places[0].name, "a3");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// What the pieces stand on.
    pub ground: Ground,
    /// What that is made of.
    pub surface: Surface,
    /// The two players, the one who begins first.
    pub sides: [Side; 2],
    /// Where pieces stand, in the order of the notation.
    pub places: Vec<Point>,
    /// Pairs of places that a line joins.
    pub lines: Vec<[usize; 2]>,
    /// Texts beside the board.
    pub labels: Vec<Label>,
    /// The kinds of pieces.
    pub pieces: Vec<Piece>,
    /// Ways off the board that moves name.
    pub exits: Vec<Exit>,
    /// How a position is written.
    pub notation: Notation,
    /// Whether the board may be turned round.
    pub flips: bool,
    /// The game in Japanese.
    pub japanese: Option<Translation>,
}

/// What the pieces stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Nothing is known of the board: the position is shown as text.
    Text,
    /// A heap of stones; the position is their number, a move the number taken.
    Pile,
    /// Squares side by side, in rows and columns.
    Squares,
    /// Points joined by lines.
    Points,
}

/// What a board is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Light wood.
    Wood,
    /// Green cloth, as under Othello's discs.
    Felt,
}

/// One of the two players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// As the notation and [`Game::to_move`](crate::Game::to_move) name it; empty where positions name no side.
    pub letter: &'static str,
    /// What it is called in English.
    pub name: &'static str,
    /// What it is called in Japanese.
    pub japanese: &'static str,
    /// The colour of its pieces.
    pub tone: Tone,
}

impl Side {
    /// A player with this letter, these names and pieces of this tone.
    pub fn new(letter: &'static str, name: &'static str, japanese: &'static str, tone: Tone) -> Side {
        Side { letter, name, japanese, tone }
    }
}

/// The colour of a side's pieces. The two differ in lightness, not in hue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// White, ivory.
    Light,
    /// Black.
    Dark,
    /// Brown wood.
    Brown,
}

/// A place a piece can stand on. One unit is the side of a square; y grows downwards.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// As moves name it.
    pub name: String,
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

/// A text beside the board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Label {
    /// Its text.
    pub text: String,
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Piece {
    /// As the notation writes it.
    pub letter: char,
    /// Whose it is; no side's for a thing such as Ostle's hole.
    pub side: Option<usize>,
    /// What it looks like.
    pub shape: Shape,
    /// For a side's special piece: a mark on it, such as `獅`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
}

/// What a piece looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A flat disc seen from above.
    Disc,
    /// A thick disc seen from the side, which can be stacked.
    Drum,
    /// A cross of two strokes.
    Cross,
    /// A circle of one stroke.
    Ring,
    /// A hole in the board.
    Hole,
    /// A tile that points at the opponent.
    Tile,
}

/// A way off the board: `off` in `a6-off`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exit {
    /// What stands after the dash.
    pub word: &'static str,
    /// The side that leaves this way, if not both do.
    pub side: Option<usize>,
    /// Where it leads, from the place it starts at.
    pub dx: f32,
    /// The same downwards.
    pub dy: f32,
}

/// How a position is written: cells in rows, then perhaps the side to move and pieces in hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Notation {
    /// The number of cells in each row.
    pub rows: Vec<usize>,
    /// What stands between rows.
    pub row_joint: &'static str,
    /// What stands between the cells of a row; with nothing between them, each cell is one letter.
    pub cell_joint: &'static str,
    /// An empty cell.
    pub empty: char,
    /// The most pieces in a cell, bottom first.
    pub stack: usize,
    /// What the letters of the first and the second side stand for.
    pub turn: Turn,
    /// How pieces in hand are written, after the side to move.
    pub hands: Hands,
    /// A sign after which a record of earlier play follows.
    pub history: Option<char>,
}

/// How pieces in hand are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hands {
    /// There are none.
    None,
    /// As numbers, the first side's first: `9-9`.
    Counts,
    /// Piece by piece, `-` if both hands are empty: `Ccg`. A move drops one: `C@a2`, the piece in capitals.
    Letters,
}

/// How a position marks the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// By the letter of the side after the cells.
    Letter,
    /// Not at all: the first side's pieces are the mover's.
    Mover,
}

/// A game's name and rules in another language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Translation {
    /// The name of the game.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
}
