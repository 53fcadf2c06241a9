//! Kanzen (完全, "complete") strongly solves two-player board games of perfect information.
//!
//! Data flows one way through the rooms of this library, each of which uses only those before it:
//!
//! ```text
//! vocabulary, machine -> rules -> index -> solve -> store -> query -> catalogue -> faces (command, web, ...)
//! ```
//!
//! A newcomer writes the rules ([`Game`]), runs them through the [`conformance`] kit, and gets the rest.

// What writes files stands beside what reads them: without solvers, nobody calls it.
#![cfg_attr(not(feature = "solve"), allow(dead_code))]

#[doc = include_str!("../docs/add-a-game.md")]
pub mod add_a_game {}

#[doc = include_str!("../docs/boards.md")]
pub mod boards {}

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod catalogue;
pub mod index;
pub mod machine;
pub mod query;
pub mod rules;
pub mod solve;
pub mod store;
mod vocabulary;

pub use rules::{Colour, Game, conformance, drawing, notation, view};
pub use vocabulary::*;
