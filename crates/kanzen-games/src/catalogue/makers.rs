//! Builds a catalogue entry from a game and its solver: one that also solves, or one that only reads databases.
//!
//! A program that links readers only, as in a browser, contains no solver.

use kanzen::Game;
use kanzen::catalogue::{Catalogued, Entry, GameInfo, GameReader, Readable};
use kanzen::query::Opener;
use kanzen::solve::Solver;

use crate::othello::{BySearch, Othello};
use crate::recorded;

/// Builds entries of one kind.
///
/// Required: both functions.
pub trait Maker {
    /// The kind of entry.
    type Made: ?Sized;

    /// Builds the entry of a game from its solver.
    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Box<Self::Made>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static;

    /// Builds the entry of a board too large to list, or returns `None` without search.
    fn by_search(info: GameInfo, game: Othello) -> Option<Box<Self::Made>>;
}

/// Builds entries that solve, with the recorded cost of a complete run.
pub enum Entries {}

impl Maker for Entries {
    type Made = dyn Entry;

    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Box<dyn Entry>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (cost, run) = (recorded::of(&info.id), recorded::run(&info.id));
        Box::new(Catalogued::new(info, game, solver).recorded(cost).recorded_run(run))
    }

    fn by_search(info: GameInfo, game: Othello) -> Option<Box<dyn Entry>> {
        Some(Self::entry(info, game, BySearch))
    }
}

/// Builds readers of databases.
pub enum Readers {}

impl Maker for Readers {
    type Made = dyn Readable;

    fn entry<G, S>(info: GameInfo, game: G, opener: S) -> Box<dyn Readable>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Box::new(GameReader::new(info, game, opener))
    }

    fn by_search(_: GameInfo, _: Othello) -> Option<Box<dyn Readable>> {
        None
    }
}
