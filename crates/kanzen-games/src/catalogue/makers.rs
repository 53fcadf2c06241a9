//! Builds a catalogue entry from a game and its solver: one that also solves, or one that only reads databases.
//!
//! A program that links readers only, as in a browser, contains no solver.

use std::sync::Arc;

use kanzen::Board;
use kanzen::catalogue::{Entry, GameInfo, Reader};
use kanzen::query::Opener;
use kanzen::solve::Solver;

use crate::othello::{BySearch, Othello};
use crate::recorded;

/// Builds entries of one kind.
///
/// Required: [`made`](Maker::made) and [`by_search`](Maker::by_search).
pub trait Maker {
    /// The kind of entry.
    type Made;

    /// Builds the entry of a game from its solver; `options` adds what only an [`Entry`] has.
    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Self::Made>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static;

    /// Builds the entry of a game without options.
    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Arc<Self::Made>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Self::made(info, game, solver, |entry| entry)
    }

    /// Builds the entry of a board too large to list, or returns `None` without search.
    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Self::Made>>;
}

/// Builds entries that solve, with the recorded cost of a complete run.
pub enum Entries {}

impl Maker for Entries {
    type Made = Entry;

    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Entry>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (cost, run) = (recorded::of(&info.id), recorded::run(&info.id));
        Arc::new(options(Entry::new(info, game, solver).recorded(cost).recorded_run(run)))
    }

    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Entry>> {
        Some(Self::entry(info, game, BySearch))
    }
}

/// Builds readers of databases.
pub enum Readers {}

impl Maker for Readers {
    type Made = Reader;

    fn made<G, S>(info: GameInfo, game: G, opener: S, _: impl FnOnce(Entry) -> Entry) -> Arc<Reader>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Arc::new(Reader::new(info, game, opener))
    }

    fn by_search(_: GameInfo, _: Othello) -> Option<Arc<Reader>> {
        None
    }
}
