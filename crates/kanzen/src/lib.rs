//! Kanzen (完全, "complete") strongly solves two-player board games of perfect information.
//!
//! The layers, each of which depends only on those before it:
//!
//! ```text
//! vocabulary, machine -> rules -> index -> store -> solve -> query -> catalogue -> interfaces (command, server, ...)
//! ```
//!
//! A new game implements the rules ([`Game`]) and is checked by the [`conformance`] tests; everything else follows.

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
