//! The solver of games that have only rules, with scores, and always end: lists all positions, then runs backward induction.

use serde_json::json;

use super::counted::counted_forecast;
use super::rules_only::{list_or_resume, listed_solution};
use super::ways::{LIMIT, value_of};
use super::{Forecast, Job, Scored, Solution, SolvedClass, Solver, plane_file, scores_of_class};
use kanzen_core::index::class_label;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Tally, Value};

/// What the scores of a position cost, beside listing it ([`LIST_WORK`](super::rules_only::LIST_WORK)).
const WORK: u64 = 4;

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
            let fill = |first: u64, codes: &mut [i16]| {
                for (code, &score) in codes.iter_mut().zip(&of_class[first as usize..]) {
                    *code = value_of(score).unwrap_or(Value::DRAW).code();
                }
            };
            job.install(|| job.store.put_plane(&plane_file(class), keys.len(), &fill, &|slots| job.steps(slots)))?;
            solution.classes.push(SolvedClass { label: class_label(game, *number), slots: keys.len(), tally });
            scores.push(of_class);
        }
        Ok(solution)
    }
}
