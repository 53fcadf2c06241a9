//! Opens a database for queries, wherever its files are. Positions and answers are text.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{GameInfo, Verdict};
use crate::query::find::{self, Explanation, Heading, RowSink, Schema};
use crate::query::{
    self, AllPositions, Duel, DuelReport, Extent, Find, FindReport, Line, LongestGames, Means, Moves, Opener, Oracle,
    Player, Probe, Puzzle, Reply, ScoreBar, Search, Stats, Verification, Weak,
};
use crate::rules::view::View;
use crate::rules::{AnyGame, Board, fingerprint};
use crate::store::{Database, Kept, Manifest, VfsPath};
use crate::vocabulary::progress::{Observer, Silent};
use crate::vocabulary::{Budget, Census, Deadline, Error};

/// A game whose positions can be read, drawn and played by the rules, and whose database can be opened.
#[expect(clippy::type_complexity, reason = "each type of a closure is written once")]
pub struct Reader {
    info: GameInfo,
    game: Arc<dyn AnyGame>,
    fingerprint: OnceLock<u64>,
    compute_fingerprint: Box<dyn Fn(&str) -> Result<u64, Error> + Send + Sync>,
    open: Box<dyn Fn(Database) -> Result<Box<dyn Oracle>, Error> + Send + Sync>,
}

impl Reader {
    /// A game under a name, and how its database is read.
    pub fn new<G: Board + 'static>(info: GameInfo, game: G, opener: impl Opener<G> + 'static) -> Reader {
        Reader::shared(info, &Arc::new(game), &Arc::new(opener))
    }

    pub(super) fn shared<G, S>(info: GameInfo, game: &Arc<G>, opener: &Arc<S>) -> Reader
    where
        G: Board + 'static,
        S: Opener<G> + 'static,
    {
        let (known, how, its, opening) = (game.clone(), opener.clone(), game.clone(), opener.clone());
        Reader {
            info,
            game: game.clone(),
            fingerprint: OnceLock::new(),
            compute_fingerprint: Box::new(move |id| Ok(fingerprint(id, &*known, how.layout(&known)?))),
            open: Box::new(move |database| opening.open(&its, database)),
        }
    }

    /// What it is called.
    pub fn info(&self) -> &GameInfo {
        &self.info
    }

    /// What its board looks like.
    pub fn view(&self) -> View {
        self.game.view()
    }

    /// How positions and moves are written, in words; empty if the game has no description.
    pub fn notation(&self) -> String {
        self.game.notation()
    }

    /// The position it starts from.
    pub fn initial(&self) -> String {
        self.game.show(self.game.initial())
    }

    /// Draws a position as a board, so many plies into a game, solved or not; the initial one if none is given.
    pub fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error> {
        Ok(self.game.draw_at(self.read(position)?, ply))
    }

    /// The moves of a position by the rules alone, solved or not; of the initial one if none is given.
    pub fn moves(&self, position: Option<&str>) -> Result<Moves, Error> {
        Ok(query::moves(&self.info.id, &*self.game, self.read(position)?))
    }

    /// What distinguishes these rules and this numbering from others: each file of a database carries it. Computed when
    /// first wanted.
    pub fn fingerprint(&self) -> Result<u64, Error> {
        if let Some(known) = self.fingerprint.get() {
            return Ok(*known);
        }
        let computed = (self.compute_fingerprint)(&self.info.id)?;
        Ok(*self.fingerprint.get_or_init(|| computed))
    }

    /// Opens the database with this manifest whose files are in a folder of any file system.
    ///
    /// Trusts the fingerprint of the manifest: to compute it from random games would take longer than all questions of a
    /// browser session. Publishing a database has checked it.
    pub fn open_files(&self, folder: &VfsPath, manifest: Manifest) -> Result<Solved, Error> {
        let fingerprint = manifest.fingerprint;
        self.opened(Database::in_folder(folder, manifest, &self.info.id, fingerprint)?)
    }

    pub(super) fn opened(&self, database: Database) -> Result<Solved, Error> {
        let kept = Some(Arc::new(database.kept()));
        Ok(Solved { kept, ..self.solved((self.open)(database)?) })
    }

    /// The game with what answers for it.
    pub(super) fn solved(&self, oracle: Box<dyn Oracle>) -> Solved {
        Solved { id: self.info.id.clone(), game: self.game.clone(), oracle, kept: None }
    }

    fn read(&self, position: Option<&str>) -> Result<u128, Error> {
        read(&self.info.id, &*self.game, position)
    }
}

