//! The paper's own methods: its solver, and the positions by fewest plies from the start.

mod positions;
mod reach;

pub use positions::ByPositions;
pub use reach::{Reached, reach};
