//! Othello on boards of any shape.
//!
//! ```text
//! rules text view      the game
//! shape flips stable   the geometry of a board; which discs a move flips, by words and by vectors; which none can flip
//! solve                the score of a start and a line of best play, by search
//! oracle               answers for any position: from that line, or by search
//! ```

pub mod flips;
mod listed;
mod oracle;
mod rules;
mod shape;
pub mod solve;
mod stable;
mod text;
mod view;

pub use listed::listed;
pub use rules::{Move, Othello, Position, Start};
pub use shape::Shape;
pub use solve::{BySearch, Engine};

#[cfg(test)]
mod tests;
