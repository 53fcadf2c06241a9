//! Sixteen Musashi: one black piece against sixteen brown ones, on boards of 25, 31 and 33 points.

mod board;
mod index;
mod rules;
mod solve;
mod text;
mod view;

pub use board::{Board, Symmetry};
pub use index::MusashiIndex;
pub use rules::{Move, Musashi, Position};
pub use solve::{MusashiRounds, SetAtATime, positions};

#[cfg(test)]
mod tests;
