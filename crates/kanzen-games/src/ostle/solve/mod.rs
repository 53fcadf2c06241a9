//! Solving: per board its best value, the one move that matters if it is forbidden, and the value then.

mod census;
mod engine;
mod forecast;
mod group;
mod irregular;
mod look;
mod scene;
mod solver;
#[cfg(test)]
mod tests;
mod word;

pub use census::{HoleCount, count_class};
pub use engine::Engine;
pub use group::{Below, Group, GroupClass, all_classes, class_at, classes, one_after_the_other};
pub use solver::{BOARDS, ByBoards, IMMEDIATE_WINS, census_label, class_file};
pub use word::{Values, Word};
