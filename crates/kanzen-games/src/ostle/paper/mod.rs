//! What only the paper needs: its own way to solve, its tables, positions by fewest plies.

mod positions;
mod reach;

pub use positions::ByPositions;
pub use reach::{Reached, reach};
