//! NOCCA x NOCCA: a game of stacks up to three high, won by the first piece to walk off the far row.

mod index;
mod rules;
mod solve;
mod text;

pub use index::numbering::placements;
pub use index::{NoccaIndex, Sweeps};
pub use rules::{Move, Nocca, Position, Stack};
pub use solve::NoccaRounds;

#[cfg(test)]
mod tests;
