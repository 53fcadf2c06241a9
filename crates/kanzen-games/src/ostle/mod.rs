//! Ostle: push the other side's pieces off a 5x5 board or into the hole; two out of five lose.

mod board;
mod draw;
mod entry;
mod index;
mod ko;
mod moves;
mod oracle;
mod paper;
mod rules;
mod solve;
mod stored;
mod symmetry;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use board::{Board, Mask};
pub use index::{CanonicalSlot, ClassIndex, HOLES, Strip};
pub use ko::{Ko, is_twisted, is_twisted_by_definition};
pub use moves::{Effect, Move};
pub use paper::{ByPositions, Reached, reach};
pub use rules::{Army, Ostle, Position};
pub use solve::{Below, Engine, Group, HoleCount, count_class};
pub use stored::{ByBoards, Values, all_classes, classes};

/// A level as a value: odd is won in so many plies, even lost, 0 a draw.
pub fn value(level: u8) -> kanzen::Value {
    match level {
        0 => kanzen::Value::DRAW,
        _ if level & 1 == 1 => kanzen::Value::win(level.into()),
        _ => kanzen::Value::loss(level.into()),
    }
}
