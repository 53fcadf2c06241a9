//! Sixteen Musashi: one black piece against sixteen brown ones, on boards of 25, 31 and 33 points.

mod index;
mod rules;
pub mod sets;
mod solve;
mod text;

pub use index::layout::positions;
pub use index::{MusashiIndex, SetAtATime};
pub use rules::{Board, Move, Musashi, Position, Symmetry};
pub use solve::MusashiRounds;

#[cfg(test)]
mod tests;
