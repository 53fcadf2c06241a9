//! The two ways to solve a game by its rules alone, as a catalogue names them: their solvers and readers are in
//! other modules.
//!
//! A plane holds values, not scores, so a score is written as a value of the same rank: the more discs, the quicker
//! the win. 10 is `win(LIMIT - 10)`, -10 is `loss(LIMIT - 10)`, 0 is a draw; the order of scores stays that of values.

use super::Forecast;
use kanzen_core::vocabulary::{Outcome, Value};

/// Solves a game from its rules alone.
///
/// Memory goes to the packed list of keys, some bytes each; then for each position of the class at work four bytes and a
/// half for its state, two for each of earlier classes and, unless the game has un-moves, four more and four for
/// each move that is not settled at once.
#[derive(Default)]
pub struct RulesOnly {
    pub(super) known: Option<Forecast>,
}

impl RulesOnly {
    /// A solver for a game of known cost.
    pub fn new(forecast: Forecast) -> RulesOnly {
        RulesOnly { known: Some(forecast) }
    }

    /// A solver for a game of unknown cost: positions are counted before anything is forecast. If there are
    /// more than can be counted quickly, the forecast is unknown.
    pub fn counting() -> RulesOnly {
        RulesOnly::default()
    }
}

/// Solves a game with scores ([`Game::final_score`](kanzen_core::rules::Game::final_score)) from its rules alone.
#[derive(Default)]
pub struct Scored {
    pub(super) known: Option<Forecast>,
}

impl Scored {
    /// A solver for a game of known cost.
    pub fn new(forecast: Forecast) -> Scored {
        Scored { known: Some(forecast) }
    }

    /// A solver for a game of unknown cost: see [`RulesOnly::counting`](super::RulesOnly::counting).
    pub fn counting() -> Scored {
        Scored::default()
    }
}

/// The greatest score that can be stored.
pub(super) const LIMIT: i16 = 1000;

/// The value whose rank is that of a score; nothing for a score beyond the limit.
pub(super) fn value_of(score: i16) -> Option<Value> {
    let rest = LIMIT.checked_sub(score.checked_abs()?).and_then(|rest| u16::try_from(rest).ok())?;
    Some(match score {
        1.. => Value::win(rest),
        0 => Value::DRAW,
        _ => Value::loss(rest),
    })
}

/// The score that a stored value stands for.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_solve::score_of_value;
/// assert_eq!(score_of_value(Value::DRAW), 0);
/// assert!(score_of_value(Value::win(4)) > score_of_value(Value::win(9)));
/// ```
pub fn score_of_value(value: Value) -> i16 {
    let rest = value.distance().map_or(LIMIT, |plies| plies as i16);
    match value.outcome() {
        Outcome::Win => LIMIT - rest,
        Outcome::Draw => 0,
        Outcome::Loss => rest - LIMIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rank_as_their_scores_and_lead_back_to_them() {
        for score in -LIMIT..=LIMIT {
            let value = value_of(score).unwrap();
            assert_eq!(score_of_value(value), score);
            assert!(score == LIMIT || value < value_of(score + 1).unwrap());
        }
        assert_eq!(value_of(LIMIT + 1), None);
        assert_eq!(value_of(i16::MIN), None);
    }
}
