//! Computes covers: the fewest mill closings that a side needs for a set of pieces.
//!
//! Two mills closed by one piece take one enemy piece, so the fewest closings are the fewest points that touch every
//! complete mill. For any complete mill, one of its three points is among them:
//!
//! ```text
//!   cover(P) = 0 without a mill, else 1 + the least of cover(P - a), cover(P - b), cover(P - c)
//! ```
//!
//! P - a is a smaller mask than P, so one pass in ascending order fills the table.

use kanzen_core::index::points;

use kanzen_games::morris::Board;

/// Returns for each mask of points the fewest of its points that touch every complete mill.
pub fn cover_table(board: &Board) -> Vec<u8> {
    let mut table = vec![0u8; 1 << board.points];
    for pieces in 1..=board.all() {
        if let Some(mill) = board.lines().find(|mill| pieces & mill == *mill) {
            let least = points(mill).map(|point| table[(pieces ^ 1 << point) as usize]).min();
            table[pieces as usize] = 1 + least.expect("a mill has three points");
        }
    }
    table
}
