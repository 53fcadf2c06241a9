//! Sorted keys: which slot a key has, and which key a slot.
//!
//! ```text
//! block 0      the keys 0 .. per_block, all but the first, as distances from the key before
//! block 1      ...
//! last block   directory: keys, keys per block, bytes per key, the first key of each block
//! ```
//!
//! The directory stays in memory. A look-up searches it, then one block.

mod coding;
mod packed;
#[cfg(test)]
mod tests;
mod write;

pub(super) use packed::{pack_wide_keys, write_packed_keys};
pub(super) use write::write_wide_keys;
pub use write::{KeysOptions, write_keys, write_keys_with};

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use rayon::prelude::*;

use super::{BlockCache, BlockFile, Kind};
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::Key;

const KEYS: Kind = *b"keys";
/// Keys per block, at most: a look-up unpacks them all.
const MAX_PER_BLOCK: u64 = 1 << 16;
/// A key as its distance from the one before takes at most so many bytes.
const MAX_CODED: usize = 19;

/// How many keys there are and how they are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Directory {
    len: u64,
    per_block: u64,
}

impl Directory {
    fn blocks(&self) -> u64 {
        self.len.div_ceil(self.per_block)
    }

    fn slots(&self, block: u64) -> Range<u64> {
        block * self.per_block..self.len.min((block + 1) * self.per_block)
    }

    /// Nothing if the bytes are no directory of such keys.
    fn from_bytes<K: Key>(bytes: &[u8]) -> Option<(Directory, Vec<K>)> {
        let (numbers, firsts) = bytes.split_at_checked(24)?;
        let (numbers, _) = numbers.as_chunks();
        let [len, per_block, width] = [0, 1, 2].map(|i| u64::from_le_bytes(numbers[i]));
        let directory = Directory { len, per_block };
        if !(1..=MAX_PER_BLOCK).contains(&per_block) || width != size_of::<K>() as u64 {
            return None;
        }
        if directory.blocks().checked_mul(width)? != firsts.len() as u64 {
            return None;
        }
        let firsts: Vec<K> = firsts.chunks_exact(size_of::<K>()).map(coding::get_key).collect();
        firsts.is_sorted_by(|a, b| a < b).then_some((directory, firsts))
    }
}

/// Sorted keys in a file; any number of threads may read from it. See [`write_keys`].
#[derive(Debug)]
pub struct KeysFile<K> {
    blocks: BlockFile,
    cache: Arc<BlockCache>,
    directory: Directory,
    firsts: Vec<K>,
}

impl<K: Key> KeysFile<K> {
    /// The kind of its block file.
    pub(crate) const KIND: Kind = KEYS;

    /// The keys that a block file holds.
    pub(crate) fn from_blocks(blocks: BlockFile, cache: &Arc<BlockCache>) -> Result<KeysFile<K>, Error> {
        let damaged = || Error::damaged(blocks.path(), "its directory");
        let last = blocks.blocks().checked_sub(1).ok_or_else(damaged)?;
        // Its length follows from the number of blocks: no other is unpacked.
        let bytes = usize::try_from(24 + last * size_of::<K>() as u64).map_err(|_| damaged())?;
        let bytes = blocks.read_sized(last, bytes..=bytes)?;
        let (directory, firsts) = Directory::from_bytes(&bytes).ok_or_else(damaged)?;
        if directory.blocks() != last {
            return Err(damaged());
        }
        Ok(KeysFile { blocks, cache: cache.clone(), directory, firsts })
    }

    /// How many keys there are.
    pub fn len(&self) -> u64 {
        self.directory.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The file beneath.
    pub fn blocks(&self) -> &BlockFile {
        &self.blocks
    }

    /// The slot of a key, if it is among the keys: how many are below it.
    pub fn rank(&self, key: K) -> Result<Option<u64>, Error> {
        let Some(block) = self.firsts.partition_point(|&first| first <= key).checked_sub(1) else {
            return Ok(None);
        };
        let bytes = self.cached(block as u64)?;
        let at = |slot: usize| coding::get_key::<K>(&bytes[slot * size_of::<K>()..]);
        let (mut low, mut high) = (0, bytes.len() / size_of::<K>());
        while low < high {
            let middle = low.midpoint(high);
            if at(middle) < key { low = middle + 1 } else { high = middle }
        }
        let found = low < bytes.len() / size_of::<K>() && at(low) == key;
        Ok(found.then(|| self.directory.slots(block as u64).start + low as u64))
    }

    /// The key of a slot.
    pub fn select(&self, slot: u64) -> Result<K, Error> {
        if slot >= self.len() {
            let path = self.blocks.path().to_owned();
            return Err(Error::OutOfRange { path, slot, len: self.len() });
        }
        let bytes = self.cached(slot / self.directory.per_block)?;
        let at = (slot % self.directory.per_block) as usize;
        Ok(coding::get_key(&bytes[at * size_of::<K>()..]))
    }

    /// Visits all keys in order, by stretches; they are unpacked in parallel and past the cache.
    pub fn visit_all(&self, visit: &mut dyn FnMut(&[u128]) -> Result<(), Error>) -> Result<(), Error> {
        const BLOCKS: u64 = 256;
        for first in (0..self.directory.blocks()).step_by(BLOCKS as usize) {
            let blocks = first..self.directory.blocks().min(first + BLOCKS);
            let stretches: Vec<Vec<u128>> =
                blocks.into_par_iter().map(|block| self.unpacked(block)).collect::<Result<_, _>>()?;
            stretches.iter().try_for_each(|keys| visit(keys))?;
        }
        Ok(())
    }

    fn unpacked(&self, block: u64) -> Result<Vec<u128>, Error> {
        // The block vouches for its length: each key but the first takes at least a byte of its own.
        self.blocks.check_size(block, self.coded(block))?;
        let slots = self.directory.slots(block);
        let mut keys = vec![K::from_wide(0); (slots.end - slots.start) as usize];
        self.decode(block, &mut keys)?;
        Ok(keys.into_iter().map(Key::wide).collect())
    }

    fn cached(&self, block: u64) -> Result<Arc<[u8]>, Error> {
        self.cache.get(&self.blocks, block, 0, || {
            let slots = self.directory.slots(block);
            let mut keys = vec![K::from_wide(0); (slots.end - slots.start) as usize];
            self.decode(block, &mut keys)?;
            let mut bytes = Vec::with_capacity(keys.len() * size_of::<K>());
            keys.iter().for_each(|key| coding::put_key(&mut bytes, key.wide(), size_of::<K>()));
            Ok(bytes)
        })
    }

    /// How many bytes the keys of a block can take: all but the first one at least, and at most [`MAX_CODED`] each.
    fn coded(&self, block: u64) -> RangeInclusive<usize> {
        let slots = self.directory.slots(block);
        let keys = (slots.end - slots.start) as usize - 1;
        keys..=MAX_CODED * keys
    }

    fn decode(&self, block: u64, keys: &mut [K]) -> Result<(), Error> {
        let first = self.firsts[block as usize];
        let bytes = self.blocks.read_sized(block, self.coded(block))?;
        coding::decode(&bytes, first, keys).ok_or_else(|| self.blocks.damaged(block))
    }
}
