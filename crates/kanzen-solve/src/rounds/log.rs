//! The bits that one round has set in a set: log and checkpoint in one file.
//!
//! A set is cut into blocks of words, and so many blocks make a chunk. In the log of a chunk stand only the blocks in
//! which anything is new:
//!
//! ```text
//! chunk    which blocks follow, a bit each; a mark; then those blocks; nothing at all if none follow
//! block    0, then all its words                        where much is new
//!          n, then the places of n bits, ascending      where little is: as a rule, and much less to compress
//! ```
//!
//! All numbers have sixteen bits, words 64, in little-endian order. With the mark, one byte, no chunk is as long as one of
//! an earlier version, which had all words of each block: such a log is found damaged, and its round is played again.
//!
//! The union of all rounds is the set, so the logs of the finished rounds are all that a resumed solve needs.

use std::ops::Range;
use std::path::Path;

use super::log_sync::LogSync;
use super::planes::SetShape;
use crate::{Job, ReadChunk, WorkFolder};
use kanzen_core::vocabulary::Error;

/// What a round has added to a set.
pub(super) fn log_name(round: usize, set: usize) -> String {
    format!("round-{round}-{set}")
}

/// Takes what is new in some chunks of a set, by their numbers; they are made in parallel.
pub type AddNew<'a> = dyn FnMut(Range<usize>, &(dyn Fn(usize) -> SparseChunk + Sync)) -> Result<(), Error> + 'a;

/// A round at work: the log of its new bits, and the job.
pub struct RoundWriter<'a> {
    job: &'a Job<'a>,
    round: usize,
    shapes: &'a [SetShape],
    log_sync: &'a LogSync<'a>,
}

impl<'a> RoundWriter<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        round: usize,
        shapes: &'a [SetShape],
        log_sync: &'a LogSync<'a>,
    ) -> RoundWriter<'a> {
        RoundWriter { job, round, shapes, log_sync }
    }

    /// The job that the round is played for: it receives each part, and may ask to stop.
    pub fn job(&self) -> &Job<'a> {
        self.job
    }

    /// Keeps what is new in a set; `make` is called in parallel, once for each chunk. It does not wait for the disk.
    pub fn put(&self, set: usize, make: &(dyn Fn(usize) -> SparseChunk + Sync)) -> Result<(), Error> {
        self.put_in_parts(set, |add| add(0..self.shapes[set].chunks(), make))
    }

    /// Keeps what is new in a set as it is found: `play` hands on stretches of chunks, one after the other, until none is
    /// left. What is kept is that of [`put`](RoundWriter::put); if `play` fails, it is nothing.
    ///
    /// # Panics
    /// If the stretches are not all chunks in order.
    pub fn put_in_parts<T>(
        &self,
        set: usize,
        play: impl FnOnce(&mut AddNew<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (mut play, mut played, mut next) = (Some(play), None, 0);
        self.job.store.put_log_in_parts(&log_name(self.round, set), &mut |add| {
            let play = play.take().expect("a log is made once");
            played = Some(play(&mut |chunks: Range<usize>, make| {
                assert_eq!(chunks.start, next, "chunks come in order");
                next = chunks.end;
                add(chunks.len() as u64, &|chunk| make(chunks.start + chunk as usize).into_bytes())
            })?);
            assert_eq!(next, self.shapes[set].chunks(), "no chunk is left out");
            Ok(())
        })?;
        self.log_sync.log_written();
        Ok(played.expect("a log that is kept was made"))
    }
}

/// What stands after the bits that list which blocks follow.
const MARK: u8 = 2;

/// Whether a block of so many words in which so many bits are new is kept as their places.
fn is_sparse(words: usize, bits: usize) -> bool {
    bits <= words / 2 && words <= 1 << 10
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

    /// Adds a block with something new; blocks come in ascending order.
    pub fn add(&mut self, block: usize, words: &[u64]) {
        if !std::mem::replace(&mut self.some, true) {
            self.bytes.push(MARK);
        }
        self.bytes[block / 8] |= 1 << (block % 8);
        let bits: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if bits > 0 && is_sparse(words.len(), bits) {
            self.bytes.reserve(2 + 2 * bits);
            self.bytes.extend_from_slice(&(bits as u16).to_le_bytes());
            for (at, &word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
                let mut left = word;
                while left != 0 {
                    let place = 64 * at as u32 + left.trailing_zeros();
                    self.bytes.extend_from_slice(&(place as u16).to_le_bytes());
                    left &= left - 1;
                }
            }
            return;
        }
        self.bytes.reserve(2 + 8 * words.len());
        self.bytes.extend_from_slice(&0u16.to_le_bytes());
        words.iter().for_each(|word| self.bytes.extend_from_slice(&word.to_le_bytes()));
    }

    /// As it is kept.
    pub fn into_bytes(self) -> Vec<u8> {
        if self.some { self.bytes } else { Vec::new() }
    }
}

