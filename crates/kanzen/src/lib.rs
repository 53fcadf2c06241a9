#![doc = include_str!("../README.md")]

#[doc = include_str!("../docs/add-a-game.md")]
pub mod add_a_game {}

#[doc = include_str!("../docs/boards.md")]
pub mod boards {}

/// The example of the repository's README runs as a test, like that of this crate's.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub mod catalogue;
mod table;

// Names of this crate alone: a program that needs more depends on these crates.
use kanzen_core::{index, machine, rules, vocabulary};
use kanzen_solve as solve;
use kanzen_store as store;

pub use kanzen_core::rules::{Tag, Tags};
pub use kanzen_core::{
    Advice, Answer, BadPosition, Bar, Board, Budget, Census, Colour, Error, ErrorKind, Game, Key, Notation, Outcome,
    Tally, Value, conformance, drawing, notation, progress, view,
};
pub use kanzen_solve::{Forecast, RulesOnly, Scored};
pub use table::{Solve, Table, open, solve};

/// Queries to a game of the catalogue, and their answers.
pub mod query {
    pub(crate) use kanzen_query::*;
    pub use kanzen_query::{
        AllPositions, ClassStats, Duel, DuelReport, Example, Extent, Find, FindReport, HowEnded, Level, Line, LineEnd,
        LineMove, Longest, LongestGames, Mismatch, Model, MoveTo, Moves, Player, Probe, ProbedMove, Puzzle, Reply,
        ScoreBar, SlipsByTurn, Stats, StatsRow, Style, Traps, Untimed, Verification, Weak,
    };
}
