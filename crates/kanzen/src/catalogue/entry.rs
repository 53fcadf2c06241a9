//! What the faces know of a game.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::{Answers, Many, PositionCount, Provenance, Reach, Readable, State, Summary, Verdict};
use crate::query::find::{Explanation, Heading, RowSink, Schema};
use crate::query::{Extent, Find, FindReport, LongestGames, Means, Puzzle, Stats, Verification, Weak};
use crate::solve::{Counting, Forecast};
use crate::store::Edition;
use crate::vocabulary::mesh::Mesh;
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Budget, Deadline, Error, Tally};

/// How to run a solve.
pub struct Run<'a> {
    /// Threads and memory.
    pub budget: Budget,
    /// How often a checkpoint is written.
    pub checkpoint_every: Duration,
    /// Who hears how it goes, and may ask to stop.
    pub observer: &'a dyn Observer,
}

/// A game of the catalogue: its rules, and all that is done with a data folder.
pub trait Entry: Readable {
    /// Draws a position as a board, so many plies into a game, solved or not; the initial one if none is given.
    fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error>;

    /// How positions and moves are written, in words; nothing if the game does not say.
    fn notation(&self) -> String;

    /// What tells these rules and this numbering from others: each file of a database carries it.
    fn fingerprint(&self) -> Result<u64, Error>;

    /// What solving it will cost, on the machine of the recorded runs: [`Forecast::here`] tells for this one. The first
    /// time it may take some work to tell: ask only if somebody wants to know.
    fn forecast(&self) -> Forecast;

    /// The least memory that solving it can do with.
    fn least_memory(&self) -> u64 {
        self.forecast().memory_bytes
    }

    /// Which positions the forecast counts.
    fn counting(&self) -> Counting;

    /// Counts its positions by its rules, class by class, without solving anything.
    fn count(&self, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error>;

    /// Counts its positions by fewest plies from the initial one, by its rules, up to so many plies.
    fn reach(&self, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reach, Error>;

    /// What the data folder has of it.
    fn state(&self, data: &Path) -> State;

    /// What a database in the data folder says in short.
    fn summary(&self, data: &Path) -> Result<Summary, Error>;

    /// Whether the data folder holds its database, whole and of these rules.
    fn is_solved(&self, data: &Path) -> bool;

    /// Which database the data folder holds now; nothing if it holds none. Another one in its place has another edition.
    fn edition(&self, data: &Path) -> Option<Edition> {
        Edition::of(data, &self.info().id)
    }

    /// Which database that is, for those who cite it: its rules, and a checksum of all of it.
    fn provenance(&self, data: &Path) -> Result<Provenance, Error> {
        Provenance::read(data, &self.info().id)
    }

    /// Solves it into the data folder, going on where an earlier solve stopped. Solved already, it is only reported.
    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, Error>;

    /// Solves it together with other processes, each of which calls this. The database appears in the data folder of the
    /// first; the report is the first one's too. An error if its solver works alone.
    fn solve_together(&self, _data: &Path, _run: &Run<'_>, _mesh: &dyn Mesh) -> Result<Option<SolveReport>, Error> {
        let game = &self.info().id;
        Err(Error::BadRequest(format!("{game} cannot be solved by several processes: its solver works alone")))
    }

    /// Opens its database.
    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error>;

    /// Answers without a database, where positions near the end are searched for as they are asked; nothing for a game
    /// that has to be solved first. How near is near enough, [`SolvedPosition::effort`](super::SolvedPosition::effort)
    /// tells.
    fn unsolved(&self) -> Option<Box<dyn Solved>> {
        None
    }
}

/// A solved game that answers questions in text: about positions, and about all of them.
pub trait Solved: Answers {
    /// The position a game starts from.
    fn initial(&self) -> String;

    /// The value of the initial position, without those of its moves.
    fn verdict(&self) -> Result<Verdict, Error>;

    /// The census of the database, by value and distance.
    fn stats(&self) -> Result<Stats, Error>;

    /// The same game for one asker, where answers are searched for: within this budget, and no longer than the deadline
    /// lasts. Nothing where they are looked up.
    fn bounded(&self, _budget: &Budget, _patience: &Deadline) -> Option<Box<dyn Solved>> {
        None
    }

    /// Up to so many bytes of what is read for an answer may be kept for the next one.
    fn keep(&self, _bytes: u64) {}

    /// Questions to many positions at once.
    fn batch(&self) -> &dyn Many;

    /// The longest wins and losses, with up to `limit` examples of each.
    fn longest_games(&self, limit: usize) -> Result<LongestGames, Error>;

    /// The columns that a question to the whole database can name.
    fn columns(&self) -> Result<Schema, Error>;

    /// Looks through all positions for those that fulfil a condition; see [`query::find`](crate::query::find).
    fn find(
        &self,
        find: &Find,
        budget: &Budget,
        observer: &dyn Observer,
        rows: &mut Rows<'_>,
    ) -> Result<FindReport, Error> {
        self.find_together(find, &Means::alone(budget, observer), rows)
    }

    /// The same by several processes that have the same database; only the first has rows, and the report of all.
    fn find_together(&self, find: &Find, means: &Means<'_>, rows: &mut Rows<'_>) -> Result<FindReport, Error>;

    /// Puzzles: positions with one right move at each turn, the same ones for a seed, the easiest first.
    fn puzzles(&self, count: usize, seed: u64) -> Result<Vec<Puzzle>, Error>;

    /// How such a question would be answered, and how long it would take.
    fn explain(&self, find: &Find, budget: &Budget) -> Result<Explanation, Error>;

    /// The census as CSV, in the layout of the published table where there is one.
    fn csv(&self) -> Result<String, Error>;

    /// Checks stored values against the rules.
    fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, Error> {
        self.verify_together(extent, &Means::alone(budget, observer))
    }

    /// The same by several processes that have the same database, each a share of it; all have the whole result.
    fn verify_together(&self, extent: Extent, means: &Means<'_>) -> Result<Verification, Error>;
}

/// Where the answer to a question goes: first what its columns are, then its rows.
pub struct Rows<'a> {
    /// Takes the names of the columns and what their cells are.
    pub heading: &'a mut Heading<'a>,
    /// Takes a row.
    pub row: &'a mut RowSink<'a>,
}

/// What `solve` tells at the end.
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
    /// Positions that nobody wins.
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
