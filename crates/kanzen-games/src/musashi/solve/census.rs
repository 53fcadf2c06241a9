//! How many positions are won and lost, by number of brown pieces and level.

use kanzen::solve::SolvedClass;
use kanzen::{Census, Tally, Value};
use serde_json::{Map, Value as Json};

use super::orbits::placements;
use super::rounds::Round;
use crate::musashi::board::Board;
use crate::musashi::index::census_label as label;

/// Levels in a row of the published tables, from 0.
const LEVELS: u16 = 69;

/// A class for each number of brown pieces and side to move, from what each round counted.
pub fn classes(board: &Board, rounds: &[Round]) -> Vec<SolvedClass> {
    let mut classes = Vec::new();
    for (brown, slots) in placements(board).into_iter().enumerate() {
        let (mut lost, mut won) = (Tally::default(), Tally::default());
        let (mut lost_before, mut won_before) = (0, 0);
        for (number, round) in (0u16..).zip(rounds) {
            lost.add(Value::loss(2 * number), round.lost[brown] - lost_before);
            won.add(Value::win(2 * number + 1), round.won[brown] - won_before);
            (lost_before, won_before) = (round.lost[brown], round.won[brown]);
        }
        lost.add(Value::UNTIMED_WIN, slots - lost_before);
        won.add(Value::UNTIMED_LOSS, slots - won_before);
        classes.push(SolvedClass { label: label(brown, "black"), slots, tally: lost });
        classes.push(SolvedClass { label: label(brown, "brown"), slots, tally: won });
    }
    classes
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
