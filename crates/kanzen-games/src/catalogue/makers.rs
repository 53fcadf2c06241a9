//! What is made of a game and its solver: an entry that also solves, or a reader of databases only.
//!
//! A program that links readers only, as in a browser, contains no solver.

use kanzen::Game;
use kanzen::catalogue::{Catalogued, Entry, GameInfo, GameReader, Readable};
use kanzen::query::Opener;
use kanzen::solve::Solver;

use crate::othello::{BySearch, Othello};
use crate::recorded;

/// What the catalogue makes of a game.
///
/// Required: both functions.
pub trait Maker {
    /// What it makes.
    type Made: ?Sized;

    /// Makes it of a game and its solver.
    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Box<Self::Made>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static;

    /// Makes it of a board that is too large to list; nothing if it cannot search.
    fn by_search(info: GameInfo, game: Othello) -> Option<Box<Self::Made>>;
}

/// Makes entries, with what a complete run of the game was recorded to cost.
pub enum Entries {}

impl Maker for Entries {
    type Made = dyn Entry;

    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Box<dyn Entry>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (cost, run) = (recorded::of(&info.id), super::recorded_run::run(&info.id));
        Box::new(Catalogued::new(info, game, solver).recorded(cost).recorded_run(run))
    }

    fn by_search(info: GameInfo, game: Othello) -> Option<Box<dyn Entry>> {
        Some(Self::entry(info, game, BySearch))
    }
}

/// Makes readers of databases.
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
