//! Sorted keys packed in a few bytes each; the dense number of a key is its place.
//!
//! ```text
//!   directory   the high bits of a key  ->  about which block              0.1 byte a key
//!   heads       [ first key | where its numbers are, how wide ]  a block   0.25 (0.5 for keys of 16 bytes)
//!   words       64 distances from the first key, of as many bits as the largest needs
//! ```
//!
//! A look-up touches one line of each, and each can be asked for ahead of time. The key of a place is found without a
//! search: 64 keys are a block, however far apart they are.

mod bits;
mod builder;
mod chunk;
mod directory;

pub use builder::PackedKeysBuilder;
pub(super) use chunk::Chunk;

use std::ops::Range;

use self::bits::BLOCK;
use self::directory::Directory;
use crate::machine::{Array, prefetch};
use crate::vocabulary::{Error, Key};

/// Keys that are looked up together.
const BATCH: usize = 32;
/// Words of a cache line.
const LINE: usize = 8;

/// Different keys in ascending order, packed, with quick look-up.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::PackedKeys;
/// let keys = PackedKeys::new([3u32, 7, 1000])?;
/// assert_eq!(keys.rank(7), Some(1));
/// assert_eq!(keys.rank(8), None);
/// assert_eq!(keys.key(2), 1000);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct PackedKeys<K> {
    heads: Array<u64>,
    words: Array<u64>,
    directory: Directory<K>,
    len: u64,
}

/// The numbers of a block.
#[derive(Clone, Copy)]
struct Head<K> {
    first: K,
    at: usize,
    width: u32,
}

impl<K: Key> PackedKeys<K> {
    /// Words of a head.
    const HEAD: usize = if size_of::<K>() > 8 { 4 } else { 2 };

    /// Takes keys that ascend strictly.
    ///
    /// # Panics
    /// In debug builds, if they do not.
    pub fn new(keys: impl IntoIterator<Item = K>) -> Result<PackedKeys<K>, Error> {
        let mut builder = PackedKeysBuilder::default();
        builder.extend(keys)?;
        builder.finish()
    }

    /// How many keys there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.heads[..]) + size_of_val(&self.words[..])) as u64 + self.directory.bytes()
    }

    /// The place of a key, if it is one of these.
    pub fn rank(&self, key: K) -> Option<u64> {
        self.find(self.block_from(self.directory.start(key), key), key)
    }

    /// The places of several keys, each as [`rank`](Self::rank) returns it. Faster than one by one: what one key waits
    /// for is fetched while the others are looked at.
    pub fn rank_all(&self, keys: &[K], found: &mut impl FnMut(usize, Option<u64>)) {
        let mut blocks = [0; BATCH];
        for (batch, keys) in keys.chunks(BATCH).enumerate() {
            keys.iter().for_each(|key| self.directory.fetch(*key));
            for (block, key) in blocks.iter_mut().zip(keys) {
                *block = self.directory.start(*key);
                if let Some(head) = self.heads.get(*block * Self::HEAD) {
                    prefetch(head);
                }
            }
            for (block, key) in blocks.iter_mut().zip(keys) {
                *block = self.block_from(*block, *key);
                self.fetch_words(*block);
            }
            for (at, (block, key)) in blocks.iter().zip(keys).enumerate() {
                found(batch * BATCH + at, self.find(*block, *key));
            }
        }
    }

    /// Asks for what [`key`](Self::key) looks at first, some time before it is called.
    #[inline]
    pub fn fetch(&self, place: u64) {
        if let Some(head) = self.heads.get(place as usize / BLOCK * Self::HEAD) {
            prefetch(head);
        }
    }

    /// The key at a place.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn key(&self, place: u64) -> K {
        assert!(place < self.len, "there are {} keys, and none at {place}", self.len);
        let head = self.head(place as usize / BLOCK);
        let distance = bits::wide(&self.words[head.at..], place as usize % BLOCK, head.width);
        K::from_wide(head.first.wide() + distance)
    }

    /// Visits the keys of some places, in order.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn visit(&self, places: Range<u64>, mut visit: impl FnMut(K)) {
        assert!(places.end <= self.len, "there are {} keys", self.len);
        let mut place = places.start;
        while place < places.end {
            let Head { first, at, width } = self.head(place as usize / BLOCK);
            let from = place as usize % BLOCK;
            let count = ((places.end - place) as usize).min(BLOCK - from);
            let words = &self.words[at..];
            for at in from..from + count {
                visit(K::from_wide(first.wide() + bits::wide(words, at, width)));
            }
            place += count as u64;
        }
    }

    fn blocks(&self) -> usize {
        self.heads.len() / Self::HEAD
    }

    #[inline]
    fn head(&self, block: usize) -> Head<K> {
        let words = &self.heads[block * Self::HEAD..][..Self::HEAD];
        Head { first: Self::first_of(words), at: (words[0] >> 8) as usize, width: words[0] as u32 & 255 }
    }

    /// The first key of the block with this head.
    #[inline]
    fn first_of(head: &[u64]) -> K {
        K::from_wide(if Self::HEAD == 4 { u128::from(head[1]) | u128::from(head[2]) << 64 } else { head[1].into() })
    }

    /// The last block that does not begin after the key; the search begins at one that does not, or at the first.
    #[inline]
    fn block_from(&self, start: usize, key: K) -> usize {
        let mut block = start;
        while block + 1 < self.blocks() && Self::first_of(&self.heads[(block + 1) * Self::HEAD..]) <= key {
            block += 1;
        }
        block
    }

    #[inline]
    fn fetch_words(&self, block: usize) {
        if block < self.blocks() {
            let Head { at, width, .. } = self.head(block);
            for word in (at..at + width as usize).step_by(LINE) {
                prefetch(&self.words[word]);
            }
        }
    }

    /// The place of a key in the block that it would be in.
    #[inline]
    fn find(&self, block: usize, key: K) -> Option<u64> {
        if block >= self.blocks() {
            return None;
        }
        let Head { first, at, width } = self.head(block);
        if key < first {
            return None;
        }
        let distance = key.wide() - first.wide();
        if width < 128 && distance >> width != 0 {
            return None;
        }
        let words = &self.words[at..];
        // How many numbers are below the distance: the highest step first, without branches.
        let mut below = 0;
        if width <= 64 {
            let distance = distance as u64;
            for step in [32, 16, 8, 4, 2, 1] {
                below += if bits::narrow(words, below + step - 1, width) < distance { step } else { 0 };
            }
            if bits::narrow(words, below, width) != distance {
                return None;
            }
        } else {
            for step in [32, 16, 8, 4, 2, 1] {
                below += if bits::wide(words, below + step - 1, width) < distance { step } else { 0 };
            }
            if bits::wide(words, below, width) != distance {
                return None;
            }
        }
        Some((block * BLOCK + below) as u64)
    }
}

#[cfg(test)]
mod tests;
