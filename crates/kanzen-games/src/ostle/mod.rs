//! Ostle: push the opponent's pieces off a 5x5 board or into the hole; a side that loses two of five pieces loses.

pub mod board;
pub mod index;
pub mod ko;
pub mod moves;
mod oracle;
mod rules;
mod solve;
mod stored;
#[cfg(test)]
mod tests;
mod text;

pub use board::{Board, Mask};
pub use index::{CanonicalSlot, ClassIndex, HOLES, Strip};
pub use ko::{Ko, is_twisted, is_twisted_by_definition};
pub use moves::{Effect, Move};
pub use rules::{Army, Ostle, Position};
pub use solve::{Below, Engine, Group, GroupClass, HoleCount, class_at, consecutive, count_class};
pub use stored::{ByBoards, Values, all_classes, classes};

/// Converts a level to a value: an odd level is a win in that many plies, an even one a loss, 0 a draw.
pub fn value(level: u8) -> kanzen::Value {
    match level {
        0 => kanzen::Value::DRAW,
        _ if level & 1 == 1 => kanzen::Value::win(level.into()),
        _ => kanzen::Value::loss(level.into()),
    }
}
