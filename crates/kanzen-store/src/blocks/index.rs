//! The index of a block file, whose entries are read when wanted.
//!
//! ```text
//! chunk 0    the entries of blocks 0 .. 16
//! chunk 1    16 .. 32, read with the entry before, whose block must end where the first of these begins
//! ...
//! ```
//!
//! The checksum of the footer covers the whole index, so that it proves nothing about one chunk. What vouches for an entry is
//! its block: an entry that was changed names other bytes, or another checksum of them, and the block is then damaged.
//! What a block cannot tell, its place between others and the bounds of what a reader allocates, is checked here.

use std::sync::OnceLock;

use xxhash_rust::xxh3::Xxh3Default;

use super::{ENTRY_LEN, Entry, Footer, HEADER_LEN, MAX_BLOCK};
use kanzen_core::vocabulary::Error;

/// Bytes of the shortest block: even an empty one has a frame.
const LEAST_BLOCK: u64 = 8;
/// Entries that are read together: few, for where they are fetched, each costs its bytes.
const CHUNK: u64 = 16;
/// Bytes that are hashed at a time: they stay in the first cache.
const HASHED: u64 = 1 << 14;

/// Reads bytes of the file; the last is what is damaged if it ends before.
pub(super) type Read<'r> = &'r dyn Fn(&mut [u8], u64, &str) -> Result<(), Error>;

/// Where each block is.
#[derive(Debug)]
pub(super) struct BlockIndex {
    offset: u64,
    blocks: u64,
    chunks: Box<[OnceLock<Box<[Entry]>>]>,
}

impl BlockIndex {
    /// The index between an offset and the footer; nothing if it does not fit there.
    pub fn new(footer: &Footer, footer_offset: u64) -> Option<BlockIndex> {
        // The index fills the space before the footer: its size is bounded by the file's.
        let bytes = footer_offset.checked_sub(footer.index_offset)?;
        let (offset, blocks) = (footer.index_offset, footer.blocks);
        // Nor can there be more blocks than the bytes before it hold.
        let held = offset.checked_sub(HEADER_LEN as u64)? / LEAST_BLOCK;
        let fits = blocks <= held && Some(bytes) == blocks.checked_mul(ENTRY_LEN as u64);
        let chunks = || (0..blocks.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        fits.then(|| BlockIndex { offset, blocks, chunks: chunks() })
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The entry of a block, if there is such a block. `damaged` makes the error of a damaged place.
    pub fn entry(&self, block: u64, read: Read<'_>, damaged: &dyn Fn(String) -> Error) -> Result<Option<Entry>, Error> {
        if block >= self.blocks {
            return Ok(None);
        }
        let chunk = &self.chunks[(block / CHUNK) as usize];
        if chunk.get().is_none() {
            // Another thread may be quicker with the same entries.
            let _ = chunk.set(self.read_chunk(block / CHUNK, read, damaged)?);
        }
        Ok(chunk.get().and_then(|entries| entries.get((block % CHUNK) as usize)).copied())
    }

    fn read_chunk(&self, chunk: u64, read: Read<'_>, damaged: &dyn Fn(String) -> Error) -> Result<Box<[Entry]>, Error> {
        let first = chunk * CHUNK;
        let (from, to) = (first.saturating_sub(1), self.blocks.min(first + CHUNK));
        let mut bytes = vec![0; (to - from) as usize * ENTRY_LEN];
        read(&mut bytes, self.offset + from * ENTRY_LEN as u64, "the index")?;
        let mut entries = bytes.chunks_exact(ENTRY_LEN).map(Entry::from_bytes);
        let before = if from < first { entries.next() } else { None };
        let entries: Box<[Entry]> = entries.collect();
        let mut end = before.map_or(Some(HEADER_LEN as u64), |entry| entry.end());
        for (block, entry) in (first..).zip(&entries) {
            let follows = end == Some(entry.offset) && entry.raw as usize <= MAX_BLOCK;
            end = entry.end().filter(|&end| follows && end <= self.offset);
            if end.is_none() {
                return Err(damaged(format!("the index: the entry of block {block}")));
            }
        }
        if to == self.blocks && end != Some(self.offset) {
            return Err(damaged("the index: it does not follow the last block".to_owned()));
        }
        Ok(entries)
    }

    /// Hands all bytes of the index to the hashes, a piece at a time: nothing of it is kept.
    pub fn hash(&self, read: Read<'_>, hashes: &mut [&mut Xxh3Default]) -> Result<(), Error> {
        let end = self.offset + self.blocks * ENTRY_LEN as u64;
        let mut piece = [0; HASHED as usize];
        let mut at = self.offset;
        while at < end {
            let piece = &mut piece[..HASHED.min(end - at) as usize];
            read(piece, at, "the index")?;
            hashes.iter_mut().for_each(|hash| hash.update(piece));
            at += piece.len() as u64;
        }
        Ok(())
    }
}
