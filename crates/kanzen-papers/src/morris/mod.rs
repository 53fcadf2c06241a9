//! Reproduces the paper on morris: counts of placements, its hash by two ZDDs, and its printed tables.

mod count;
mod cover;
mod published;
mod report;
mod strings;
#[cfg(test)]
mod tests;
mod zdds;

pub use count::Placements;
pub use published::{Difference, Printed, differences, printed, printed_second_nodes};
pub use report::{CountReport, Subset, ZddSizes, count, second_zdd_is_small};
pub use zdds::{PlacementHash, first_zdd, second_zdd};
