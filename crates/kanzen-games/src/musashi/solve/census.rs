//! How many positions are won and lost, by number of brown pieces and level.

use kanzen::solve::SolvedClass;
use kanzen::{Tally, Value};

use super::rounds::Round;
use crate::musashi::board::Board;
use crate::musashi::counts::placements;
use crate::musashi::index::census_label as label;

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
