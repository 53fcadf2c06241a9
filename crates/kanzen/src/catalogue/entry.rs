//! A game of the catalogue: its rules, and every operation on its data folder.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Map;

use super::{
    ClassCount, GameInfo, GameOption, Given, Layer, PositionCount, Provenance, Reach, Reader, RecordedRun, Solved,
    State, Summary, Variants, Verdict,
};
use crate::index::{Listed, PackedKeys, class_label, layers};
use crate::machine::{self, parallel};
use crate::query::{Opener, Oracle, Weak};
use crate::rules::Board;
use crate::solve::{Counting, Forecast, Job, Recorded, Solution, Solver};
use crate::store::{Database, Edition, Manifest, VfsPath, WorkFolder};
use crate::vocabulary::mesh::Mesh;
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Budget, Error, Ledger, Tally};

/// How to run a solve.
pub struct Run<'a> {
    /// Threads and memory.
    pub budget: Budget,
    /// How often a checkpoint is written.
    pub checkpoint_every: Duration,
    /// Gets progress events, and may stop the solve.
    pub observer: &'a dyn Observer,
}

/// A game of the catalogue: what a [`Reader`] is, and how the game is solved.
///
/// It is made of any [`Board`](crate::Board), a [`Solver`] that solves it and an [`Opener`] that reads its database.
pub struct Entry {
    reader: Reader,
    solver: Erased,
    recorded: Option<Recorded>,
    run: Option<RecordedRun>,
    forecast: OnceLock<Forecast>,
    variants: Option<Variants>,
    counts: Option<(&'static GameOption, Box<OwnCount>)>,
    reaches: Option<(&'static GameOption, Box<OwnReach>)>,
}

/// Counts what a game counts instead of its positions.
pub type OwnCount = dyn Fn(&Given, &Budget, &dyn Observer) -> Result<PositionCount, Error> + Send + Sync;
/// Counts a game's positions by fewest plies, up to so many, by code of its own.
pub type OwnReach = dyn Fn(Option<u32>, &Given, &Budget, &dyn Observer) -> Result<Vec<Layer>, Error> + Send + Sync;

/// A solver and its game, without their types.
#[expect(clippy::type_complexity, reason = "each type of a closure is written once")]
struct Erased {
    forecast: Box<dyn Fn() -> Forecast + Send + Sync>,
    least_memory: Box<dyn Fn() -> Option<u64> + Send + Sync>,
    counting: Counting,
    shares: bool,
    solve: Box<dyn Fn(&Job<'_>) -> Result<Solution, Error> + Send + Sync>,
    unsolved: Box<dyn Fn(&str) -> Option<Box<dyn Oracle>> + Send + Sync>,
    count: Box<dyn Fn(&Ledger, &dyn Observer) -> Result<Vec<ClassCount>, Error> + Send + Sync>,
    reach: Box<dyn Fn(Option<u32>, &Ledger, &dyn Observer) -> Result<Vec<u64>, Error> + Send + Sync>,
}

impl Erased {
    fn new<G, S>(game: &Arc<G>, solver: &Arc<S>) -> Erased
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let both = || (game.clone(), solver.clone());
        let (forecast, least, solving, unsolved) = (both(), both(), both(), both());
        let (counted, reached) = (game.clone(), game.clone());
        Erased {
            forecast: Box::new(move || forecast.1.forecast(&forecast.0)),
            least_memory: Box::new(move || least.1.least_memory(&least.0)),
            counting: solver.counting(),
            shares: solver.shares(),
            solve: Box::new(move |job| solving.1.solve(&solving.0, job)),
            unsolved: Box::new(move |id| unsolved.1.unsolved(&unsolved.0, id)),
            count: Box::new(move |ledger, observer| {
                let index = Listed::list(&*counted, ledger, observer)?;
                let class = |(number, keys): &(u32, PackedKeys<G::Key>)| ClassCount {
                    class: class_label(&*counted, *number),
                    positions: keys.len(),
                };
                Ok(index.classes().iter().map(class).collect())
            }),
            reach: Box::new(move |depth, ledger, observer| layers(&*reached, depth, ledger, observer)),
        }
    }
}

/// An entry can do what its reader can.
impl Deref for Entry {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl Entry {
    /// An entry for a game.
    pub fn new<G, S>(info: GameInfo, game: G, solver: S) -> Entry
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (game, solver) = (Arc::new(game), Arc::new(solver));
        let (reader, solver) = (Reader::shared(info, &game, &solver), Erased::new(&game, &solver));
        let forecast = OnceLock::new();
        Entry { reader, solver, recorded: None, run: None, forecast, variants: None, counts: None, reaches: None }
    }

    /// The same with an option that selects variants of the game.
    pub fn with_variants(self, variants: Variants) -> Entry {
        Entry { variants: Some(variants), ..self }
    }

    /// The same with a count of its own, and an option of it.
    pub fn with_count(self, option: &'static GameOption, count: Box<OwnCount>) -> Entry {
        Entry { counts: Some((option, count)), ..self }
    }

    /// The same with a search of its own for positions by fewest plies, and an option of it.
    pub fn with_reach(self, option: &'static GameOption, reach: Box<OwnReach>) -> Entry {
        Entry { reaches: Some((option, reach)), ..self }
    }

    /// What a complete run of this game was recorded to cost, where there was one: the solver's own forecast, which is
    /// made of a few numbers, gives way to it.
    pub fn recorded(self, recorded: Option<Recorded>) -> Entry {
        Entry { recorded, ..self }
    }

    /// The recorded run itself, for those who cite a database that counts the same.
    pub fn recorded_run(self, run: Option<RecordedRun>) -> Entry {
        Entry { run, ..self }
    }

    fn id(&self) -> &str {
        &self.info().id
    }

    fn database(&self, data: impl Into<VfsPath>) -> Result<Database, Error> {
        Database::open_with(data, self.id(), || self.fingerprint())
    }

    /// What solving it will cost, on the machine of the recorded runs: [`Forecast::here`] converts it for this one. The
    /// first time it may take some work.
    pub fn forecast(&self) -> Forecast {
        *self.forecast.get_or_init(|| {
            let forecast = (self.solver.forecast)();
            self.recorded.map_or(forecast, |recorded| forecast.after(recorded))
        })
    }

    /// The least memory that solving it can do with.
    pub fn least_memory(&self) -> u64 {
        (self.solver.least_memory)().unwrap_or_else(|| self.forecast().memory_bytes)
    }

    /// Which positions the forecast counts.
    pub fn counting(&self) -> Counting {
        self.solver.counting
    }

    /// The options that the game declares.
    pub fn options(&self) -> impl Iterator<Item = &'static GameOption> + '_ {
        let counts = self.counts.iter().map(|(option, _)| *option);
        let reaches = self.reaches.iter().map(|(option, _)| *option);
        self.variants.iter().map(|variants| variants.option).chain(counts).chain(reaches)
    }

    /// The name of the variant that a value of an option selects; nothing if the option does not select variants.
    pub fn variant(&self, option: &str, value: &str) -> Result<Option<String>, Error> {
        let variants = self.variants.iter().find(|variants| variants.option.name == option);
        variants.map(|variants| variants.name(self.id(), value).map(str::to_owned)).transpose()
    }

    /// Counts its positions by its rules, class by class, without solving anything; or what the game counts itself.
    pub fn count(&self, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error> {
        self.count_given(&Given::default(), budget, observer)
    }

    /// The same with options of the game.
    pub fn count_given(&self, given: &Given, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error> {
        if let Some((_, count)) = &self.counts {
            return count(given, budget, observer);
        }
        let ledger = Ledger::new(*budget);
        let pool = machine::pool(budget.threads)?;
        let classes = parallel::install(&pool, || (self.solver.count)(&ledger, observer))?;
        Ok(PositionCount::of(self.id(), &classes))
    }

    /// Counts its positions by fewest plies from the initial one, by its rules or by code of its own, up to so many plies.
    pub fn reach(&self, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reach, Error> {
        self.reach_given(depth, &Given::default(), budget, observer)
    }

    /// The same with options of the game.
    pub fn reach_given(
        &self,
        depth: Option<u32>,
        given: &Given,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Reach, Error> {
        if let Some((_, reach)) = &self.reaches {
            let layers = reach(depth, given, budget, observer)?;
            return Ok(Reach { game: self.id().to_owned(), layers });
        }
        let ledger = Ledger::new(*budget);
        let pool = machine::pool(budget.threads)?;
        let found = parallel::install(&pool, || (self.solver.reach)(depth, &ledger, observer))?;
        let layer = |(plies, positions)| Layer { plies, positions, more: Map::new() };
        Ok(Reach { game: self.id().to_owned(), layers: (0..).zip(found).map(layer).collect() })
    }

    /// What the data folder has of it.
    pub fn state(&self, data: &Path) -> State {
        match self.database(data) {
            Ok(_) => State::Solved,
            Err(Error::NotSolved { .. }) if WorkFolder::is_there(data, self.id()) => State::Unfinished,
            Err(Error::NotSolved { .. }) => State::Unsolved,
            Err(_) => State::Refused,
        }
    }

    /// What a database in the data folder records in short.
    pub fn summary(&self, data: &Path) -> Result<Summary, Error> {
        let database = self.database(data)?;
        let data_bytes = database.folder().folder_bytes()?;
        let solved = self.opened(database)?;
        let initial = solved.verdict()?;
        Ok(Summary { initial, data_bytes, weak: solved.weak()? })
    }

    /// Whether the data folder holds its database, whole and of these rules.
    pub fn is_solved(&self, data: impl Into<VfsPath>) -> bool {
        self.database(data).is_ok()
    }

    /// Which database the data folder holds now; nothing if it holds none. Another one in its place has another edition.
    pub fn edition(&self, data: &Path) -> Option<Edition> {
        Edition::of(data, self.id())
    }

    /// Which database that is, for those who cite it: its rules, and a checksum of all of it.
    pub fn provenance(&self, data: &Path) -> Result<Provenance, Error> {
        let provenance = Provenance::read(data, self.id())?;
        let Some(run) = &self.run else { return Ok(provenance) };
        let stats = self.open(data)?.stats()?;
        // A record of other counts is that of another database.
        let same = run.counts == [stats.positions, stats.wins, stats.losses, stats.draws];
        Ok(Provenance { run: same.then(|| run.clone()), ..provenance })
    }

    /// Solves it into the data folder, going on where an earlier solve stopped. Solved already, it is only reported.
    pub fn solve(&self, data: impl Into<VfsPath>, run: &Run<'_>) -> Result<SolveReport, Error> {
        let data = &data.into();
        let start = Instant::now();
        let (database, elapsed, reserved) = match self.database(data) {
            Err(Error::NotSolved { .. }) => self.solve_anew(data, run, None)?,
            found => (found?, Duration::ZERO, None),
        };
        // This run, opening and counting included, or all of them.
        let mut report = self.report(run, database, 0.0, reserved)?;
        report.seconds = start.elapsed().max(elapsed).as_secs_f64();
        Ok(report)
    }

    /// Solves it together with other processes, each of which calls this. The database appears in the data folder of the
    /// first; the report is the first one's too. An error if its solver works alone.
    pub fn solve_together(
        &self,
        data: impl Into<VfsPath>,
        run: &Run<'_>,
        mesh: &dyn Mesh,
    ) -> Result<Option<SolveReport>, Error> {
        let data = &data.into();
        let start = Instant::now();
        if !self.solver.shares {
            let game = self.id();
            return Err(Error::BadRequest(format!(
                "{game} cannot be solved by several processes: its solver works alone"
            )));
        }
        if mesh.me() > 0 {
            // The first one announces whether there is anything to do, when it has its folder.
            if mesh.all_gather(&[])?[0] == [1] {
                let work = WorkFolder::open_shard(data, self.id(), self.fingerprint()?, mesh.me())?;
                self.work_in(&work, run, Some(mesh))?;
                mesh.all_reduce_min([1])?;
                work.close_shard()?;
            }
            return Ok(None);
        }
        let (database, elapsed, reserved) = match self.database(data) {
            Err(Error::NotSolved { .. }) => {
                let solved = self.solve_anew(data, run, Some(mesh))?;
                if solved.2.is_some() {
                    // Now that the database is there, the others may clear up.
                    mesh.all_reduce_min([1])?;
                }
                solved
            }
            found => {
                let found = found?;
                mesh.all_gather(&[0])?;
                (found, Duration::ZERO, None)
            }
        };
        let mut report = self.report(run, database, 0.0, reserved)?;
        report.seconds = start.elapsed().max(elapsed).as_secs_f64();
        Ok(Some(report))
    }

    /// Opens its database.
    pub fn open(&self, data: impl Into<VfsPath>) -> Result<Solved, Error> {
        self.opened(self.database(data)?)
    }

    /// Answers without a database, where positions near the end are searched for as they are asked; nothing for a game
    /// that has to be solved first. How near is near enough is up to
    /// [`SolvedPosition::effort`](super::SolvedPosition::effort).
    pub fn unsolved(&self) -> Option<Solved> {
        (self.solver.unsolved)(self.id()).map(|oracle| self.solved(oracle))
    }

    /// The database, how long it took with all earlier runs, and how much memory the solver reserved for it.
    fn solve_anew(
        &self,
        data: &VfsPath,
        run: &Run<'_>,
        mesh: Option<&dyn Mesh>,
    ) -> Result<(Database, Duration, Option<u64>), Error> {
        let forecast = self.forecast();
        if mesh.is_none() {
            forecast.check_memory(self.id(), self.least_memory(), &run.budget)?;
        }
        let work = match WorkFolder::open_or_create(data, self.id(), self.fingerprint()?) {
            // A killed solve lacked only its last steps, and now has them.
            Err(Error::AlreadySolved { .. }) => {
                if let Some(mesh) = mesh {
                    mesh.all_gather(&[0])?;
                }
                return Ok((self.database(data)?, Duration::ZERO, None));
            }
            work => work?,
        };
        work.check_room(forecast.disk_bytes)?;
        if let Some(mesh) = mesh {
            mesh.all_gather(&[1])?;
        }
        let (solution, elapsed, reserved) = self.work_in(&work, run, mesh)?;
        let manifest = Manifest::of(&work, solution)?;
        Ok((work.finish(&manifest)?, elapsed, Some(reserved)))
    }

    /// Solves the game in a folder. Returns how long it took with all earlier runs, and how much memory was reserved.
    fn work_in(
        &self,
        work: &WorkFolder,
        run: &Run<'_>,
        mesh: Option<&dyn Mesh>,
    ) -> Result<(Solution, Duration, u64), Error> {
        let job = Job::new(work, run.budget, run.observer)?.checkpoint_every(run.checkpoint_every).with_mesh(mesh);
        let solution = (self.solver.solve)(&job);
        for loss in work.take_losses() {
            job.note(&format!("{loss}: its work is done again"));
        }
        if solution.is_err() {
            // The first error matters more than this one.
            job.keep_time().ok();
        }
        Ok((solution?, job.elapsed(), job.ledger().most()))
    }

    /// Returns the report of a database that was solved in this time.
    fn report(
        &self,
        run: &Run<'_>,
        database: Database,
        seconds: f64,
        reserved_bytes: Option<u64>,
    ) -> Result<SolveReport, Error> {
        database.tidy()?;
        let data_bytes = database.folder().folder_bytes()?;
        let solved = self.opened(database)?;
        let tally = solved.census()?.total();
        Ok(SolveReport {
            game: self.id().to_owned(),
            positions: tally.positions(),
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws(),
            initial: solved.verdict()?,
            weak: solved.weak()?,
            longest: LongestDistance::of(&tally),
            seconds,
            threads: run.budget.threads,
            peak_rss_bytes: machine::peak_memory(),
            reserved_bytes,
            data_bytes,
        })
    }
}

/// What `solve` reports at the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolveReport {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// Positions, up to the symmetries of the published table.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// The value of the initial position.
    pub initial: Verdict,
    /// What is known where not every position is solved: then the counts are those of the stored line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak: Option<Weak>,
    /// The longest distance, and how many positions have it.
    pub longest: Option<LongestDistance>,
    /// How long it took, with all runs that were stopped on the way.
    pub seconds: f64,
    /// On how many threads.
    pub threads: usize,
    /// The most memory this process held.
    pub peak_rss_bytes: Option<u64>,
    /// The most memory that the solver had reserved at a time; nothing if the game was solved before.
    #[serde(skip)]
    pub reserved_bytes: Option<u64>,
    /// The size of the database.
    pub data_bytes: u64,
}

/// The positions furthest from the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LongestDistance {
    /// Plies to the end of the game.
    pub distance: u16,
    /// How many there are.
    pub positions: u64,
}

impl LongestDistance {
    /// The longest distance of a tally.
    pub fn of(tally: &Tally) -> Option<LongestDistance> {
        tally.longest().map(|(distance, positions)| LongestDistance { distance, positions })
    }
}