/// The position of a text; the initial one if there is none.
fn read(id: &str, game: &dyn AnyGame, position: Option<&str>) -> Result<u128, Error> {
    match position {
        None => Ok(game.initial()),
        Some(text) => game.read(text).map_err(|reason| Error::BadPosition { game: id.to_owned(), reason }),
    }
}

/// Where the answer to a question goes: first what its columns are, then its rows.
pub struct Rows<'a> {
    /// Takes the names of the columns and what their cells are.
    pub heading: &'a mut Heading<'a>,
    /// Takes a row.
    pub row: &'a mut RowSink<'a>,
}

/// A solved game that answers questions in text: about positions, and about all of them.
pub struct Solved {
    id: String,
    game: Arc<dyn AnyGame>,
    oracle: Box<dyn Oracle>,
    kept: Option<Arc<Kept>>,
}

impl Solved {
    /// The position of a text, read once for all questions about it; the initial one if none is given.
    pub fn at(&self, position: Option<&str>) -> Result<SolvedPosition<'_>, Error> {
        Ok(SolvedPosition { solved: self, position: read(&self.id, &*self.game, position)? })
    }

    /// The position a game starts from.
    pub fn initial(&self) -> String {
        self.game.show(self.game.initial())
    }

    /// The value of the initial position, without those of its moves: where answers are searched for, a probe would
    /// search for them as well.
    pub fn verdict(&self) -> Result<Verdict, Error> {
        Ok(self.oracle.answer(self.game.initial())?.into())
    }

    /// The census of the database as it is.
    pub fn census(&self) -> Result<Census, Error> {
        Ok(self.oracle.contents()?.census)
    }

    /// What is known where only a line is.
    pub fn weak(&self) -> Result<Option<Weak>, Error> {
        Ok(self.oracle.contents()?.only_line.map(|line| Weak { line }))
    }

    /// The census of the database, by value and distance.
    pub fn stats(&self) -> Result<Stats, Error> {
        let contents = self.oracle.contents()?;
        let mut stats = Stats::new(&self.id, &contents.census);
        stats.all_positions = contents.all_positions.as_ref().map(AllPositions::from);
        let scores = self.oracle.published()?.scores.into_iter();
        stats.scores = scores.map(|(score, positions)| ScoreBar { score, positions }).collect();
        stats.stored = contents.stored_slots;
        stats.weak = contents.only_line.map(|line| Weak { line });
        Ok(stats)
    }

    /// The census as CSV, in the layout of the published table where there is one.
    pub fn csv(&self) -> Result<String, Error> {
        match self.oracle.published()?.csv {
            Some(csv) => Ok(csv),
            None => Ok(self.stats()?.csv()),
        }
    }

    /// The same game for one client, where answers are searched for: within this budget, and no longer than the deadline
    /// allows. Nothing where they are looked up.
    pub fn bounded(&self, budget: &Budget, deadline: &Deadline) -> Option<Solved> {
        let oracle = self.oracle.bounded(budget, deadline)?;
        Some(Solved { id: self.id.clone(), game: self.game.clone(), oracle, kept: self.kept.clone() })
    }

    /// Keeps up to so many bytes of what is read for an answer for the next one.
    pub fn keep(&self, bytes: u64) {
        if let Some(kept) = &self.kept {
            kept.up_to(bytes);
        }
    }

    /// How many positions have numbers: all below this.
    pub fn positions(&self) -> u64 {
        self.oracle.positions()
    }

    /// The game for questions to many positions at once.
    pub fn search<'a>(&'a self, means: &Means<'a>) -> Search<'a> {
        Search { id: &self.id, game: &*self.game, oracle: &*self.oracle, means: *means }
    }

    /// The same, alone and within a budget.
    pub fn batch<'a>(&'a self, budget: &Budget, observer: &'a dyn Observer) -> Search<'a> {
        self.search(&Means::alone(budget, observer))
    }

    /// The longest wins and losses, with up to `limit` examples of each.
    pub fn longest_games(&self, limit: usize) -> Result<LongestGames, Error> {
        query::longest_games(&self.id, &*self.game, &*self.oracle, limit)
    }

    /// The columns that a question to the whole database can name.
    pub fn columns(&self) -> Result<Schema, Error> {
        find::schema(&self.id, &*self.game, &*self.oracle)
    }

    /// Looks through all positions for those that fulfil a condition; see [`query::find`](crate::query::find).
    pub fn find(
        &self,
        find: &Find,
        budget: &Budget,
        observer: &dyn Observer,
        rows: &mut Rows<'_>,
    ) -> Result<FindReport, Error> {
        self.find_together(find, &Means::alone(budget, observer), rows)
    }

    /// The same by several processes that have the same database; only the first has rows, and the report of all.
    pub fn find_together(&self, find: &Find, means: &Means<'_>, rows: &mut Rows<'_>) -> Result<FindReport, Error> {
        find::find(&self.search(means), find, rows.heading, &mut |row| (rows.row)(row))
    }

    /// How such a question would be answered, and how long it would take.
    pub fn explain(&self, find: &Find, budget: &Budget) -> Result<Explanation, Error> {
        find::explain(&self.search(&Means::alone(budget, &Silent)), find)
    }

    /// Puzzles: positions with one right move at each turn, the same ones for a seed, the easiest first.
    pub fn puzzles(&self, count: usize, seed: u64) -> Result<Vec<Puzzle>, Error> {
        query::puzzles(&self.id, &*self.game, &*self.oracle, count, seed)
    }

    /// Checks stored values against the rules.
    pub fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, Error> {
        self.verify_together(extent, &Means::alone(budget, observer))
    }

    /// The same by several processes that have the same database, each a share of it; all have the whole result.
    pub fn verify_together(&self, extent: Extent, means: &Means<'_>) -> Result<Verification, Error> {
        query::verify(&self.search(means), extent)
    }
}

