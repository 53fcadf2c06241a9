//! A game, the way it is solved and the way its database is read, together an entry.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::entry::LongestDistance;
use super::{
    ClassCount, Entry, GameInfo, Layer, Many, PositionCount, Reach, Rows, Run, SolveReport, Solved, SolvedPosition,
    State, Summary, Verdict,
};
use crate::index::{Listed, PackedKeys, class_label, layers};
use crate::machine;
use crate::query::find::{self, Explanation, Schema, Search};
use crate::query::{
    self, AllPositions, Answer, Asked, Batch, Duel, DuelReport, Extent, Find, FindReport, Line, LongestGames, Moves,
    Opener, Oracle, Player, Probe, Puzzle, Reply, ScoreBar, Stats, Verification, Weak, WithMoves,
};
use crate::rules::view::View;
use crate::rules::{Game, fingerprint};
use crate::solve::{Counting, Forecast, Job, Recorded, SolveStore, Solver};
use crate::store::{Database, Manifest, WorkFolder, folder_bytes};
use crate::vocabulary::progress::{Observer, Silent};
use crate::vocabulary::{Budget, Error, Ledger, Patience};

/// A game of the catalogue: its rules, what solves it and opens its database, and what it is called.
pub struct Catalogued<G, S> {
    info: GameInfo,
    parts: Arc<(G, S)>,
    recorded: Option<Recorded>,
    forecast: OnceLock<Forecast>,
    fingerprint: OnceLock<u64>,
}

impl<G: Game + 'static, S: Solver<G> + Opener<G> + 'static> Catalogued<G, S> {
    /// An entry for a game.
    pub fn new(info: GameInfo, game: G, solver: S) -> Catalogued<G, S> {
        let (forecast, fingerprint) = (OnceLock::new(), OnceLock::new());
        Catalogued { info, parts: Arc::new((game, solver)), recorded: None, forecast, fingerprint }
    }

    /// What a complete run of this game was recorded to cost, where there was one: the solver's own forecast, which is
    /// made of a few numbers, gives way to it.
    pub fn recorded(self, recorded: Option<Recorded>) -> Catalogued<G, S> {
        Catalogued { recorded, ..self }
    }

    fn game(&self) -> &G {
        &self.parts.0
    }

    fn solver(&self) -> &S {
        &self.parts.1
    }

    /// What tells these rules and this numbering from others; worked out when first wanted.
    fn fingerprint(&self) -> Result<u64, Error> {
        if let Some(known) = self.fingerprint.get() {
            return Ok(*known);
        }
        let layout = self.solver().layout(self.game())?;
        Ok(*self.fingerprint.get_or_init(|| fingerprint(&self.info.id, self.game(), layout)))
    }

    fn database(&self, data: &Path) -> Result<Database, Error> {
        Database::open_with(data, &self.info.id, || self.fingerprint())
    }

    fn opened(&self, database: Database) -> Result<SolvedGame<G, S>, Error> {
        let oracle = self.solver().open(self.game(), database)?;
        Ok(SolvedGame { id: self.info.id.clone(), parts: self.parts.clone(), oracle })
    }

    /// The database, how long it took with all earlier runs, and how much memory the solver reserved for it.
    fn solve_anew(&self, data: &Path, run: &Run<'_>) -> Result<(Database, Duration, Option<u64>), Error> {
        let forecast = self.forecast();
        forecast.check_memory(&self.info.id, self.least_memory(), &run.budget)?;
        match WorkFolder::open_or_create(data, &self.info.id, self.fingerprint()?) {
            Ok(work) => {
                work.check_room(forecast.disk_bytes)?;
                let job = Job::new(&work, run.budget, run.observer)?.checkpoint_every(run.checkpoint_every);
                let solution = self.solver().solve(self.game(), &job);
                for loss in work.take_losses() {
                    job.note(&format!("{loss}: its work is done again"));
                }
                if solution.is_err() {
                    // Beside what went wrong this is nothing to speak of.
                    job.keep_time().ok();
                }
                let (elapsed, reserved) = (job.elapsed(), job.ledger().most());
                drop(job);
                let manifest = Manifest::of(&work, solution?)?;
                Ok((work.finish(&manifest)?, elapsed, Some(reserved)))
            }
            // A killed solve lacked only its last steps, and now has them.
            Err(Error::AlreadySolved { .. }) => Ok((self.database(data)?, Duration::ZERO, None)),
            Err(error) => Err(error),
        }
    }
}

