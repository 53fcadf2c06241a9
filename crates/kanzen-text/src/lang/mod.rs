//! The language that people type: one declaration a line, words before signs. `docs/language.md` is its specification.
//!
//! ```
//! let text = "
//! game    Tic-tac-toe
//! board   3x3
//! sides   cross X, nought O
//! turn    place own on empty
//! win     own line 3
//! stuck   draw
//! ";
//! let game = kanzen_text::lang::parse(text)?;
//! assert_eq!(game.turn.unwrap().len(), 1);
//! # Ok::<(), Vec<kanzen_text::lang::Problem>>(())
//! ```
//!
//! [`parse`] makes a syntax tree of a text.

mod parser;
mod problem;
mod token;
pub mod tree;

pub use parser::parse;
pub use problem::{Problem, Severity, Span};
pub use token::{MAX_TEXT, MAX_TOKENS};

#[cfg(test)]
mod tests;
