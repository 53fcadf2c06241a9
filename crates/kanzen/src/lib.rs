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

pub use table::{Solve, Table, open, solve};

use kanzen_core::vocabulary;

pub use kanzen_core::vocabulary::*;
pub use kanzen_core::{Board, Colour, Game, Notation, conformance, drawing, index, machine, notation, rules, view};
#[doc(inline)]
pub use kanzen_query as query;
#[doc(inline)]
pub use kanzen_solve as solve;
#[doc(inline)]
pub use kanzen_store as store;