impl<G: Game + 'static, S: Solver<G> + Opener<G> + 'static> Entry for Catalogued<G, S> {
    fn info(&self) -> &GameInfo {
        &self.info
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

    fn view(&self) -> View {
        self.game().view()
    }

    fn initial(&self) -> String {
        self.game().show(self.game().initial())
    }

    fn moves(&self, position: Option<&str>) -> Result<Moves, Error> {
        Ok(query::moves(&self.info.id, self.game(), read(&self.info.id, self.game(), position)?))
    }

    fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error> {
        Ok(self.game().draw_at(read(&self.info.id, self.game(), position)?, ply))
    }

    fn notation(&self) -> String {
        self.game().notation()
    }

    fn counting(&self) -> Counting {
        self.solver().counting()
    }

    fn count(&self, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error> {
        let ledger = Ledger::new(*budget);
        let index = machine::pool(budget.threads)?.install(|| Listed::list(self.game(), &ledger, observer))?;
        let class = |(number, keys): &(u32, PackedKeys<G::Key>)| ClassCount {
            class: class_label(self.game(), *number),
            positions: keys.len(),
        };
        let classes = index.classes().iter().map(class).collect();
        Ok(PositionCount { game: self.info.id.clone(), total: index.positions(), classes })
    }

    fn reach(&self, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reach, Error> {
        let ledger = Ledger::new(*budget);
        let found = machine::pool(budget.threads)?.install(|| layers(self.game(), depth, &ledger, observer))?;
        let layers = (0..).zip(found).map(|(plies, positions)| Layer { plies, positions }).collect();
        Ok(Reach { game: self.info.id.clone(), layers })
    }

    fn state(&self, data: &Path) -> State {
        match self.database(data) {
            Ok(_) => State::Solved,
            Err(Error::NotSolved { .. }) if WorkFolder::is_there(data, &self.info.id) => State::Unfinished,
            Err(Error::NotSolved { .. }) => State::Unsolved,
            Err(_) => State::Refused,
        }
    }

    fn summary(&self, data: &Path) -> Result<Summary, Error> {
        let database = self.database(data)?;
        let data_bytes = folder_bytes(database.folder())?;
        let solved = self.opened(database)?;
        let initial = solved.verdict()?;
        Ok(Summary { initial, data_bytes, weak: solved.weak() })
    }

    fn is_solved(&self, data: &Path) -> bool {
        self.database(data).is_ok()
    }

    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, Error> {
        let start = Instant::now();
        let (database, elapsed, reserved_bytes) = match self.database(data) {
            Err(Error::NotSolved { .. }) => self.solve_anew(data, run)?,
            found => (found?, Duration::ZERO, None),
        };
        database.tidy()?;
        let data_bytes = folder_bytes(database.folder())?;
        let solved = self.opened(database)?;
        let tally = solved.oracle.census()?.total();
        Ok(SolveReport {
            game: self.info.id.clone(),
            positions: tally.positions(),
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws(),
            initial: solved.verdict()?,
            weak: solved.weak(),
            longest: LongestDistance::of(&tally),
            // This run, opening and counting included, or all of them.
            seconds: start.elapsed().max(elapsed).as_secs_f64(),
            threads: run.budget.threads,
            peak_rss_bytes: machine::peak_memory(),
            reserved_bytes,
            data_bytes,
        })
    }

    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error> {
        Ok(Box::new(self.opened(self.database(data)?)?))
    }
}

/// The position of a text; the initial one if there is none.
fn read<G: Game>(id: &str, game: &G, position: Option<&str>) -> Result<G::Position, Error> {
    match position {
        None => Ok(game.initial()),
        Some(text) => game.read(text).map_err(|reason| Error::BadPosition { game: id.to_owned(), reason }),
    }
}

struct SolvedGame<G, S> {
    id: String,
    parts: Arc<(G, S)>,
    oracle: Box<dyn Oracle<G>>,
}

impl<G: Game, S> SolvedGame<G, S> {
    fn game(&self) -> &G {
        &self.parts.0
    }

    fn search<'a>(&'a self, budget: &Budget, observer: &'a dyn Observer) -> Search<'a, G> {
        Search { id: &self.id, game: self.game(), oracle: &*self.oracle, budget: *budget, observer }
    }

    fn many<'a>(&'a self, budget: &Budget, observer: &'a dyn Observer) -> Batch<'a, G> {
        Batch { id: &self.id, game: self.game(), oracle: &*self.oracle, budget: *budget, observer }
    }

    /// What is known where only a line is.
    fn weak(&self) -> Option<Weak> {
        self.oracle.only_line().map(|line| Weak { line })
    }
}

impl<G: Game + 'static, S: Opener<G> + 'static> Solved for SolvedGame<G, S> {
    fn initial(&self) -> String {
        self.game().show(self.game().initial())
    }

    fn at(&self, position: Option<&str>) -> Result<Box<dyn SolvedPosition + '_>, Error> {
        Ok(Box::new(AtPosition { solved: self, position: read(&self.id, self.game(), position)? }))
    }

    fn bounded(&self, budget: &Budget, patience: &Patience) -> Option<Box<dyn Solved>> {
        let oracle = self.oracle.bounded(budget, patience)?;
        Some(Box::new(SolvedGame { id: self.id.clone(), parts: self.parts.clone(), oracle }))
    }

    fn batch(&self) -> &dyn Many {
        self
    }

    /// Not by a probe: where answers are searched for, the other moves would be searched as well.
    fn verdict(&self) -> Result<Verdict, Error> {
        Ok(query::answer(self.game(), &*self.oracle, self.game().initial())?.into())
    }

    fn longest_games(&self, limit: usize) -> Result<LongestGames, Error> {
        query::longest_games(&self.id, self.game(), &*self.oracle, limit)
    }

    fn columns(&self) -> Result<Schema, Error> {
        find::schema(&self.id, self.game(), &*self.oracle)
    }

    fn find(
        &self,
        find: &Find,
        budget: &Budget,
        observer: &dyn Observer,
        rows: &mut Rows<'_>,
    ) -> Result<FindReport, Error> {
        find::find(&self.search(budget, observer), find, rows.heading, &mut |row| (rows.row)(row))
    }

    fn puzzles(&self, count: usize, seed: u64) -> Result<Vec<Puzzle>, Error> {
        query::puzzles(&self.id, self.game(), &*self.oracle, count, seed)
    }

    fn explain(&self, find: &Find, budget: &Budget) -> Result<Explanation, Error> {
        find::explain(&self.search(budget, &Silent), find)
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

    fn csv(&self) -> Result<String, Error> {
        match self.parts.1.published_csv(self.game(), &*self.oracle) {
            Some(csv) => csv,
            None => Ok(self.stats()?.csv()),
        }
    }

    fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, Error> {
        query::verify(&self.id, self.game(), &*self.oracle, extent, budget, observer)
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
        self.many(budget, observer).values(asked, sink)
    }

    fn moves(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        observer: &dyn Observer,
        sink: &mut dyn FnMut(Vec<WithMoves>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.many(budget, observer).moves(asked, sink)
    }

    fn numbers(&self, texts: &[String], budget: &Budget) -> Result<Vec<u64>, Error> {
        self.many(budget, &Silent).numbers(texts)
    }

    fn texts(&self, asked: Asked<'_>, budget: &Budget) -> Result<Vec<String>, Error> {
        self.many(budget, &Silent).texts(asked)
    }

    fn sample(&self, count: usize, seed: u64, budget: &Budget, observer: &dyn Observer) -> Result<Vec<u64>, Error> {
        self.many(budget, observer).sample(count, seed)
    }
}

struct AtPosition<'a, G: Game, S> {
    solved: &'a SolvedGame<G, S>,
    position: G::Position,
}

impl<G: Game, S> SolvedPosition for AtPosition<'_, G, S> {
    fn draw(&self, ply: u64) -> String {
        self.solved.game().draw_at(self.position, ply)
    }

    fn verdict(&self) -> Result<Verdict, Error> {
        Ok(query::answer(self.solved.game(), &*self.solved.oracle, self.position)?.into())
    }

    fn number(&self) -> Result<Option<u64>, Error> {
        self.solved.oracle.number(self.solved.game(), self.position)
    }

    fn probe(&self) -> Result<Probe, Error> {
        query::probe(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position)
    }

    fn probe_traps(&self, reads: u16) -> Result<Probe, Error> {
        query::probe_traps(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position, reads)
    }

    fn reply(&self, player: Player, before: &[&str], seed: u64) -> Result<Reply, Error> {
        let SolvedGame { id, oracle, .. } = self.solved;
        let game = self.solved.game();
        let before = before.iter().map(|text| read(id, game, Some(*text))).collect::<Result<Vec<_>, Error>>()?;
        query::reply(id, (game, &**oracle), self.position, before, player, seed)
    }

    fn duel(&self, duel: &Duel, budget: &Budget, observer: &dyn Observer) -> Result<DuelReport, Error> {
        let SolvedGame { id, oracle, .. } = self.solved;
        query::duel(id, (self.solved.game(), &**oracle), self.position, duel, budget, observer)
    }

    fn line(&self) -> Result<Line, Error> {
        query::line(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position)
    }
}
