//! Packs ascending keys as they come.

use super::PackedKeys;
use super::bits::{self, BLOCK};
use super::directory::Directory;
use crate::machine::Array;
use crate::vocabulary::{Error, Key};

/// Words of a piece: small, so that many short lists can be made at a time.
const PIECE: usize = 1 << 16;

/// Takes keys in ascending order and makes [`PackedKeys`] of them.
///
/// Memory goes to the packed keys, and to them once more while [`finish`](Self::finish) moves them to one place.
pub struct PackedKeysBuilder<K> {
    heads: Pieces,
    words: Pieces,
    block: Vec<K>,
    scratch: Vec<u64>,
    len: u64,
}

impl<K: Key> Default for PackedKeysBuilder<K> {
    fn default() -> Self {
        let [heads, words] = Default::default();
        PackedKeysBuilder { heads, words, block: Vec::with_capacity(BLOCK), scratch: Vec::new(), len: 0 }
    }
}

impl<K: Key> PackedKeysBuilder<K> {
    /// Adds some keys, ascending and above all that came before.
    ///
    /// # Panics
    /// In debug builds, if they are not.
    pub fn extend(&mut self, keys: impl IntoIterator<Item = K>) -> Result<(), Error> {
        for key in keys {
            debug_assert!(self.block.last().is_none_or(|last| *last < key), "keys ascend");
            self.block.push(key);
            self.len += 1;
            if self.block.len() == BLOCK {
                self.close_block()?;
            }
        }
        Ok(())
    }

    /// Bytes of memory so far.
    pub fn bytes(&self) -> u64 {
        8 * (self.heads.len + self.words.len) as u64
    }

    /// All keys, to be looked up.
    pub fn finish(mut self) -> Result<PackedKeys<K>, Error> {
        if !self.block.is_empty() {
            self.close_block()?;
        }
        self.words.extend(&[0; bits::AFTER])?;
        let (heads, words) = (self.heads.joined()?, self.words.joined()?);
        let stride = PackedKeys::<K>::HEAD;
        let directory =
            Directory::new(heads.len() / stride, &|block| PackedKeys::<K>::first_of(&heads[block * stride..]))?;
        Ok(PackedKeys { heads, words, directory, len: self.len })
    }

    fn close_block(&mut self) -> Result<(), Error> {
        let at = self.words.len as u64;
        self.scratch.clear();
        let width = bits::pack(&self.block, &mut self.scratch);
        self.words.extend(&self.scratch)?;
        let first = self.block[0].wide();
        let head = [at << 8 | u64::from(width), first as u64, (first >> 64) as u64, 0];
        self.heads.extend(&head[..PackedKeys::<K>::HEAD])?;
        self.block.clear();
        Ok(())
    }
}

/// Words that grow without moving.
#[derive(Default)]
struct Pieces {
    pieces: Vec<Array<u64>>,
    len: usize,
}

impl Pieces {
    fn extend(&mut self, mut words: &[u64]) -> Result<(), Error> {
        while !words.is_empty() {
            let filled = self.len % PIECE;
            if filled == 0 {
                self.pieces.push(Array::zeroed("packed keys", PIECE)?);
            }
            let (now, later) = words.split_at(words.len().min(PIECE - filled));
            let piece = self.pieces.last_mut().expect("a piece that is not full");
            piece[filled..filled + now.len()].copy_from_slice(now);
            self.len += now.len();
            words = later;
        }
        Ok(())
    }

    fn joined(self) -> Result<Array<u64>, Error> {
        let mut words = Array::zeroed("packed keys", self.len)?;
        for (to, piece) in words.chunks_mut(PIECE).zip(self.pieces) {
            to.copy_from_slice(&piece[..to.len()]);
        }
        Ok(words)
    }
}
