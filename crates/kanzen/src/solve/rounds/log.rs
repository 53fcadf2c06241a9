//! The bits that one round has set: its log and its checkpoint in one.
//!
//! A set is cut into blocks of words, and so many blocks make a chunk. In the log of a chunk stand only the blocks in
//! which anything is new:
//!
//! ```text
//! chunk    which blocks follow, a bit each, then those blocks, words in little-endian order; nothing if none follow
//! ```
//!
//! The union of all rounds is the set, so the logs of the finished rounds are all that a resumed solve needs.

use std::path::Path;

use super::keeper::Keeper;
use super::planes::SetShape;
use crate::solve::{Job, ReadChunk, SolveStore};
use crate::vocabulary::Error;

/// What a round has added to a set.
pub(super) fn log_name(round: usize, set: usize) -> String {
    format!("round-{round}-{set}")
}

/// A round at work: where what is new goes, and who listens.
pub struct RoundWriter<'a> {
    job: &'a Job<'a>,
    round: usize,
    shapes: &'a [SetShape],
    keeper: &'a Keeper<'a>,
}

impl<'a> RoundWriter<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        round: usize,
        shapes: &'a [SetShape],
        keeper: &'a Keeper<'a>,
    ) -> RoundWriter<'a> {
        RoundWriter { job, round, shapes, keeper }
    }

    /// What the round is played for: it hears of each part, and may ask to stop.
    pub fn job(&self) -> &Job<'a> {
        self.job
    }

    /// Keeps what is new in a set; `make` is called in parallel, once for each chunk. It does not wait for the disk.
    pub fn put(&self, set: usize, make: &(dyn Fn(usize) -> SparseChunk + Sync)) -> Result<(), Error> {
        let chunks = self.shapes[set].chunks() as u64;
        self.job.store.put_log(&log_name(self.round, set), chunks, &|chunk| make(chunk as usize).into_bytes())?;
        self.keeper.logged();
        Ok(())
    }
}

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

    /// As it is kept.
    pub fn into_bytes(self) -> Vec<u8> {
        if self.some { self.bytes } else { Vec::new() }
    }
}

/// The log of a finished round.
///
/// ```
/// use kanzen::solve::rounds::{RoundLog, SparseChunk};
/// use kanzen::solve::{MemoryStore, SolveStore};
/// let store = MemoryStore::default();
/// store.put_log("round", 3, &|chunk| {
///     let mut new = SparseChunk::new(2);
///     if chunk == 1 {
///         new.add(1, &[5, 6]);
///     }
///     new.into_bytes()
/// })?;
///
/// let mut found = Vec::new();
/// let log = RoundLog::open(&store, "round")?;
/// log.read(1, 2, 2, |block, words| found.push((block, words.to_vec())))?;
/// assert_eq!(found, [(1, vec![5, 6])]);
/// log.read(0, 2, 2, |_, _| unreachable!("nothing is new"))?;
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct RoundLog<'a> {
    name: String,
    read: ReadChunk<'a>,
}

impl<'a> RoundLog<'a> {
    /// Opens a log that was kept.
    pub fn open(store: &'a dyn SolveStore, name: &str) -> Result<RoundLog<'a>, Error> {
        Ok(RoundLog { name: name.to_owned(), read: store.get_log(name)? })
    }

    /// Reads a chunk of `blocks` blocks of `words` words and hands out those in which anything is new.
    pub fn read(
        &self,
        chunk: usize,
        blocks: usize,
        words: usize,
        mut take: impl FnMut(usize, &[u64]),
    ) -> Result<(), Error> {
        let bytes = (self.read)(chunk as u64)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let damaged = || Error::damaged(Path::new(&self.name), format!("chunk {chunk}"));
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
