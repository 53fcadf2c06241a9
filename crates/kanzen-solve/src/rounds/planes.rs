//! Writes the plane of a set from the logs of its rounds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Numbers;
use super::driver::{Rounds, Unread};
use super::log::{RoundLog, log_name};
use crate::{IndexedPlane, Job};
use kanzen_core::vocabulary::{Error, Value};

/// The values that a plane with a byte a slot can tell apart.
pub const MOST_VALUES: usize = 256;

/// How a set is logged and stored.
///
/// ```text
/// set            words of 64 positions
/// logs           blocks of so many words, of which 128 make a chunk
/// plane          blocks of so many words, each as 64 values; a chunk is a whole number of them
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SetShape {
    /// The file of its plane.
    pub plane: String,
    /// Blocks of its logs.
    pub blocks: usize,
    /// Words of such a block.
    pub block_words: usize,
    /// Words of a block of the plane.
    pub plane_block_words: usize,
    /// Bytes of the plane that are unpacked together.
    pub page: u32,
    /// How hard the plane is compressed.
    pub level: i32,
    /// The value of positions that no round adds: worse than all others.
    pub rest: Value,
}

impl SetShape {
    /// Blocks of a chunk; the last may have fewer.
    pub const CHUNK: usize = 128;

    /// Chunks of its logs.
    pub fn chunks(&self) -> usize {
        self.blocks.div_ceil(SetShape::CHUNK)
    }

    /// Blocks of one of its chunks.
    pub fn chunk_blocks(&self, chunk: usize) -> usize {
        SetShape::CHUNK.min(self.blocks - chunk * SetShape::CHUNK)
    }
}

/// Bytes of memory that it takes to write the planes on so many threads.
pub(super) fn memory(shapes: &[SetShape], threads: usize) -> u64 {
    let words = shapes.iter().map(|shape| shape.blocks.min(SetShape::CHUNK) * shape.block_words).max().unwrap_or(0);
    // For each word of a chunk: eight digits, 64 values and one of a log. What is compressed waits for its turn: the file
    // bounds that; sixteen chunks a thread, compressed to a quarter, are more than is ever seen.
    let (made, compressed) = (8 * 8 + 64 + 8, 2 * 8 * 64 / 4);
    threads as u64 * words as u64 * (made + compressed)
}

/// Writes the plane of a set from the logs of so many rounds.
pub(super) fn write<R: Rounds>(rounds: &R, job: &Job<'_>, set: usize, played: usize) -> Result<(), Unread> {
    let shape = &rounds.shapes()[set];
    // The worst values come first: no round, then the last one.
    let grown: Vec<usize> = (0..played).rev().filter(|&round| rounds.grown_in(round).contains(&set)).collect();
    let mut logs = Vec::with_capacity(grown.len());
    for &round in &grown {
        let log = RoundLog::open(job.store, &log_name(round, set)).map_err(|error| Unread { round, error })?;
        logs.push((round, log));
    }
    let palette: Vec<Value> =
        [shape.rest].into_iter().chain(grown.iter().map(|&round| rounds.value(set, round))).collect();
    let in_chunk = SetShape::CHUNK * shape.block_words / shape.plane_block_words;
    let stored = |chunk: usize| {
        let blocks = shape.chunk_blocks(chunk) * shape.block_words / shape.plane_block_words;
        (0..blocks).filter(move |block| rounds.is_stored(set, chunk * in_chunk + block))
    };
    let groups: Vec<u64> = (0..shape.chunks()).map(|chunk| stored(chunk).count() as u64).collect();
    let unread = AtomicUsize::new(usize::MAX);
    let spares: Mutex<Vec<Numbers>> = Mutex::default(); // what a thread has used, for the next chunk
    let make = |chunk: usize| -> Result<Vec<Vec<u8>>, Error> {
        job.steps(1)?;
        if groups[chunk] == 0 {
            return Ok(Vec::new());
        }
        let (blocks, words) = (shape.chunk_blocks(chunk), shape.block_words);
        let spare = spares.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut numbers = spare.unwrap_or_else(|| Numbers::new(0));
        numbers.renew(blocks * words);
        for (at, (round, log)) in logs.iter().enumerate() {
            log.read(chunk, blocks, words, |block, new| numbers.add(at as u8 + 1, block * words, new))
                .inspect_err(|_| _ = unread.fetch_min(*round, Ordering::Relaxed))?;
        }
        let words = shape.plane_block_words;
        let made = stored(chunk).map(|block| numbers.bytes(block * words..(block + 1) * words)).collect();
        spares.lock().unwrap_or_else(PoisonError::into_inner).push(numbers);
        Ok(made)
    };
    let plane = IndexedPlane {
        palette: &palette,
        entries: 64 * shape.plane_block_words as u32,
        page: shape.page,
        level: shape.level,
        groups: &groups,
        make: &make,
    };
    let written = job.store.put_indexed_plane(&shape.plane, &plane);
    written.map_err(|error| Unread { round: unread.into_inner(), error })
}
