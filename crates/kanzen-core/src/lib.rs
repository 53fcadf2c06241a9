//! What a solver of board games is built from: values and errors, the machine, the rules of a game, positions as numbers.
//!
//! ```text
//! vocabulary, machine -> rules -> index
//! ```
//!
//! The crate [`kanzen`](https://docs.rs/kanzen) is the way in; this one has the parts that the others share.

pub mod index;
pub mod machine;
pub mod rules;
pub mod vocabulary;

pub use rules::{Board, Colour, Game, Notation, conformance, drawing, notation, view};
pub use vocabulary::*;
