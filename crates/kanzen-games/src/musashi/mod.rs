//! Sixteen Musashi: one black piece against sixteen brown ones, on boards of 25, 31 and 33 points.

mod board;
mod counts;
mod index;
mod opener;
mod rules;
mod solve;
mod text;
mod view;

pub use board::{Board, Symmetry};
pub use counts::positions;
pub use index::MusashiIndex;
pub use opener::SetAtATime;
pub use rules::{Move, Musashi, Position};
pub use solve::MusashiRounds;

#[cfg(test)]
mod tests;
