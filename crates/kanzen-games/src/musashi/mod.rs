//! Sixteen Musashi: one black piece against sixteen brown ones, on boards of 25, 31 and 33 points.

mod board;
mod rules;
mod text;

pub use board::{Board, Symmetry};
pub use rules::{Musashi, Position, Step};

#[cfg(test)]
mod tests;
