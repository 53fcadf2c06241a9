//! What a database of Ostle holds: a file for each class of boards, and of each board its values.

use kanzen::solve::SolvedClass;
use serde_json::{Map, Value as Json, json};

use super::rules::Ostle;

/// Solves Ostle board by board.
pub struct ByBoards;

/// The file of a class.
pub fn class_file(mover: u32, opponent: u32) -> String {
    format!("{mover}-{opponent}.boards")
}

/// The classes of a game, those with the fewest pieces first: pieces of the mover and of the opponent.
pub fn all_classes(game: &Ostle) -> impl Iterator<Item = (u32, u32)> + use<'_> {
    (2 * game.army().least..=game.pieces()).flat_map(|pieces| classes(game, pieces))
}

/// The classes with so many pieces on the board.
pub fn classes(game: &Ostle, pieces: u32) -> Vec<(u32, u32)> {
    let side = game.army().least..=game.army().most;
    side.clone().rev().map(|mover| (mover, pieces.wrapping_sub(mover))).filter(|(_, o)| side.contains(o)).collect()
}

/// In the label of a class: how many boards it has.
pub const BOARDS: &str = "boards";
/// In the label of a class: on how many of them the mover wins at once.
pub const IMMEDIATE_WINS: &str = "immediate_wins";

/// What a line of the census is called.
pub fn census_label(hole: u8, mover: u32, opponent: u32, boards: u64, immediate_wins: u64) -> Map<String, Json> {
    SolvedClass::label([
        ("hole_row", json!(hole / 5)),
        ("hole_col", json!(hole % 5)),
        ("mover", json!(mover)),
        ("opponent", json!(opponent)),
        (BOARDS, json!(boards)),
        (IMMEDIATE_WINS, json!(immediate_wins)),
    ])
}

/// A board's values: without a forbidden move, and with the one move forbidden that matters. 0 is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// The level when no move is forbidden, or one that does not matter.
    pub best: u8,
    /// The number of the move that matters, or 0.
    pub unique: u8,
    /// The level when it is forbidden.
    pub second: u8,
}

impl Values {
    /// The level when the move with this number is forbidden.
    pub fn without(self, number: u8) -> u8 {
        if self.unique != 0 && self.unique == number { self.second } else { self.best }
    }
}
