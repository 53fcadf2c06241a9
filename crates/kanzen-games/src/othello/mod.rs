//! Othello on boards of any shape.
//!
//! ```text
//! rules text view      the game
//! shape flips          the geometry of a board; which discs a move flips, by words and by vectors
//! solve                the score of a start and a line of best play, by search
//! oracle               answers for any position: from that line, or by search
//! ```

pub mod flips;
mod oracle;
mod rules;
mod shape;
pub mod solve;
mod text;
mod view;

pub use rules::{Move, Othello, Position, Start};
pub use shape::Shape;
pub use solve::{BySearch, Engine, listed};

#[cfg(test)]
mod tests;
