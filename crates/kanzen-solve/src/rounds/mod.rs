//! The set-at-a-time engine: sets of positions as bit-vectors, moves as operations on index bits.
//!
//! ```text
//! index of a position   hhhhhhhhhhhhhhhhh lllllllllllllll
//!                       number of a block  place in the block: 2^15 bits, 4 KiB, stays in the first-level cache
//! ```
//!
//! A move changes one or two index bits. High bits choose another block, low bits move bits within it: see
//! [`transfer`]. Rounds are synchronous (losses, then wins), so the round in which a bit appears is its distance.
//! What a game adds is which transfers its moves are; see `kanzen-games`' Musashi. [`solve`] plays the [`Rounds`] of any
//! game, keeps their logs and makes planes of them.

mod bits;
mod count;
mod driver;
mod log;
mod log_sync;
mod mirror;
mod numbers;
mod pairs;
mod planes;
mod schedule;
#[cfg(test)]
mod tests;
mod transfer;

pub use bits::{BLOCK_BITS, BLOCK_WORDS, Bits};
pub use count::{Ones, count_by_ones};
pub use driver::{ROUND_WORK, Rounds, solve};
pub use log::{AddNew, RoundLog, RoundWriter, SparseChunk};
pub use mirror::Mirror;
pub use numbers::Numbers;
pub use pairs::{Visited, for_each_pair};
pub use planes::SetShape;
pub use schedule::{Schedule, ScheduleStep};
pub use transfer::{Merge, Transfer, occupied, or, swap, take_new, transfer, transfer_within};

/// A set of positions of any size, as words.
pub type WordArray = kanzen_core::machine::Array<u64>;
