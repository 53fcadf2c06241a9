//! The bits that one round of a set-at-a-time solve has set: its log and its checkpoint in one.
//!
//! A set is cut into blocks of words, and so many blocks make a chunk. A chunk is a block of a block file; in it stand
//! only the blocks in which anything is new:
//!
//! ```text
//! chunk    which blocks follow, a bit each, then those blocks, words in little-endian order; nothing if none follow
//! ```
//!
//! The union of all rounds is the set, so the logs of the finished rounds are all that a resumed solve needs.

use std::path::Path;

use super::{BlockFile, BlockSummary, BlockWriter, Kind, StoreError};

const ROUND: Kind = *b"rond";
const QUICK: i32 = 1; // written once, read once

/// The new blocks of a chunk, as they are gathered.
pub struct SparseChunk {
    bytes: Vec<u8>,
    some: bool,
}

impl SparseChunk {
    /// A chunk of so many blocks, none of them with anything new.
    pub fn new(blocks: usize) -> SparseChunk {
        SparseChunk { bytes: vec![0; blocks.div_ceil(8)], some: false }
    }

    /// Adds a block; blocks come in ascending order.
    pub fn add(&mut self, block: usize, words: &[u64]) {
        self.bytes[block / 8] |= 1 << (block % 8);
        self.bytes.reserve(8 * words.len());
        words.iter().for_each(|word| self.bytes.extend_from_slice(&word.to_le_bytes()));
        self.some = true;
    }

    fn into_bytes(self) -> Vec<u8> {
        if self.some { self.bytes } else { Vec::new() }
    }
}

/// Writes the log of a round.
///
/// ```
/// use kanzen::store::{RoundFile, RoundWriter, SparseChunk};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("round");
/// let mut writer = RoundWriter::create(&path, 7)?;
/// writer.push_many(3, |chunk| {
///     let mut new = SparseChunk::new(2);
///     if chunk == 1 {
///         new.add(1, &[5, 6]);
///     }
///     new
/// })?;
/// writer.finish()?;
///
/// let mut found = Vec::new();
/// let file = RoundFile::open(&path, 7)?;
/// file.read(1, 2, 2, |block, words| found.push((block, words.to_vec())))?;
/// assert_eq!(found, [(1, vec![5, 6])]);
/// assert!(file.is_empty(0) && !file.is_empty(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RoundWriter(BlockWriter);

impl RoundWriter {
    /// Begins the log `path`.
    pub fn create(path: &Path, fingerprint: u64) -> Result<RoundWriter, StoreError> {
        Ok(RoundWriter(BlockWriter::create(path, ROUND, fingerprint)?.level(QUICK).unsynced()))
    }

    /// Adds `chunks` chunks; `make` is called once for each, in parallel.
    pub fn push_many(&mut self, chunks: u64, make: impl Fn(u64) -> SparseChunk + Sync) -> Result<(), StoreError> {
        self.0.push_many(chunks, |chunk| Ok(make(chunk).into_bytes()))
    }

    /// Gives the log its name. It reaches the disk when the system likes, or with [`WorkFolder::sync`](super::WorkFolder::sync).
    pub fn finish(self) -> Result<BlockSummary, StoreError> {
        self.0.finish()
    }
}

/// The log of a finished round.
#[derive(Debug)]
pub struct RoundFile(BlockFile);

impl RoundFile {
    /// Opens a log that was written for the rules with this fingerprint.
    pub fn open(path: &Path, fingerprint: u64) -> Result<RoundFile, StoreError> {
        Ok(RoundFile(BlockFile::open(path, ROUND, fingerprint)?))
    }

    /// How many chunks it has.
    pub fn chunks(&self) -> u64 {
        self.0.blocks()
    }

    /// Whether a chunk has nothing new.
    pub fn is_empty(&self, chunk: u64) -> bool {
        self.0.raw_len(chunk) == Some(0)
    }

    /// Reads a chunk of `blocks` blocks of `words` words and hands out those in which anything is new.
    pub fn read(
        &self,
        chunk: u64,
        blocks: usize,
        words: usize,
        mut take: impl FnMut(usize, &[u64]),
    ) -> Result<(), StoreError> {
        let bytes = self.0.read(chunk)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let damaged = || self.0.damaged(chunk);
        let (which, data) = bytes.split_at_checked(blocks.div_ceil(8)).ok_or_else(damaged)?;
        let new = (0..blocks).filter(|block| which[block / 8] >> (block % 8) & 1 == 1);
        let (data, []) = data.as_chunks::<8>() else { return Err(damaged()) };
        if data.len() != words * new.clone().count() {
            return Err(damaged());
        }
        let mut block_words = vec![0; words];
        for (block, data) in new.zip(data.chunks(words.max(1))) {
            block_words.iter_mut().zip(data).for_each(|(word, &bytes)| *word = u64::from_le_bytes(bytes));
            take(block, &block_words);
        }
        Ok(())
    }
}
