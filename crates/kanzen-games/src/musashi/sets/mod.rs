//! Sets of positions as bit-vectors, and moves as operations on the bits of their indices.
//!
//! ```text
//! index of a position   hhhhhhhhhhhhhhhhh lllllllllllllll
//!                       number of a block  place in the block: 2^15 bits, 4 KiB, stays in the first-level cache
//! ```
//!
//! A move changes one or two index bits. High bits select another block, low bits move bits within it: see [`transfer()`].

mod count;
mod mirror;
mod pairs;
mod schedule;
mod transfer;

pub use count::{Ones, count_by_ones};
pub use mirror::Mirror;
pub use pairs::{Visited, for_each_pair};
pub use schedule::{Schedule, ScheduleStep};
pub use transfer::{Merge, Transfer, occupied, or, swap, take_new, transfer, transfer_within};

use kanzen::Error;
use kanzen_core::machine::Array;

/// Index bits within a block.
pub const BLOCK_BITS: u32 = 15;

/// Words of a block.
pub const BLOCK_WORDS: usize = 1 << (BLOCK_BITS - 6);

/// A set of numbers below `2^bits`, a bit each, on huge pages where there are any.
///
/// ```
/// use kanzen_games::musashi::sets::Bits;
/// let mut set = Bits::empty(20)?;
/// set.words_mut()[3] = 1 << 5;
/// assert!(set.contains(3 * 64 + 5) && !set.contains(3 * 64 + 6));
/// assert_eq!(set.blocks().count(), 32);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Bits {
    words: Array<u64>,
    block: usize,
}

impl Bits {
    /// The empty set of numbers below `2^bits`; at least one word.
    pub fn empty(bits: u32) -> Result<Bits, Error> {
        Bits::cut(bits, BLOCK_BITS)
    }

    /// The same in smaller blocks than usual, for tests: of `block_bits` index bits, from 6 to [`BLOCK_BITS`].
    pub fn cut(bits: u32, block_bits: u32) -> Result<Bits, Error> {
        let words = 1usize << bits.max(6) >> 6;
        let block = words.min(1 << (block_bits.clamp(6, BLOCK_BITS) - 6));
        Ok(Bits { words: Array::zeroed("a set of positions", words)?, block })
    }

    /// Whether the set has a number.
    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        self.words()[(number >> 6) as usize] >> (number & 63) & 1 == 1
    }

    /// The words of the set.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of the set, to be changed.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Words in a block: fewer than [`BLOCK_WORDS`] only if the whole set is smaller.
    pub fn block_words(&self) -> usize {
        self.block
    }

    /// The words of the block of a number.
    #[inline]
    pub fn block(&self, number: usize) -> &[u64] {
        &self.words()[number * self.block..][..self.block]
    }

    /// The words of each block, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &[u64]> {
        self.words().chunks_exact(self.block)
    }
}
