//! The parts that the other crates share: values and errors, the machine, the rules of a game, and positions as numbers.
//!
//! Each module depends only on those before it:
//!
//! ```text
//! vocabulary, machine -> rules -> index
//! ```
//!
//! Applications use the crate [`kanzen`](https://docs.rs/kanzen), which re-exports what they need.

pub mod index;
pub mod machine;
pub mod rules;
pub mod vocabulary;

pub use rules::{Board, Colour, Game, Notation, conformance, drawing, notation, view};
pub use vocabulary::*;
