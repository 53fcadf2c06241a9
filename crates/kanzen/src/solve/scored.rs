//! The solver of games that bring rules with scores and always end: list all positions, go back from the ends.
//!
//! A plane holds values, not scores, so a score is written as a value of the same rank: the more discs, the quicker
//! the win. 10 is `win(LIMIT - 10)`, -10 is `loss(LIMIT - 10)`, 0 is a draw; the order of scores stays that of values.

use serde_json::json;

use super::counted::counted_forecast;
use super::rules_only::{list_or_resume, listed_solution};
use super::{Forecast, Job, Solution, SolvedClass, Solver, plane_file, scores_of_class};
use crate::index::class_label;
use crate::rules::Game;
use crate::vocabulary::{Error, Outcome, Tally, Value};

/// Solves a game with scores ([`Game::final_score`]) from its rules alone.
#[derive(Default)]
pub struct Scored {
    known: Option<Forecast>,
}

impl Scored {
    /// A solver for a game of which somebody knows what it costs.
    pub fn new(forecast: Forecast) -> Scored {
        Scored { known: Some(forecast) }
    }

    /// A solver for a game that nobody has solved yet: see [`RulesOnly::counting`](super::RulesOnly::counting).
    pub fn counting() -> Scored {
        Scored::default()
    }
}

/// What the scores of a position cost, beside listing it ([`LIST_WORK`](super::rules_only::LIST_WORK)).
const WORK: u64 = 4;

/// The greatest score that can be stored.
const LIMIT: i16 = 1000;

/// The value whose rank is that of a score; nothing for a score beyond the limit.
fn value_of(score: i16) -> Option<Value> {
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
/// use kanzen::{Value, solve::score_of_value};
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

impl<G: Game> Solver<G> for Scored {
    fn forecast(&self, game: &G) -> Forecast {
        self.known.unwrap_or_else(|| counted_forecast(game))
    }

    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error> {
        let index = list_or_resume(game, job, self.known.and_then(|known| known.positions), WORK)?;
        job.ahead(WORK * index.positions());
        job.part(WORK * index.positions(), index.positions());
        job.stage("scores", Some(index.positions()));
        let _scores = job.reserve("the scores", 2 * index.positions())?;
        let mut solution = listed_solution(&index);
        solution.settings.insert("score_limit".into(), json!(LIMIT));
        let mut scores: Vec<Vec<i16>> = Vec::new();
        for (class, (number, keys)) in index.classes().iter().enumerate() {
            let of_class = job.install(|| scores_of_class(game, &index, class, &scores))?;
            let mut tally = Tally::default();
            of_class.iter().for_each(|&score| tally.add(Value::of_score(score), 1));
            if let Some(score) = of_class.iter().find(|&&score| value_of(score).is_none()) {
                return Err(Error::Rules(format!("a score of {score}: at most {LIMIT} can be stored")));
            }
            let value = |slot: u64| value_of(of_class[slot as usize]).unwrap_or(Value::DRAW);
            job.install(|| job.store.put_plane(&plane_file(class), keys.len(), &value, &|slots| job.steps(slots)))?;
            solution.classes.push(SolvedClass { label: class_label(game, *number), slots: keys.len(), tally });
            scores.push(of_class);
        }
        Ok(solution)
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
