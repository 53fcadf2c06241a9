//! Othello on boards of any shape.

mod engine;
pub mod flips;
mod method;
mod rules;
pub mod search;
mod shape;
mod text;
mod view;

pub use engine::{Engine, Speed};
pub use method::{BySearch, forecast};
pub use rules::{Board, Othello, Side, Start, Turn};
pub use shape::Shape;

#[cfg(test)]
mod tests;
