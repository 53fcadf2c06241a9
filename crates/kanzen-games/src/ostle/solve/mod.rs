//! Solving: per board its best value, the one move that matters if it is forbidden, and the value then.

mod engine;
mod group;
mod irregular;
mod look;
mod scene;
mod word;

pub use engine::Engine;
pub use group::{Below, Class, Group, classes};
pub use word::{Values, Word};
