//! Kanzen (完全, "complete") strongly solves two-player board games of perfect information.
//!
//! Data flows one way through the rooms of this library, each of which uses only those before it:
//!
//! ```text
//! vocabulary, machine -> rules -> index -> solve -> store -> query -> catalogue -> faces (command, web, ...)
//! ```
//!
//! A newcomer writes the rules ([`Game`]), runs them through the [`conformance`] kit, and gets the rest.

#[doc = include_str!("../docs/add-a-game.md")]
pub mod add_a_game {}

#[doc = include_str!("../docs/boards.md")]
pub mod boards {}

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod catalogue;

use kanzen_core::vocabulary;

pub use kanzen_core::vocabulary::*;
pub use kanzen_core::{Board, Colour, Game, Notation, conformance, drawing, index, machine, notation, rules, view};
#[doc(inline)]
pub use kanzen_query as query;
#[doc(inline)]
pub use kanzen_solve as solve;
#[doc(inline)]
pub use kanzen_store as store;
