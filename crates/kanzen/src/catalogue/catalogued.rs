//! A game, the way it is solved and the way its database is read, together an entry.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::entry::LongestDistance;
use super::reading::{SolvedGame, read};
use super::{
    Answers, ClassCount, Entry, GameInfo, GameReader, Layer, Many, PositionCount, Provenance, Reach, Readable,
    RecordedRun, Rows, Run, SolveReport, Solved, State, Summary, Verdict,
};
use crate::index::{Listed, PackedKeys, class_label, layers};
use crate::machine;
use crate::query::find::{self, Explanation, Schema};
use crate::query::{
    self, AllPositions, Answer, Asked, Extent, Find, FindReport, LongestGames, Means, Moves, Opener, Puzzle, ScoreBar,
    Search, Stats, Verification, Weak, WithMoves,
};
use crate::rules::Game;
use crate::rules::view::View;
use crate::solve::{Counting, Forecast, Job, Recorded, Solution, SolveStore, Solver};
use crate::store::{Database, Files, Manifest, WorkFolder, folder_bytes};
use crate::vocabulary::mesh::Mesh;
use crate::vocabulary::progress::{Observer, Silent};
use crate::vocabulary::{Budget, Deadline, Error, Ledger};

/// A game of the catalogue: its rules, what solves it and opens its database, and what it is called.
pub struct Catalogued<G, S> {
    reader: GameReader<G, S>,
    recorded: Option<Recorded>,
    run: Option<RecordedRun>,
    forecast: OnceLock<Forecast>,
}

impl<G: Game + 'static, S: Solver<G> + Opener<G> + 'static> Catalogued<G, S> {
    /// An entry for a game.
    pub fn new(info: GameInfo, game: G, solver: S) -> Catalogued<G, S> {
        let reader = GameReader::new(info, game, solver);
        Catalogued { reader, recorded: None, run: None, forecast: OnceLock::new() }
    }

    /// What a complete run of this game was recorded to cost, where there was one: the solver's own forecast, which is
    /// made of a few numbers, gives way to it.
    pub fn recorded(self, recorded: Option<Recorded>) -> Catalogued<G, S> {
        Catalogued { recorded, ..self }
    }

    /// The recorded run itself, for those who cite a database that counts the same.
    pub fn recorded_run(self, run: Option<RecordedRun>) -> Catalogued<G, S> {
        Catalogued { run, ..self }
    }

    fn id(&self) -> &str {
        &self.reader.info.id
    }

    fn game(&self) -> &G {
        self.reader.game()
    }

    fn solver(&self) -> &S {
        &self.reader.parts.1
    }

    fn database(&self, data: &Path) -> Result<Database, Error> {
        Database::open_with(data, self.id(), || self.reader.own_fingerprint())
    }

