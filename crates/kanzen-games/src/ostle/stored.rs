//! The contents of an Ostle database: one file per class, one entry per board, and the census labels.
//!
//! An entry holds the level of a board and, if one forbidden move changes it, that move and the level without it. The
//! move is stored as its rank among the few moves that can be forbidden, so it takes few bits.

use kanzen::Census;
use kanzen_solve::{Exception, SolvedClass};
use serde_json::{Map, Value as Json, json};

use super::board::{Board, squares, step};
use super::moves::Move;
use super::rules::Ostle;

/// The solver: one entry per board rather than per position.
pub struct ByBoards;

/// The file name of a class.
pub fn class_file(mover: u32, opponent: u32) -> String {
    format!("{mover}-{opponent}.boards")
}

/// The classes of a game, fewest pieces first, as piece counts of the mover and the opponent.
pub fn all_classes(game: &Ostle) -> impl Iterator<Item = (u32, u32)> + use<'_> {
    (2 * game.army().least..=game.pieces()).flat_map(|pieces| classes(game, pieces))
}

/// The classes with `pieces` pieces on the board.
pub fn classes(game: &Ostle, pieces: u32) -> Vec<(u32, u32)> {
    let side = game.army().least..=game.army().most;
    side.clone().rev().map(|mover| (mover, pieces.wrapping_sub(mover))).filter(|(_, o)| side.contains(o)).collect()
}

/// Census label: the number of boards of the class.
pub const BOARDS: &str = "boards";
/// Census label: the number of those on which the mover wins in one ply.
pub const IMMEDIATE_WINS: &str = "immediate_wins";

/// The label of a census row.
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

/// The values of a board: with no move forbidden, and with the one relevant move forbidden. 0 is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// The level if no move is forbidden, or an irrelevant one.
    pub best: u8,
    /// The number of the relevant move, or 0.
    pub unique: u8,
    /// The level if that move is forbidden.
    pub second: u8,
}

impl Values {
    /// The level if the move with this number is forbidden.
    pub fn without(self, number: u8) -> u8 {
        if self.unique != 0 && self.unique == number { self.second } else { self.best }
    }
}

/// Added to the number of a move that is not reversible, but forbidden under the symmetric rule.
const NOT_REVERSIBLE: u8 = 100;

/// Encodes the values of a board.
pub fn entry_of(board: &Board, values: Values) -> Exception {
    let case = if values.unique == 0 { 0 } else { code_of(board, values.unique) };
    Exception { value: values.best, case, then: values.second }
}

/// Decodes an entry; `None` if it is invalid for the board.
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

/// Ranks a move among the reversible ones, from 1.
fn code_of(board: &Board, number: u8) -> u8 {
    match reversible_numbers(board).position(|reversible| reversible == number) {
        Some(place) => place as u8 + 1,
        None => NOT_REVERSIBLE + number,
    }
}

/// Inverts [`code_of`].
fn number_of(board: &Board, code: u8) -> Option<u8> {
    if code < NOT_REVERSIBLE {
        return reversible_numbers(board).nth(usize::from(code) - 1);
    }
    let number = code - NOT_REVERSIBLE;
    let mv = (1..=24).contains(&number).then(|| Move::numbered(number, board))?;
    board.after(mv).map(|_| number)
}

/// Formats the census like the published tables: table 2, positions by plies to a board with an immediate win; then
/// table 1, boards by hole and pieces.
pub fn published_tables(census: &Census) -> String {
    let mut csv = String::from("plies,positions\n");
    let total = census.total();
    csv += &format!("draw,{}\n", total.draws());
    for bar in total.histogram() {
        // The game ends one ply after such a board.
        csv += &format!("{},{}\n", bar.distance.saturating_sub(1), bar.wins + bar.losses);
    }
    csv += "\nhole_row,hole_col,mover_pieces,opponent_pieces,boards\n";
    let number =
        |label: &serde_json::Map<String, Json>, name: &str| label.get(name).and_then(Json::as_u64).unwrap_or(0);
    // In the published order: most pieces first.
    let mut rows: Vec<[u64; 5]> = census
        .classes
        .iter()
        .map(|(label, _)| ["mover", "opponent", "hole_row", "hole_col", "boards"].map(|name| number(label, name)))
        .collect();
    rows.sort_by_key(|&[mover, opponent, row, column, _]| (u64::MAX - mover - opponent, u64::MAX - mover, row, column));
    for [mover, opponent, row, column, boards] in rows {
        csv += &format!("{row},{column},{mover},{opponent},{boards}\n");
    }
    csv
}
