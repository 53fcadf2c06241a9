//! The set-at-a-time engine: sets of positions as bit-vectors, a round for each ply.
//!
//! Rounds are synchronous (losses, then wins), so the round in which a bit appears is its distance. A game defines one
//! round, with kernels of its own (Musashi and NOCCA of `kanzen-games`). [`solve`] plays the [`Rounds`] of any game, keeps
//! their logs and writes planes from them.

mod driver;
mod log;
mod log_sync;
mod numbers;
mod planes;
#[cfg(test)]
mod tests;

pub use driver::{ROUND_WORK, Rounds, solve};
pub use log::{AddNew, RoundLog, RoundWriter, SparseChunk};
pub use numbers::Numbers;
pub use planes::SetShape;

/// A set of positions of any size, as words.
pub type WordArray = kanzen_core::machine::Array<u64>;