/// A position of a solved game.
pub struct SolvedPosition<'a> {
    solved: &'a Solved,
    position: u128,
}

impl SolvedPosition<'_> {
    /// Draws it as a board, several lines, so many plies into a game.
    pub fn draw(&self, ply: u64) -> String {
        self.solved.game.draw_at(self.position, ply)
    }

    /// Its value, without those of its moves.
    pub fn verdict(&self) -> Result<Verdict, Error> {
        Ok(self.solved.oracle.answer(self.position)?.into())
    }

    /// Its number, up to symmetry; nothing if it has none.
    pub fn number(&self) -> Result<Option<u64>, Error> {
        self.solved.oracle.number(self.position)
    }

    /// How long its value and those of its moves take, about, where they are searched for; nothing where they are
    /// looked up.
    pub fn effort(&self, budget: &Budget) -> Option<Duration> {
        self.solved.oracle.effort(self.position, budget)
    }

    /// Its value, and that of each of its moves.
    pub fn probe(&self) -> Result<Probe, Error> {
        let Solved { id, game, oracle, .. } = self.solved;
        query::probe(id, &**game, &**oracle, self.position)
    }

    /// The same, with how many replies slip to each move that keeps the value; a slip is hidden to one who reads so
    /// many plies.
    pub fn probe_traps(&self, reads: u16) -> Result<Probe, Error> {
        let Solved { id, game, oracle, .. } = self.solved;
        query::probe_traps(id, &**game, &**oracle, self.position, reads)
    }

    /// A player's move, in a game that has been through these positions before; the same for the same seed.
    pub fn reply(&self, player: Player, before: &[&str], seed: u64) -> Result<Reply, Error> {
        let Solved { id, game, oracle, .. } = self.solved;
        let before = before.iter().map(|text| read(id, &**game, Some(*text))).collect::<Result<Vec<_>, Error>>()?;
        query::reply(id, (&**game, &**oracle), self.position, before, player, seed)
    }

    /// A line of best play from it.
    pub fn line(&self) -> Result<Line, Error> {
        let Solved { id, game, oracle, .. } = self.solved;
        query::line(id, &**game, &**oracle, self.position)
    }

    /// A style against a fallible opponent, from here, game after game.
    pub fn duel(&self, duel: &Duel, budget: &Budget, observer: &dyn Observer) -> Result<DuelReport, Error> {
        let Solved { id, game, oracle, .. } = self.solved;
        query::duel(id, (&**game, &**oracle), self.position, duel, budget, observer)
    }
}
