//! The printed tables of the paper, and their differences from the computed numbers.

use std::collections::BTreeMap;

use kanzen_core::index::binomial;
use serde::Serialize;

use kanzen_games::morris::Morris;

/// Tables 4 to 10 of the paper, read by OCR.
const TABLES: &str = include_str!("../../tests/data/morris_tables.csv");

/// A cell of a printed table; without counts, its total.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The number of the table.
    pub table: u32,
    /// White's and black's men; `None` in the row of the total.
    pub pair: Option<(u32, u32)>,
    /// The printed number.
    pub placements: u64,
}

/// Returns the cells of a game's table.
pub fn printed(men: u32) -> Vec<Printed> {
    let rows = TABLES.lines().filter(|line| !line.starts_with(['#', 't']));
    rows.filter_map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |at: usize| cells.get(at)?.parse::<u32>().ok();
        (number(1)? == men).then_some(())?;
        let pair = number(2).zip(number(3));
        Some(Printed { table: number(0)?, pair, placements: cells.get(4)?.parse().ok()? })
    })
    .collect()
}

/// Table 11: men, and the printed nodes of the second ZDD.
const SECOND_NODES: [(u32, u64); 7] =
    [(3, 119), (5, 46_605), (6, 90_320), (7, 238_334), (9, 99_007_445), (11, 132_020_141), (12, 68_811_597)];

/// Returns the printed nodes of a game's second ZDD.
pub fn printed_second_nodes(men: u32) -> Option<u64> {
    SECOND_NODES.iter().find(|row| row.0 == men).map(|row| row.1)
}

/// A printed number that differs from the computed one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The number of the table.
    pub table: u32,
    /// The cell, `9-7`, or `total`.
    pub cell: String,
    /// The printed number.
    pub printed: u64,
    /// The computed number.
    pub computed: u64,
    /// The reason for the difference.
    pub why: String,
}

/// Lists the printed cells of a game that differ from the computed ones. `all` has the placements without exclusion.
pub fn differences(
    game: &Morris,
    computed: &BTreeMap<(u32, u32), u64>,
    all: &BTreeMap<(u32, u32), u64>,
) -> Vec<Difference> {
    let differing = printed(game.men()).into_iter().filter_map(|cell| {
        let (name, truth) = match cell.pair {
            Some(pair) => (format!("{}-{}", pair.0, pair.1), computed[&pair]),
            None => ("total".to_owned(), computed.values().sum()),
        };
        let why = (truth != cell.placements).then(|| reason(game, &cell, truth, all))?;
        Some(Difference { table: cell.table, cell: name, printed: cell.placements, computed: truth, why })
    });
    differing.collect()
}

/// Explains the printed number, from the numbers alone.
fn reason(game: &Morris, cell: &Printed, truth: u64, all: &BTreeMap<(u32, u32), u64>) -> String {
    let Some((white, black)) = cell.pair else {
        if cell.placements == all.values().sum::<u64>() {
            return "the sum without exclusion: of all placements, pseudo-reachable or not".to_owned();
        }
        return "the sum of the printed cells, with the one that differs".to_owned();
    };
    if cell.placements == all[&(white, black)] {
        return "all placements, pseudo-reachable or not: the exclusion was not applied".to_owned();
    }
    if cell.placements == 2 * truth && white == black {
        return "doubled, as if the two colours had different counts".to_owned();
    }
    let everywhere = Morris::MEN.into_iter().flat_map(printed);
    let elsewhere = everywhere.filter(|other| other.placements == cell.placements && other.pair.is_some());
    let neighbour = |other: &Printed| other.table == cell.table || other.pair == cell.pair;
    if let Some(other) = elsewhere.filter(|other| *other != *cell).find(neighbour) {
        let (x, y) = other.pair.unwrap_or_default();
        return format!("the number of cell {x}-{y} of table {}", other.table);
    }
    let board = game.board();
    let ways = binomial(board.points, white) * binomial(board.points - white, black);
    let least = ways * if white == black { 1 } else { 2 } / board.symmetries.order() as u64;
    let (shown, true_digits) = (cell.placements.to_string(), truth.to_string());
    if shown.len() != true_digits.len() {
        return "a digit lost or added in print or in reading".to_owned();
    }
    if cell.placements < least && one_digit_apart(&shown, &true_digits) == Some(false) {
        return format!("no count up to symmetry: all placements divided by the symmetries are {least} already");
    }
    "a digit changed in print or in reading".to_owned()
}

fn one_digit_apart(one: &str, other: &str) -> Option<bool> {
    let apart = one.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count();
    (one.len() == other.len()).then_some(apart == 1)
}