    /// The database, how long it took with all earlier runs, and how much memory the solver reserved for it.
    fn solve_anew(
        &self,
        data: &Path,
        run: &Run<'_>,
        mesh: Option<&dyn Mesh>,
    ) -> Result<(Database, Duration, Option<u64>), Error> {
        let forecast = self.forecast();
        if mesh.is_none() {
            forecast.check_memory(self.id(), self.least_memory(), &run.budget)?;
        }
        let work = match WorkFolder::open_or_create(data, self.id(), self.reader.own_fingerprint()?) {
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

    /// Solves the game in a folder. Tells how long it took with all earlier runs, and how much memory was reserved.
    fn work_in(
        &self,
        work: &WorkFolder,
        run: &Run<'_>,
        mesh: Option<&dyn Mesh>,
    ) -> Result<(Solution, Duration, u64), Error> {
        let job = Job::new(work, run.budget, run.observer)?.checkpoint_every(run.checkpoint_every).with_mesh(mesh);
        let solution = self.solver().solve(self.game(), &job);
        for loss in work.take_losses() {
            job.note(&format!("{loss}: its work is done again"));
        }
        if solution.is_err() {
            // Beside what went wrong this is nothing to speak of.
            job.keep_time().ok();
        }
        Ok((solution?, job.elapsed(), job.ledger().most()))
    }

    /// What is to be said of a database that was solved in so long.
    fn report(
        &self,
        run: &Run<'_>,
        database: Database,
        seconds: f64,
        reserved_bytes: Option<u64>,
    ) -> Result<SolveReport, Error> {
        database.tidy()?;
        let data_bytes = folder_bytes(database.folder())?;
        let solved = self.reader.opened(database)?;
        let tally = solved.oracle.census()?.total();
        Ok(SolveReport {
            game: self.id().to_owned(),
            positions: tally.positions(),
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws(),
            initial: solved.verdict()?,
            weak: solved.weak(),
            longest: LongestDistance::of(&tally),
            seconds,
            threads: run.budget.threads,
            peak_rss_bytes: machine::peak_memory(),
            reserved_bytes,
            data_bytes,
        })
    }
}

/// What is read, the reader does.
impl<G: Game + 'static, S: Solver<G> + Opener<G> + 'static> Readable for Catalogued<G, S> {
    fn info(&self) -> &GameInfo {
        self.reader.info()
    }

    fn view(&self) -> View {
        self.reader.view()
    }

    fn initial(&self) -> String {
        self.reader.initial()
    }

    fn moves(&self, position: Option<&str>) -> Result<Moves, Error> {
        self.reader.moves(position)
    }

    fn open_files(&self, folder: &Path, manifest: Manifest, files: Box<dyn Files>) -> Result<Box<dyn Answers>, Error> {
        manifest.check(folder, self.id(), self.reader.own_fingerprint()?)?;
        self.reader.open_files(folder, manifest, files)
    }
}

impl<G: Game + 'static, S: Solver<G> + Opener<G> + 'static> Entry for Catalogued<G, S> {
    fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error> {
        Ok(self.game().draw_at(read(self.id(), self.game(), position)?, ply))
    }

    fn notation(&self) -> String {
        self.game().notation()
    }

    fn fingerprint(&self) -> Result<u64, Error> {
        self.reader.own_fingerprint()
    }

    fn forecast(&self) -> Forecast {
        *self.forecast.get_or_init(|| {
            let forecast = self.solver().forecast(self.game());
            self.recorded.map_or(forecast, |recorded| forecast.after(recorded))
        })
    }

    fn least_memory(&self) -> u64 {
        self.solver().least_memory(self.game()).unwrap_or_else(|| self.forecast().memory_bytes)
    }

    fn counting(&self) -> Counting {
        self.solver().counting()
    }

    fn count(&self, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error> {
        let ledger = Ledger::new(*budget);
        let index = machine::parallel::install(&machine::pool(budget.threads)?, || {
            Listed::list(self.game(), &ledger, observer)
        })?;
        let class = |(number, keys): &(u32, PackedKeys<G::Key>)| ClassCount {
            class: class_label(self.game(), *number),
            positions: keys.len(),
        };
        let classes = index.classes().iter().map(class).collect();
        Ok(PositionCount { game: self.id().to_owned(), total: index.positions(), classes })
    }

    fn reach(&self, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reach, Error> {
        let ledger = Ledger::new(*budget);
        let found = machine::parallel::install(&machine::pool(budget.threads)?, || {
            layers(self.game(), depth, &ledger, observer)
        })?;
        let layers = (0..).zip(found).map(|(plies, positions)| Layer { plies, positions }).collect();
        Ok(Reach { game: self.id().to_owned(), layers })
    }

    fn state(&self, data: &Path) -> State {
        match self.database(data) {
            Ok(_) => State::Solved,
            Err(Error::NotSolved { .. }) if WorkFolder::is_there(data, self.id()) => State::Unfinished,
            Err(Error::NotSolved { .. }) => State::Unsolved,
            Err(_) => State::Refused,
        }
    }

    fn summary(&self, data: &Path) -> Result<Summary, Error> {
        let database = self.database(data)?;
        let data_bytes = folder_bytes(database.folder())?;
        let solved = self.reader.opened(database)?;
        let initial = solved.verdict()?;
        Ok(Summary { initial, data_bytes, weak: solved.weak() })
    }

    fn is_solved(&self, data: &Path) -> bool {
        self.database(data).is_ok()
    }

    fn provenance(&self, data: &Path) -> Result<Provenance, Error> {
        let provenance = Provenance::read(data, self.id())?;
        let Some(run) = &self.run else { return Ok(provenance) };
        let stats = self.open(data)?.stats()?;
        // A record of other counts is that of another database.
        let same = run.counts == [stats.positions, stats.wins, stats.losses, stats.draws];
        Ok(Provenance { run: same.then(|| run.clone()), ..provenance })
    }

    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, Error> {
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

    fn solve_together(&self, data: &Path, run: &Run<'_>, mesh: &dyn Mesh) -> Result<Option<SolveReport>, Error> {
        let start = Instant::now();
        if !self.solver().shares() {
            let game = self.id();
            return Err(Error::BadRequest(format!(
                "{game} cannot be solved by several processes: its solver works alone"
            )));
        }
        if mesh.me() > 0 {
            // The first one says whether there is anything to do, when it has its folder.
            if mesh.all_gather(&[])?[0] == [1] {
                let work = WorkFolder::open_shard(data, self.id(), self.reader.own_fingerprint()?, mesh.me())?;
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

    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error> {
        Ok(Box::new(self.reader.opened(self.database(data)?)?))
    }

    fn unsolved(&self) -> Option<Box<dyn Solved>> {
        let oracle = self.solver().unsolved(self.game(), self.id())?;
        Some(Box::new(SolvedGame { id: self.id().to_owned(), parts: self.reader.parts.clone(), oracle }))
    }
}

impl<G: Game, S> SolvedGame<G, S> {
    /// What is known where only a line is.
    pub fn weak(&self) -> Option<Weak> {
        self.oracle.only_line().map(|line| Weak { line })
    }

    fn search<'a>(&'a self, means: &Means<'a>) -> Search<'a, G> {
        Search { id: &self.id, game: self.game(), oracle: &*self.oracle, means: *means }
    }
}

impl<G: Game + 'static, S: Opener<G> + 'static> Solved for SolvedGame<G, S> {
    fn initial(&self) -> String {
        self.game().show(self.game().initial())
    }

    /// Not by a probe: where answers are searched for, the other moves would be searched as well.
    fn verdict(&self) -> Result<Verdict, Error> {
        Ok(query::answer(self.game(), &*self.oracle, self.game().initial())?.into())
    }

    fn stats(&self) -> Result<Stats, Error> {
        let mut stats = Stats::new(&self.id, &self.oracle.census()?);
        stats.all_positions = self.oracle.all_positions().as_ref().map(AllPositions::from);
        let scores = self.parts.1.scores(self.game(), &*self.oracle)?.into_iter();
        stats.scores = scores.map(|(score, positions)| ScoreBar { score, positions }).collect();
        stats.stored = self.oracle.stored_slots();
        stats.weak = self.weak();
        Ok(stats)
    }

    fn bounded(&self, budget: &Budget, deadline: &Deadline) -> Option<Box<dyn Solved>> {
        let oracle = self.oracle.bounded(budget, deadline)?;
        Some(Box::new(SolvedGame { id: self.id.clone(), parts: self.parts.clone(), oracle }))
    }

    fn keep(&self, bytes: u64) {
        self.oracle.keep(bytes);
    }

    fn batch(&self) -> &dyn Many {
        self
    }

    fn longest_games(&self, limit: usize) -> Result<LongestGames, Error> {
        query::longest_games(&self.id, self.game(), &*self.oracle, limit)
    }

    fn columns(&self) -> Result<Schema, Error> {
        find::schema(&self.id, self.game(), &*self.oracle)
    }

    fn find_together(&self, find: &Find, means: &Means<'_>, rows: &mut Rows<'_>) -> Result<FindReport, Error> {
        find::find(&self.search(means), find, rows.heading, &mut |row| (rows.row)(row))
    }

    fn puzzles(&self, count: usize, seed: u64) -> Result<Vec<Puzzle>, Error> {
        query::puzzles(&self.id, self.game(), &*self.oracle, count, seed)
    }

    fn explain(&self, find: &Find, budget: &Budget) -> Result<Explanation, Error> {
        find::explain(&self.search(&Means::alone(budget, &Silent)), find)
    }

    fn csv(&self) -> Result<String, Error> {
        match self.parts.1.published_csv(self.game(), &*self.oracle) {
            Some(csv) => csv,
            None => Ok(self.stats()?.csv()),
        }
    }

    fn verify_together(&self, extent: Extent, means: &Means<'_>) -> Result<Verification, Error> {
        query::verify(&self.search(means), extent)
    }
}

impl<G: Game, S: Send + Sync> Many for SolvedGame<G, S> {
    fn positions(&self) -> u64 {
        self.oracle.positions()
    }

    fn values(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        observer: &dyn Observer,
        sink: &mut dyn FnMut(&[Answer]),
    ) -> Result<(), Error> {
        self.search(&Means::alone(budget, observer)).values(asked, sink)
    }

    fn moves(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        observer: &dyn Observer,
        sink: &mut dyn FnMut(Vec<WithMoves>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.search(&Means::alone(budget, observer)).moves(asked, sink)
    }

    fn numbers(&self, texts: &[String], budget: &Budget) -> Result<Vec<u64>, Error> {
        self.search(&Means::alone(budget, &Silent)).numbers(texts)
    }

    fn texts(&self, asked: Asked<'_>, budget: &Budget) -> Result<Vec<String>, Error> {
        self.search(&Means::alone(budget, &Silent)).texts(asked)
    }

    fn sample(&self, count: usize, seed: u64, budget: &Budget, observer: &dyn Observer) -> Result<Vec<u64>, Error> {
        self.search(&Means::alone(budget, observer)).sample(count, seed)
    }
}
