//! The solver of games that bring rules only: list all positions, go back from the ends.

use serde_json::json;

use super::retrograde::{self, RulesGraph};
use super::{CLASSES, Forecast, Job, Solution, SolvedClass, Solver, keys_file, plane_file};
use crate::index::{Listed, class_label};
use crate::rules::Game;
use crate::vocabulary::{Error, Key};

/// Solves a game from its rules alone.
///
/// Memory goes to the list of keys (twice while it grows), then for each position six bytes that find its key and four
/// for its state and, unless the game tells its un-moves, four more and four for each move that is not settled at once.
pub struct RulesOnly {
    forecast: Forecast,
}

impl RulesOnly {
    /// A solver for a game of which somebody knows what it costs.
    pub fn new(forecast: Forecast) -> RulesOnly {
        RulesOnly { forecast }
    }
}

impl<G: Game> Solver<G> for RulesOnly {
    fn forecast(&self, _: &G) -> Forecast {
        self.forecast
    }

    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error> {
        let index = list_or_resume(game, job)?;
        retrograde::solve(&RulesGraph::new(game, &index), job)?;
        let mut solution = listed_solution(&index);
        for (class, (number, keys)) in index.classes().iter().enumerate() {
            let tally = job.install(|| job.store.tally(&plane_file(class)))?;
            solution.classes.push(SolvedClass { label: class_label(game, *number), slots: keys.len(), tally });
        }
        Ok(solution)
    }
}

/// The settings and files of a database of listed positions; the classes are still to be counted.
pub(super) fn listed_solution<K: Key>(index: &Listed<K>) -> Solution {
    let mut solution = Solution::default();
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    solution.settings.insert(CLASSES.into(), json!(numbers));
    solution.files = (0..numbers.len()).flat_map(|class| [plane_file(class), keys_file(class)]).collect();
    solution
}

/// The list that an earlier run has kept, or a new one.
pub(super) fn list_or_resume<G: Game>(game: &G, job: &Job<'_>) -> Result<Listed<G::Key>, Error> {
    match kept(job) {
        Ok(Some(index)) => Ok(index),
        Ok(None) => list(game, job),
        Err(loss) if loss.is_loss() => {
            job.note(&format!("{loss}: positions are listed again"));
            list(game, job)
        }
        Err(error) => Err(error),
    }
}

/// Lists the positions and keeps the list, the class numbers last.
fn list<G: Game>(game: &G, job: &Job<'_>) -> Result<Listed<G::Key>, Error> {
    let index = job.install(|| Listed::list(game, job.ledger(), job.observer()))?;
    for (class, (_, keys)) in index.classes().iter().enumerate() {
        job.install(|| job.store.put_keys(&keys_file(class), G::Key::slice(keys.as_slice())))?;
    }
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    job.store.put(CLASSES, json!(numbers).to_string().as_bytes())?;
    Ok(index)
}

fn kept<K: Key>(job: &Job<'_>) -> Result<Option<Listed<K>>, Error> {
    let Some(bytes) = job.store.get(CLASSES)? else { return Ok(None) };
    let Ok(numbers) = serde_json::from_slice::<Vec<u32>>(&bytes) else { return Ok(None) };
    let mut classes = Vec::new();
    for (class, number) in numbers.into_iter().enumerate() {
        let keys = job.install(|| job.store.get_keys(&keys_file(class), size_of::<K>()))?;
        let Some(keys) = K::list(keys) else { return Ok(None) };
        classes.push((number, keys));
    }
    job.install(|| Listed::from_classes(classes, job.ledger())).map(Some)
}
