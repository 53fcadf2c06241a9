//! N men's morris: the rules, the index, the solver and the counts of the published papers.

mod board;
mod index;
mod paper;
mod rules;
mod solve;
#[cfg(test)]
mod tests;
mod text;

pub use board::Board;
pub use index::{MorrisIndex, MorrisSolver, class_table};
pub use paper::{
    CountReport, Difference, PlacementHash, Placements, Printed, Subset, ZddSizes, count, differences, first_zdd,
    printed, printed_second_nodes, second_zdd, second_zdd_is_small,
};
pub use rules::{Men, Morris, Play, Position};
pub use solve::MorrisGraph;
