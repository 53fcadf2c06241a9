//! The solvers of games that have only rules: list all positions, then run retrograde analysis, or, for games with scores
//! that always end, backward induction.
//!
//! A plane holds values, not scores, so a score is written as a value of the same rank: the more discs, the quicker
//! the win. 10 is `win(LIMIT - 10)`, -10 is `loss(LIMIT - 10)`, 0 is a draw; the order of scores stays that of values.

use kanzen_core::index::{Listed, class_label};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Key, Outcome, Tally, Value};
use serde_json::json;

use super::counted::{counted_forecast, edges};
use super::mesh::Mesh;
use super::retrograde::{self, Graph, RulesGraph};
use super::shared_list::{self, SharedList};
use super::{
    AscendingKeys, CLASSES, Forecast, Job, Solution, SolvedClass, Solver, VisitKeys, keys_file, plane_file,
    scores_of_class,
};

/// Solves a game from its rules alone.
///
/// Memory goes to the packed list of keys, some bytes each; then for each position of the class at work four bytes and a
/// half for its state, two for each of earlier classes and, unless the game has un-moves, four more and four for
/// each move that is not settled at once.
#[derive(Default)]
pub struct RulesOnly {
    known: Option<Forecast>,
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
    known: Option<Forecast>,
}

impl Scored {
    /// A solver for a game of known cost.
    pub fn new(forecast: Forecast) -> Scored {
        Scored { known: Some(forecast) }
    }

    /// A solver for a game of unknown cost: see [`RulesOnly::counting`](RulesOnly::counting).
    pub fn counting() -> Scored {
        Scored::default()
    }
}

impl<G: Game> Solver<G> for RulesOnly {
    fn forecast(&self, game: &G) -> Forecast {
        self.known.unwrap_or_else(|| counted_forecast(game))
    }

    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error> {
        if let Some(mesh) = job.mesh() {
            return solve_shared(game, job, mesh);
        }
        let index = list_or_resume(game, job, self.known.and_then(|known| known.positions), retrograde::WORK_PER_SLOT)?;
        retrograde::solve(&with_tables(game, &index, job)?, job)?;
        solution_of(game, job, &index, |class| index.keys(class).len())
    }

    /// Tables of positions are made where memory allows; a game whose forecast includes them also solves without.
    fn least_memory(&self, _: &G) -> Option<u64> {
        self.known.map(|known| known.memory_bytes)
    }

    fn shares(&self) -> bool {
        true
    }
}

/// What to solve, with tables of positions as far as the memory has room for them.
fn with_tables<'a, G: Game>(game: &'a G, index: &'a Listed<G::Key>, job: &Job<'_>) -> Result<RulesGraph<'a, G>, Error> {
    let graph = RulesGraph::new(game, index);
    let words = (0..graph.classes()).map(|class| retrograde::forecast_class(&graph, class)).max().unwrap_or(0);
    // Stored parents take four bytes each, and their number is only estimated: a quarter is added.
    let parents = if graph.generates_parents(0) { 0 } else { 4 * index.positions() + 5 * edges(game, index) };
    graph.with_tables(job, words + parents)
}

/// The solution of a game whose planes are finished, in a folder that has them.
fn solution_of<G: Game>(
    game: &G,
    job: &Job<'_>,
    index: &Listed<G::Key>,
    slots: impl Fn(usize) -> u64,
) -> Result<Solution, Error> {
    let mut solution = listed_solution(index);
    for (class, (number, _)) in index.classes().iter().enumerate() {
        let tally = job.install(|| job.store.tally(&plane_file(class)))?;
        solution.classes.push(SolvedClass { label: class_label(game, *number), slots: slots(class), tally });
    }
    Ok(solution)
}

/// The same by several processes, each with a share of the positions. Only the first has a solution.
fn solve_shared<G: Game>(game: &G, job: &Job<'_>, mesh: &dyn Mesh) -> Result<Solution, Error> {
    let list = match kept_classes(job, mesh)? {
        Some(numbers) => job.install(|| shared_list::read(job, mesh, &numbers))?,
        None => job.install(|| list_shared(game, job, mesh))?,
    };
    let SharedList { index, keys } = &list;
    job.ahead((LIST_WORK + retrograde::WORK_PER_SLOT) * index.positions());
    job.kept(LIST_WORK * index.positions());
    retrograde::solve(&RulesGraph::of_share(game, index, keys), job)?;
    match mesh.me() {
        0 => solution_of(game, job, index, |class| keys.slots(class)),
        _ => Ok(Solution::default()),
    }
}

