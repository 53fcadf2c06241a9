//! What only the paper needs: its own way to solve, its tables, positions by fewest plies.

mod positions;
mod published;
mod reach;

pub use positions::ByPositions;
pub use published::tables;
pub use reach::{Reached, reach};
