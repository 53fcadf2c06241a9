//! Solves Ostle by retrograde analysis: finds each board's best value, its unique move and the value without that move.

mod census;
mod engine;
mod group;
mod initial_pass;
mod irregular;
mod solver;
mod strip_parents;
#[cfg(test)]
mod tests;
mod updates;
mod word;

pub use census::{HoleCount, count_class};
pub use engine::Engine;
pub use group::{Below, Group, GroupClass, class_at, consecutive};
pub use word::Word;
