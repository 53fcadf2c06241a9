//! The solver of games that have only rules: lists all positions, then runs retrograde analysis.

use serde_json::json;

use super::counted::{counted_forecast, edges};
use super::mesh::Mesh;
use super::retrograde::{self, Graph, RulesGraph};
use super::shared_list::{self, SharedList};
use super::{
    AscendingKeys, CLASSES, Forecast, Job, RulesOnly, Solution, SolvedClass, Solver, VisitKeys, keys_file, plane_file,
};
use kanzen_core::index::{Listed, class_label};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Key};

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
pub(super) fn listed_solution<K: Key>(index: &Listed<K>) -> Solution {
    let mut solution = Solution::default();
    let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
    solution.settings.insert(CLASSES.into(), json!(numbers));
    solution.files = (0..numbers.len()).flat_map(|class| [plane_file(class), keys_file(class)]).collect();
    solution
}

/// The cost of listing a position, in the units of progress; later stages add theirs.
pub(super) const LIST_WORK: u64 = 8;

/// The list that an earlier run has kept, or a new one. Where the number of `positions` is known, the observer gets
/// the progress of the whole solve, which costs so much `work` for each of them when they are listed.
pub(super) fn list_or_resume<G: Game>(
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
