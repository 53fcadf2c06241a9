//! The commands, one a file: its arguments, and what it does with them.

pub mod completions;
pub mod count;
pub mod games;
pub mod line;
pub mod man;
pub mod play;
pub mod probe;
pub mod reach;
pub mod serve;
pub mod solve;
pub mod stats;
pub mod verify;
