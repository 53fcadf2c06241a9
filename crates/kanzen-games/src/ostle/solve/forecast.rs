//! What solving Ostle costs, from how many boards there are with so many pieces.

use kanzen::solve::Forecast;

use crate::ostle::ko::Ko;
use crate::ostle::rules::Ostle;

/// Boards with 8, 9 and 10 pieces, up to symmetry, in millions and a little more.
const BOARDS: [u64; 3] = [161_100_000, 1_030_000_000, 1_544_500_000];

/// The cost of a game with at most so many pieces on the board, after the runs in `results/`, and its positions as they
/// were counted.
pub fn forecast(game: &Ostle) -> Forecast {
    let groups = &BOARDS[..(game.pieces().clamp(8, 10) - 7) as usize];
    let (boards, below) = (groups[groups.len() - 1], groups.iter().rev().nth(1).copied().unwrap_or(0));
    let all: u64 = groups.iter().sum();
    let with_more = all - groups[0];
    // Boards with more pieces lie further from the end, take longer and say more.
    let nanoseconds = match game.ko() {
        Ko::Literal => 230 * groups[0] + 570 * with_more,
        Ko::Symmetric => 290 * groups[0] + 840 * with_more,
    };
    let data_bytes = groups[0] / 2 + with_more * 18 / 25;
    let positions = match (game.pieces(), game.ko()) {
        (10, Ko::Literal) => Some(11_148_698_197),
        (10, Ko::Symmetric) => Some(11_148_725_918),
        _ => None,
    };
    Forecast {
        positions,
        seconds: nanoseconds as f64 / 1e9,
        // A word a board and what the blocks remember, and the levels of the boards below.
        memory_bytes: boards * 413 / 100 + below + (11 << 20),
        data_bytes,
        // A group in work keeps its checkpoint beside the classes that are finished.
        disk_bytes: data_bytes + boards * 17 / 10,
    }
}
