//! Solving: per board its best value, the one move that matters if it is forbidden, and the value then.

mod census;
mod engine;
mod forecast;
mod group;
mod irregular;
mod look;
mod notices;
mod scan;
mod scene;
mod solver;
#[cfg(test)]
mod tests;
mod unmoves;
mod word;

pub use census::{HoleCount, count_class};
pub use engine::Engine;
pub use group::{Below, Group, GroupClass, class_at, one_after_the_other};
pub use word::Word;
