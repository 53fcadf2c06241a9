//! Othello on boards of any shape.

pub mod flips;
mod rules;
pub mod search;
mod shape;
mod text;

pub use rules::{Board, Othello, Side, Start, Turn, value_of_score};
pub use shape::Shape;

#[cfg(test)]
mod tests;
