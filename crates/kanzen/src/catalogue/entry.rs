//! What the faces know of a game.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::{Many, PositionCount, Provenance, Reach, State, Summary};
use crate::query::find::{Explanation, Heading, RowSink, Schema};
use crate::query::{
    Answer, Duel, DuelReport, Extent, Find, FindReport, Line, LongestGames, Moves, Player, Probe, Puzzle, Reply, Stats,
    Verification, Weak,
};
use crate::rules::view::View;
use crate::solve::{Counting, Forecast};
use crate::store::Edition;
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Budget, Error, Outcome, Patience, Tally};

/// What a game is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
}

/// How to run a solve.
pub struct Run<'a> {
    /// Threads and memory.
    pub budget: Budget,
    /// How often a checkpoint is written.
    pub checkpoint_every: Duration,
    /// Who listens.
    pub observer: &'a dyn Observer,
}

/// A game of the catalogue.
pub trait Entry: Send + Sync {
    /// What it is called.
    fn info(&self) -> &GameInfo;

    /// What solving it will cost, on the machine of the recorded runs: [`Forecast::here`] tells for this one. The first
    /// time it may take some work to tell: ask only if somebody wants to know.
    fn forecast(&self) -> Forecast;

    /// The least memory that solving it can do with.
    fn least_memory(&self) -> u64 {
        self.forecast().memory_bytes
    }

    /// What its board looks like.
    fn view(&self) -> View;

    /// The position it starts from.
    fn initial(&self) -> String;

    /// The moves of a position by the rules alone, solved or not; of the initial one if none is given.
    fn moves(&self, position: Option<&str>) -> Result<Moves, Error>;

    /// Draws a position as a board, so many plies into a game, solved or not; the initial one if none is given.
    fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error>;

    /// How positions and moves are written, in words; nothing if the game does not say.
    fn notation(&self) -> String;

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

    /// Opens its database.
    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error>;
}

/// A solved game that answers questions in text.
pub trait Solved: Send + Sync {
    /// The position a game starts from.
    fn initial(&self) -> String;

    /// The position of a text, read once for all questions about it; the initial one if none is given.
    fn at(&self, position: Option<&str>) -> Result<Box<dyn SolvedPosition + '_>, Error>;

    /// The same game for one asker, where answers are searched for: within this budget, and no longer than the patience
    /// lasts. Nothing where they are looked up.
    fn bounded(&self, _budget: &Budget, _patience: &Patience) -> Option<Box<dyn Solved>> {
        None
    }

    /// Questions to many positions at once.
    fn batch(&self) -> &dyn Many;

    /// The value of that position, without those of its moves.
    fn verdict(&self) -> Result<Verdict, Error> {
        let Probe { value, distance, score, .. } = self.at(None)?.probe()?;
        Ok(Verdict { value, distance, score })
    }

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
    ) -> Result<FindReport, Error>;

    /// Puzzles: positions with one right move at each turn, the same ones for a seed, the easiest first.
    fn puzzles(&self, count: usize, seed: u64) -> Result<Vec<Puzzle>, Error>;

    /// How such a question would be answered, and how long it would take.
    fn explain(&self, find: &Find, budget: &Budget) -> Result<Explanation, Error>;

    /// The census of the database, by value and distance.
    fn stats(&self) -> Result<Stats, Error>;

    /// The census as CSV, in the layout of the published table where there is one.
    fn csv(&self) -> Result<String, Error>;

    /// Checks stored values against the rules.
    fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, Error>;
}

/// Where the answer to a question goes: first what its columns are, then its rows.
pub struct Rows<'a> {
    /// Takes the names of the columns and what their cells are.
    pub heading: &'a mut Heading<'a>,
    /// Takes a row.
    pub row: &'a mut RowSink<'a>,
}

/// A position of a solved game.
pub trait SolvedPosition {
    /// Draws it as a board, several lines, so many plies into a game.
    fn draw(&self, ply: u64) -> String;

    /// Its value, without those of its moves.
    fn verdict(&self) -> Result<Verdict, Error>;

    /// Its number, up to symmetry; nothing if it has none.
    fn number(&self) -> Result<Option<u64>, Error>;

    /// Its value, and that of each of its moves.
    fn probe(&self) -> Result<Probe, Error>;

    /// The same, with how many replies slip to each move that keeps the value; a slip is hidden to one who reads so
    /// many plies.
    fn probe_traps(&self, reads: u16) -> Result<Probe, Error>;

    /// A player's move, in a game that has been through these positions before; the same seed draws the same lots.
    fn reply(&self, player: Player, before: &[&str], seed: u64) -> Result<Reply, Error>;

    /// A style against a fallible opponent, from here, game after game.
    fn duel(&self, duel: &Duel, budget: &Budget, observer: &dyn Observer) -> Result<DuelReport, Error>;

    /// A line of best play from it.
    fn line(&self) -> Result<Line, Error>;
}

/// What `solve` tells at the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolveReport {
    /// The game.
    pub game: String,
    /// Positions, up to the symmetries of the published table.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Draws.
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

/// A value as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// Who wins, from the side to move.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The mover's score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        Verdict { value: answer.value.outcome(), distance: answer.value.distance(), score: answer.score }
    }
}

/// The positions furthest from the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LongestDistance {
    /// Their distance.
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
