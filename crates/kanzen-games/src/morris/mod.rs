//! N men's morris: placements counted, numbered in two ways, and the games solved.

mod board;
mod rules;
#[cfg(test)]
mod tests;
mod text;

pub use board::Board;
pub use rules::{Men, Morris, Play, Position, Side};
