//! N men's morris: the rules, the index and the solver. The counts of the published paper are in `kanzen-papers`.

mod board;
mod index;
mod rules;
mod solve;
#[cfg(test)]
mod tests;
mod text;

pub use board::Board;
pub use index::{MorrisIndex, MorrisSolver, class_table};
pub use rules::{Men, Morris, Play, Position};
pub use solve::MorrisGraph;
