//! Positions as dense numbers.

mod enumerated;
mod merge;
mod sorted;

pub use enumerated::Enumerated;
pub use sorted::SortedKeys;