/// The log of a finished round.
///
/// ```
/// use kanzen_solve::rounds::{RoundLog, SparseChunk};
/// use kanzen_solve::WorkFolder;
/// let store = WorkFolder::in_memory();
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
/// # Ok::<(), kanzen_core::Error>(())
/// ```
pub struct RoundLog<'a> {
    name: String,
    read: ReadChunk<'a>,
}

impl<'a> RoundLog<'a> {
    /// Opens a log that was kept.
    pub fn open(store: &'a WorkFolder, name: &str) -> Result<RoundLog<'a>, Error> {
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
        let Some((&MARK, mut data)) = data.split_first() else { return Err(damaged()) };
        let mut block_words = vec![0; words];
        for block in (0..blocks).filter(|block| which[block / 8] >> (block % 8) & 1 == 1) {
            data = take_block(data, &mut block_words).ok_or_else(damaged)?;
            take(block, &block_words);
        }
        if !data.is_empty() {
            return Err(damaged());
        }
        Ok(())
    }
}

/// Reads a block, and returns what comes after it; nothing if there is no such block.
fn take_block<'a>(data: &'a [u8], words: &mut [u64]) -> Option<&'a [u8]> {
    let (bits, data) = data.split_first_chunk()?;
    let bits = usize::from(u16::from_le_bytes(*bits));
    if bits == 0 {
        let (block, data) = data.split_at_checked(8 * words.len())?;
        words.iter_mut().zip(block.as_chunks().0).for_each(|(word, &bytes)| *word = u64::from_le_bytes(bytes));
        return Some(data);
    }
    let (places, data) = data.split_at_checked(2 * bits)?;
    words.fill(0);
    for &place in places.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes(place));
        *words.get_mut(place / 64)? |= 1 << (place % 64);
    }
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AddChunks, WorkFolder};

    fn read(bytes: &[u8], blocks: usize, words: usize) -> Result<Vec<(usize, Vec<u64>)>, Error> {
        let store = WorkFolder::in_memory();
        store.put_log("log", 1, &|_| bytes.to_vec())?;
        let mut found = Vec::new();
        RoundLog::open(&store, "log")?.read(0, blocks, words, |block, new| found.push((block, new.to_vec())))?;
        Ok(found)
    }

    #[test]
    fn blocks_with_much_and_with_little_come_back() {
        for words in [1usize, 4, 64, 512, 2048] {
            let scattered = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0x2545_f491);
            let with = |bits: usize| {
                let mut block = vec![0u64; words];
                (0..bits as u64).map(scattered).for_each(|n| block[(n >> 8) as usize % words] |= 1 << (n & 63));
                block[words - 1] |= 1 << 63;
                block
            };
            let mut chunk = SparseChunk::new(20);
            let kept: Vec<(usize, Vec<u64>)> = [(0, 0), (3, words / 2), (7, words), (8, 60 * words), (19, 1)]
                .map(|(block, bits)| (block, with(bits)))
                .into();
            kept.iter().for_each(|(block, words)| chunk.add(*block, words));
            let bytes = chunk.into_bytes();
            assert_eq!(read(&bytes, 20, words).unwrap(), kept);
            for end in 1..bytes.len().min(50) {
                assert!(read(&bytes[..bytes.len() - end], 20, words).is_err(), "{end} bytes are gone");
            }
        }
    }

    #[test]
    fn a_log_in_parts_is_the_log_at_once() {
        let store = WorkFolder::in_memory();
        let make = |chunk: u64| vec![chunk as u8; chunk as usize % 7];
        store.put_log("at once", 20, &make).unwrap();
        for ends in [vec![20], vec![0, 1, 20], vec![7, 7, 19, 20]] {
            let mut first = 0;
            let mut add_each = |add: &mut AddChunks<'_>| {
                ends.iter().try_for_each(|&end| {
                    let from = std::mem::replace(&mut first, end);
                    add(end - from, &|chunk| make(from + chunk))
                })
            };
            store.put_log_in_parts("parts", &mut add_each).unwrap();
            let [at_once, parts] = ["at once", "parts"].map(|name| store.get_log(name).unwrap());
            (0..20).for_each(|chunk| assert_eq!(parts(chunk).unwrap(), at_once(chunk).unwrap()));
            assert!(parts(20).is_err());
        }
        store.put_log_in_parts("failed", &mut |add| add(3, &make).and(Err(Error::Stopped))).unwrap_err();
        assert!(!store.has("failed"), "what is there was finished");
    }

    #[test]
    fn a_log_of_an_earlier_version_is_refused() {
        let mut earlier = vec![0b11];
        earlier.extend([2, 0, 0, 0, 0, 0, 0, 0].repeat(8));
        assert!(read(&earlier, 8, 4).is_err());
    }
}