/// The numbers of the classes whose keys an earlier run has left with the first process.
fn kept_classes(job: &Job<'_>, mesh: &dyn Mesh) -> Result<Option<Vec<u32>>, Error> {
    let here = if mesh.me() == 0 { job.store.get(CLASSES)?.unwrap_or_default() } else { Vec::new() };
    let said = mesh.all_gather(&here)?;
    Ok(serde_json::from_slice(&said[0]).ok())
}

/// Lists the positions by all processes, and keeps the list, the class numbers last.
fn list_shared<G: Game>(game: &G, job: &Job<'_>, mesh: &dyn Mesh) -> Result<SharedList<G::Key>, Error> {
    let list = shared_list::list(game, job, mesh)?;
    let classes = list.index.classes();
    (0..classes.len()).try_for_each(|class| shared_list::write(job, mesh, &list, class))?;
    if mesh.me() == 0 {
        let numbers: Vec<u32> = classes.iter().map(|(number, _)| *number).collect();
        job.store.put(CLASSES, json!(numbers).to_string().as_bytes())?;
    }
    Ok(list)
}

/// The settings and files of a database of listed positions; the classes are still to be counted.
fn listed_solution<K: Key>(index: &Listed<K>) -> Solution {
    let mut solution = Solution::default();
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    solution.settings.insert(CLASSES.into(), json!(numbers));
    solution.files = (0..numbers.len()).flat_map(|class| [plane_file(class), keys_file(class)]).collect();
    solution
}

/// The cost of listing a position, in the units of progress; later stages add theirs.
const LIST_WORK: u64 = 8;

/// The list that an earlier run has kept, or a new one. Where the number of `positions` is known, the observer gets
/// the progress of the whole solve, which costs so much `work` for each of them when they are listed.
fn list_or_resume<G: Game>(
    game: &G,
    job: &Job<'_>,
    positions: Option<u64>,
    work: u64,
) -> Result<Listed<G::Key>, Error> {
    let list = || {
        if let Some(positions) = positions {
            job.ahead((LIST_WORK + work) * positions);
            job.part(LIST_WORK * positions, positions);
        }
        list(game, job)
    };
    match kept(job) {
        Ok(Some(index)) => {
            job.ahead((LIST_WORK + work) * index.positions());
            job.kept(LIST_WORK * index.positions());
            Ok(index)
        }
        Ok(None) => list(),
        Err(loss) if loss.is_loss() => {
            job.note(&format!("{loss}: positions are listed again"));
            list()
        }
        Err(error) => Err(error),
    }
}

/// Lists the positions and keeps the list, the class numbers last.
fn list<G: Game>(game: &G, job: &Job<'_>) -> Result<Listed<G::Key>, Error> {
    let index = job.install(|| Listed::list(game, job.ledger(), job.observer()))?;
    for (class, (_, keys)) in index.classes().iter().enumerate() {
        let fill = |first: u64, to: &mut [u128]| {
            let mut to = to.iter_mut();
            keys.visit(first..first + to.len() as u64, |key| {
                if let Some(to) = to.next() {
                    *to = key.wide();
                }
            });
        };
        let keys = AscendingKeys { width: size_of::<G::Key>(), len: keys.len(), fill: &fill };
        job.install(|| job.store.put_keys(&keys_file(class), &keys))?;
    }
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    job.store.put(CLASSES, json!(numbers).to_string().as_bytes())?;
    Ok(index)
}

fn kept<K: Key>(job: &Job<'_>) -> Result<Option<Listed<K>>, Error> {
    let Some(bytes) = job.store.get(CLASSES)? else { return Ok(None) };
    let Ok(numbers) = serde_json::from_slice::<Vec<u32>>(&bytes) else { return Ok(None) };
    let read = |class: usize, visit: &mut VisitKeys<'_>| job.store.get_keys(&keys_file(class), size_of::<K>(), visit);
    job.install(|| Listed::read(&numbers, job.ledger(), read)).map(Some)
}

/// What the scores of a position cost, beside listing it ([`LIST_WORK`]).
const SCORE_WORK: u64 = 4;

impl<G: Game> Solver<G> for Scored {
    fn forecast(&self, game: &G) -> Forecast {
        self.known.unwrap_or_else(|| counted_forecast(game))
    }

    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error> {
        let index = list_or_resume(game, job, self.known.and_then(|known| known.positions), SCORE_WORK)?;
        job.ahead(SCORE_WORK * index.positions());
        job.part(SCORE_WORK * index.positions(), index.positions());
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
