//! What is made of a game and its solver: an entry that also solves, or a reader of databases only.
//!
//! A program that links readers only, as in a browser, contains no solver.

use std::sync::Arc;

use kanzen::Game;
use kanzen::catalogue::{Entry, GameInfo, Reader, RecordedRun};
use kanzen::query::Opener;
use kanzen::solve::{Recorded, Solver};

use crate::othello::{BySearch, Othello};
use crate::recorded;

/// What the catalogue makes of a game.
///
/// Required: [`made`](Maker::made) and [`by_search`](Maker::by_search).
pub trait Maker {
    /// What it makes.
    type Made;

    /// Makes it of a game and its solver; `options` adds what only an entry has.
    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Self::Made>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static;

    /// Makes it of a game without options.
    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Arc<Self::Made>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Self::made(info, game, solver, |entry| entry)
    }

    /// Makes it of a board that is too large to list; nothing if it cannot search.
    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Self::Made>>;
}

/// Makes entries, with what a complete run of the game was recorded to cost.
pub enum Entries {}

impl Maker for Entries {
    type Made = Entry;

    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Entry>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (cost, run) = (recorded::of(&info.id), recorded_run(&info.id));
        Arc::new(options(Entry::new(info, game, solver).recorded(cost).recorded_run(run)))
    }

    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Entry>> {
        Some(Self::entry(info, game, BySearch))
    }
}

/// Makes readers of databases.
pub enum Readers {}

impl Maker for Readers {
    type Made = Reader;

    fn made<G, S>(info: GameInfo, game: G, opener: S, _: impl FnOnce(Entry) -> Entry) -> Arc<Reader>
    where
        G: Game + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Arc::new(Reader::new(info, game, opener))
    }

    fn by_search(_: GameInfo, _: Othello) -> Option<Arc<Reader>> {
        None
    }
}

/// The recorded run that solved a game, for those who cite it: the table has runs on two threads.
fn recorded_run(game: &str) -> Option<RecordedRun> {
    let Recorded { seconds, memory_bytes, .. } = recorded::of(game)?;
    let fields = recorded::row(game)?;
    let [record, date, commit, cpu, cores, counts @ ..] = fields.get(6..)? else { return None };
    let counts: Vec<u64> = counts.iter().map_while(|count| count.parse().ok()).collect();
    Some(RecordedRun {
        record: format!("results/{record}.json"),
        date: (*date).to_owned(),
        commit: (*commit).to_owned(),
        machine: format!("{cpu}, {cores} cores"),
        threads: 2,
        seconds,
        memory_bytes,
        counts: counts.try_into().ok()?,
    })
}
