//! NOCCA x NOCCA: stacks of at most three, the first to walk off the far row wins.

mod board;
mod index;
mod opener;
mod rules;
mod solve;
mod text;
mod view;

pub use board::{Position, Stack};
pub use index::NoccaIndex;
pub use index::count::placements;
pub use opener::Sweeps;
pub use rules::{Move, Nocca};
pub use solve::NoccaRounds;

#[cfg(test)]
mod tests;
