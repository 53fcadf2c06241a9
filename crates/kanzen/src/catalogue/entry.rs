//! What the faces know of a game.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::progress::Observer;
use crate::query::{Extent, Furthest, Line, Probe, QueryError, Stats, Verification};
use crate::solve::SolveError;
use crate::store::StoreError;
use crate::view::View;
use crate::{Budget, Outcome, Tally};

/// What a game is called and what it costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// How many positions it has, where known before it is solved.
    pub positions: Option<u64>,
    /// What solving it is expected to cost.
    pub forecast: Forecast,
}

/// What a solve is expected to cost on two threads.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Forecast {
    /// Time.
    pub seconds: f64,
    /// Memory at the peak.
    pub memory_bytes: u64,
    /// The finished database.
    pub data_bytes: u64,
}

impl Forecast {
    /// Whether the game is solved when it is first asked for.
    pub fn is_small(&self) -> bool {
        self.seconds <= 20.0
    }
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

/// What can go wrong between a face and a game.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A solve could not be done.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A question has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A game of the catalogue.
pub trait Entry: Send + Sync {
    /// What it is called and what it costs.
    fn card(&self) -> &Card;

    /// What its board looks like.
    fn view(&self) -> View;

    /// The position it starts from.
    fn initial(&self) -> String;

    /// Whether the data folder holds its database, whole and of these rules.
    fn is_solved(&self, data: &Path) -> bool;

    /// Solves it into the data folder, going on where an earlier solve stopped. Solved already, it is only reported.
    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, CatalogueError>;

    /// Opens its database.
    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, CatalogueError>;
}

/// A solved game that answers questions in text.
pub trait Solved: Send + Sync {
    /// The position a game starts from.
    fn initial(&self) -> String;

    /// A position drawn as a board, several lines; the initial one if none is given.
    fn draw(&self, position: Option<&str>) -> Result<String, QueryError>;

    /// The value of a position and of each of its moves; of the initial one if none is given.
    fn probe(&self, position: Option<&str>) -> Result<Probe, QueryError>;

    /// A line of best play.
    fn line(&self, position: Option<&str>) -> Result<Line, QueryError>;

    /// The longest wins and losses, with up to `limit` examples of each.
    fn furthest(&self, limit: usize) -> Result<Furthest, QueryError>;

    /// The census.
    fn stats(&self) -> Result<Stats, QueryError>;

    /// The census as CSV, in the layout of the published table where there is one.
    fn csv(&self) -> Result<String, QueryError>;

    /// Checks stored values against the rules.
    fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, QueryError>;
}

/// A line of the catalogue: what `games` tells of each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listing {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// How many positions it has, where known.
    pub positions: Option<u64>,
    /// Whether the data folder holds its database.
    pub solved: bool,
    /// What solving it is expected to cost.
    pub forecast: Forecast,
}

impl Listing {
    /// What there is to tell of a game.
    pub fn of(entry: &dyn Entry, data: &Path) -> Listing {
        let Card { id, title, rules, positions, forecast } = entry.card().clone();
        Listing { id, title, rules, positions, solved: entry.is_solved(data), forecast }
    }
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
    /// The longest distance, and how many positions have it.
    pub longest: Option<Longest>,
    /// How long this run took.
    pub seconds: f64,
    /// On how many threads.
    pub threads: usize,
    /// The most memory this process held.
    pub peak_rss_bytes: Option<u64>,
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

/// The positions furthest from the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// Their distance.
    pub distance: u16,
    /// How many there are.
    pub positions: u64,
}

impl Longest {
    /// The longest distance of a tally.
    pub fn of(tally: &Tally) -> Option<Longest> {
        tally.longest().map(|(distance, positions)| Longest { distance, positions })
    }
}
