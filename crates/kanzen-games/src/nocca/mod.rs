//! NOCCA x NOCCA: stacks of at most three, the first to walk off the far row wins.

mod board;
mod count;
mod engine;
mod rules;
mod text;
mod view;

pub use board::{Board, Side, Stack};
pub use count::placements;
pub use engine::{Sweeps, forecast};
pub use rules::{Nocca, Step};

#[cfg(test)]
mod tests;
