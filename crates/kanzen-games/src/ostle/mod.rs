//! Ostle: push the other side's pieces off a 5x5 board or into the hole; two out of five lose.

mod board;
mod census;
mod database;
mod index;
mod ko;
mod method;
mod moves;
mod oracle;
mod paper;
mod processor;
mod published;
mod reach;
mod rules;
mod solve;
#[cfg(test)]
mod solve_tests;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use board::{Board, Mask};
pub use census::{HoleCount, count_class};
pub use index::{ClassIndex, HOLES, Place};
pub use ko::{Ko, is_twisted, is_twisted_by_definition};
pub use method::ByBoards;
pub use moves::{Effect, Move};
pub use paper::ByPositions;
pub use reach::{Reached, reach};
pub use rules::{Army, Ostle, Position};
pub use solve::{Below, Engine, Group, Values, classes};

/// A level as a value: odd is won in so many plies, even lost, 0 a draw.
pub fn value(level: u8) -> kanzen::Value {
    match level {
        0 => kanzen::Value::DRAW,
        _ if level & 1 == 1 => kanzen::Value::win(level.into()),
        _ => kanzen::Value::loss(level.into()),
    }
}
