//! N men's morris: placements counted, numbered in two ways, and the games solved.

mod bits;
mod board;
mod classes;
mod cost;
mod count;
mod cover;
mod graph;
mod method;
mod numbering;
mod positions;
mod published;
mod report;
mod rules;
mod strings;
mod sweeps;
#[cfg(test)]
mod tests;
mod text;
mod view;
mod zdds;

pub use board::Board;
pub use cost::Cost;
pub use count::Placements;
pub use graph::MorrisGraph;
pub use method::{MorrisMethod, class_table};
pub use published::{Difference, Printed, differences, printed, printed_second_nodes};
pub use report::{CountReport, Subset, ZddSizes, count, second_zdd_is_small};
pub use rules::{Men, Morris, Play, Position, Side};
pub use zdds::{PlacementHash, first_zdd, second_zdd};
