//! Set at a time: sets of positions as bit-vectors, moves as operations on index bits.
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
#[cfg(feature = "solve")]
mod count;
#[cfg(feature = "solve")]
mod driver;
#[cfg(feature = "solve")]
mod keeper;
#[cfg(feature = "solve")]
mod log;
mod mirror;
#[cfg(feature = "solve")]
mod numbers;
#[cfg(feature = "solve")]
mod pairs;
#[cfg(feature = "solve")]
mod planes;
#[cfg(feature = "solve")]
mod schedule;
#[cfg(test)]
mod tests;
#[cfg(feature = "solve")]
mod transfer;

pub use bits::{BLOCK_BITS, BLOCK_WORDS, Bits};
#[cfg(feature = "solve")]
pub use count::{Ones, count_by_ones};
#[cfg(feature = "solve")]
pub use driver::{ROUND_WORK, Rounds, solve};
#[cfg(feature = "solve")]
pub use log::{AddNew, RoundLog, RoundWriter, SparseChunk};
pub use mirror::Mirror;
#[cfg(feature = "solve")]
pub use numbers::Numbers;
#[cfg(feature = "solve")]
pub use pairs::{Visited, for_each_pair};
#[cfg(feature = "solve")]
pub use planes::SetShape;
#[cfg(feature = "solve")]
pub use schedule::{Schedule, ScheduleStep};
#[cfg(feature = "solve")]
pub use transfer::{Merge, Transfer, occupied, or, swap, take_new, transfer, transfer_within};

/// A set of positions of any size, as words.
pub type WordArray = crate::machine::Array<u64>;
