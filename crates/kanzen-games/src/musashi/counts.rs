//! How many positions there are up to symmetry, and the census in the layout of the published tables.

use kanzen::index::sets_kept;
use kanzen::{Census, Value};
use serde_json::{Map, Value as Json};

use super::board::Board;
use super::index::census_label as label;

/// Levels in a row of the published tables, from 0.
const LEVELS: u16 = 69;

/// All positions with one side to move, up to symmetry, by number of brown pieces.
pub fn placements(board: &Board) -> Vec<u64> {
    let mut all = vec![0u64; board.points()];
    let group = board.symmetries().len() as u64;
    for symmetry in board.symmetries() {
        for black in (0..board.points() as u8).filter(|&p| symmetry[usize::from(p)] == p) {
            let ways = sets_kept(symmetry, !(1 << black), board.points() as u32 - 1);
            all.iter_mut().zip(ways).for_each(|(all, ways)| *all += ways);
        }
    }
    all.iter().map(|count| count / group).collect()
}

/// All positions of a board, both sides to move, up to its symmetries.
///
/// ```
/// use kanzen_games::musashi::{Board, positions};
/// assert_eq!(positions(&Board::of_points(25).unwrap()), 104_940_576);
/// ```
pub fn positions(board: &Board) -> u64 {
    2 * placements(board).iter().sum::<u64>()
}

/// What the classes are called, and how many positions each has.
pub fn expected(board: &Board) -> Vec<(Map<String, Json>, u64)> {
    let of = |(brown, slots): (usize, u64)| ["black", "brown"].map(|to_move| (label(brown, to_move), slots));
    placements(board).into_iter().enumerate().flat_map(of).collect()
}

/// The layout of the published tables: a row for each number of brown pieces with that number, positions that black to
/// move does not lose, positions that brown to move does not win, and positions at level 0, 1, 2, ...; even levels have
/// black to move.
pub fn csv(board: &Board, census: &Census) -> String {
    let mut csv = String::new();
    for brown in 0..board.points() {
        let of = |to_move: &str| {
            let wanted = label(brown, to_move);
            census
                .classes
                .iter()
                .find(|(label, _)| *label == wanted)
                .map(|(_, tally)| tally.clone())
                .unwrap_or_default()
        };
        let (black, brown_to_move) = (of("black"), of("brown"));
        csv += &format!("{brown},{},{}", black.of(Value::UNTIMED_WIN), brown_to_move.of(Value::UNTIMED_LOSS));
        for level in 0..LEVELS {
            let positions =
                if level % 2 == 0 { black.of(Value::loss(level)) } else { brown_to_move.of(Value::win(level)) };
            csv += &format!(",{positions}");
        }
        csv.push('\n');
    }
    csv
}
