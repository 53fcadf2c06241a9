//! N men's morris: placements counted, numbered in two ways, and the games solved.

mod board;
mod class_table;
mod index;
mod layers;
mod opener;
mod paper;
mod rules;
mod solve;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use board::Board;
pub use class_table::class_table;
pub use index::MorrisIndex;
pub use opener::MorrisSolver;
pub use paper::{
    CountReport, Difference, PlacementHash, Placements, Printed, Subset, ZddSizes, count, differences, first_zdd,
    printed, printed_second_nodes, second_zdd, second_zdd_is_small,
};
pub use rules::{Men, Morris, Play, Position};
pub use solve::MorrisGraph;
