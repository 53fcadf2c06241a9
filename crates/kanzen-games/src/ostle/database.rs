//! The values of a class on the disk.
//!
//! A class is cut into chunks of boards, and a chunk into three blocks, since each kind of byte has its own odds:
//!
//! ```text
//! block 3c      best      a level for each board
//! block 3c + 1  unique    0, or which of its reversible moves matters when it is forbidden
//! block 3c + 2  second    for each board with such a move: its level then, as a difference to `best`
//! ```

use std::path::Path;
use std::sync::{Arc, OnceLock};

use kanzen::Error;
use kanzen::store::{BlockCache, BlockFile, BlockSummary, BlockWriter, Kind};
use rayon::prelude::*;

use super::board::{Board, squares, step};
use super::moves::Move;
use super::solve::Values;

/// The kind of block file.
pub const KIND: Kind = *b"ostl";
/// Boards in a chunk.
pub const CHUNK: u32 = 1 << 13;
/// A move that is not reversible, but forbidden under the symmetric rule: its number and this.
const NOT_REVERSIBLE: u8 = 100;

/// The bytes of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The level when no move is forbidden.
    pub best: u8,
    /// Which move matters, see [`code_of`].
    pub unique: u8,
    /// The level when it is forbidden.
    pub second: u8,
}

impl Entry {
    /// The bytes of a board with these values.
    pub fn new(board: &Board, values: Values) -> Entry {
        let unique = if values.unique == 0 { 0 } else { code_of(board, values.unique) };
        Entry { best: values.best, unique, second: values.second }
    }

    /// The values of a board with these bytes; nothing if they cannot be its bytes.
    pub fn values(self, board: &Board) -> Option<Values> {
        let unique = if self.unique == 0 { 0 } else { number_of(board, self.unique)? };
        Some(Values { best: self.best, unique, second: self.second })
    }
}

/// The numbers of the reversible moves of a board, ascending.
fn reversible_numbers(board: &Board) -> impl Iterator<Item = u8> {
    let (pit, empty) = (board.pit(), board.empty());
    let pushes = [0, 1, 2, 3].map(|direction| board.reversible_pushes(direction));
    let holes = (0..4).filter(move |&direction| step(pit, direction) & empty != 0).map(|direction| 1 + direction);
    let pieces = squares(board.mover).enumerate().flat_map(move |(piece, from)| {
        (0..4u8)
            .filter(move |&direction| pushes[usize::from(direction)] >> from & 1 == 1)
            .map(move |direction| 5 + 4 * piece as u8 + direction)
    });
    holes.chain(pieces)
}

/// The place of a move among the reversible ones, from 1: there are few, so that it takes few bits.
fn code_of(board: &Board, number: u8) -> u8 {
    match reversible_numbers(board).position(|reversible| reversible == number) {
        Some(place) => place as u8 + 1,
        None => NOT_REVERSIBLE + number,
    }
}

fn number_of(board: &Board, code: u8) -> Option<u8> {
    if code < NOT_REVERSIBLE {
        return reversible_numbers(board).nth(usize::from(code) - 1);
    }
    let number = code - NOT_REVERSIBLE;
    let mv = (1..=24).contains(&number).then(|| Move::numbered(number, board))?;
    board.after(mv).map(|_| number)
}

/// Writes a class: `fill` gives the entries from a slot on.
pub fn write<F>(path: &Path, fingerprint: u64, slots: u32, fill: F) -> Result<BlockSummary, Error>
where
    F: Fn(u32, &mut Vec<Entry>) + Sync,
{
    let mut writer = BlockWriter::create(path, KIND, fingerprint)?;
    // The three blocks of a chunk are made from the same entries: chunks in batches, entries kept for a batch.
    let batch = 8 * rayon::current_num_threads() as u32;
    let chunks = slots.div_ceil(CHUNK);
    for from in (0..chunks).step_by(batch as usize) {
        let made: Vec<[Vec<u8>; 3]> = (from..chunks.min(from + batch))
            .into_par_iter()
            .map_init(Vec::new, |entries, chunk| {
                entries.clear();
                fill(chunk * CHUNK, entries);
                encode(entries)
            })
            .collect();
        writer.push_many(3 * made.len() as u64, |block| Ok(made[block as usize / 3][block as usize % 3].clone()))?;
    }
    writer.finish()
}

fn encode(entries: &[Entry]) -> [Vec<u8>; 3] {
    let difference = |entry: &Entry| if entry.second == 0 { 0 } else { entry.second.wrapping_sub(entry.best) };
    [
        entries.iter().map(|entry| entry.best).collect(),
        entries.iter().map(|entry| entry.unique).collect(),
        entries.iter().filter(|entry| entry.unique != 0).map(difference).collect(),
    ]
}

/// A class on the disk.
pub struct ClassFile {
    blocks: BlockFile,
    slots: u32,
    cache: Arc<BlockCache>,
    loaded: OnceLock<Vec<u8>>,
}

impl ClassFile {
    /// A class of so many boards.
    pub fn new(blocks: BlockFile, slots: u32, cache: Arc<BlockCache>) -> Result<ClassFile, Error> {
        if blocks.blocks() != 3 * u64::from(slots.div_ceil(CHUNK)) {
            return Err(Error::damaged(blocks.path(), format!("its length: it has {} blocks", blocks.blocks())));
        }
        Ok(ClassFile { blocks, slots, cache, loaded: OnceLock::new() })
    }

    /// Bytes of memory that [`load`](ClassFile::load) takes.
    pub fn memory(&self) -> u64 {
        3 * u64::from(self.slots)
    }

    /// Reads the class into memory, for very many questions.
    pub fn load(&self) -> Result<(), Error> {
        if self.loaded.get().is_none() {
            let mut all = vec![0; 3 * self.slots as usize];
            all.par_chunks_mut(3 * CHUNK as usize).enumerate().try_for_each(|(chunk, to)| {
                to.copy_from_slice(&self.unpack(chunk as u32)?);
                Ok::<_, Error>(())
            })?;
            // Another thread may have been quicker with the same bytes.
            let _ = self.loaded.set(all);
        }
        Ok(())
    }

    /// The bytes of a board.
    pub fn get(&self, slot: u32) -> Result<Entry, Error> {
        let entry = |bytes: &[u8], at: usize| Entry { best: bytes[at], unique: bytes[at + 1], second: bytes[at + 2] };
        if slot >= self.slots {
            let (slot, len) = (slot.into(), self.slots.into());
            return Err(Error::OutOfRange { path: self.blocks.path().to_owned(), slot, len });
        }
        if let Some(all) = self.loaded.get() {
            return Ok(entry(all, 3 * slot as usize));
        }
        let chunk = slot / CHUNK;
        let bytes = self.cache.get(&self.blocks, 3 * u64::from(chunk), 0, || self.unpack(chunk))?;
        Ok(entry(&bytes, 3 * (slot % CHUNK) as usize))
    }

    /// The level of each board when no move is forbidden.
    pub fn best_levels(&self) -> Result<Vec<u8>, Error> {
        let mut levels = vec![0; self.slots as usize];
        levels.par_chunks_mut(CHUNK as usize).enumerate().try_for_each(|(chunk, to)| {
            to.copy_from_slice(&self.part(chunk as u32, 0, Some(to.len()))?);
            Ok::<_, Error>(())
        })?;
        Ok(levels)
    }

    /// The boards of a chunk that have a level, with or without a move forbidden.
    pub fn boards_of_level(&self, chunk: u32, level: u8) -> Result<Vec<u32>, Error> {
        let bytes = self.unpack(chunk)?;
        let has = |entry: &[u8]| entry[0] == level || entry[1] != 0 && entry[2] == level;
        let hits = bytes.chunks_exact(3).enumerate().filter(|(_, entry)| has(entry));
        Ok(hits.map(|(at, _)| chunk * CHUNK + at as u32).collect())
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u32 {
        self.slots.div_ceil(CHUNK)
    }

    fn part(&self, chunk: u32, part: u64, len: Option<usize>) -> Result<Vec<u8>, Error> {
        let block = 3 * u64::from(chunk) + part;
        let bytes = self.blocks.read(block)?;
        if len.is_some_and(|len| len != bytes.len()) { Err(self.blocks.damaged(block)) } else { Ok(bytes) }
    }

    /// A chunk, three bytes a board.
    fn unpack(&self, chunk: u32) -> Result<Vec<u8>, Error> {
        let len = CHUNK.min(self.slots - chunk * CHUNK) as usize;
        let best = self.part(chunk, 0, Some(len))?;
        let unique = self.part(chunk, 1, Some(len))?;
        let matter = unique.iter().filter(|&&code| code != 0).count();
        let mut seconds = self.part(chunk, 2, Some(matter))?.into_iter();
        let mut bytes = Vec::with_capacity(3 * len);
        for (&best, &unique) in best.iter().zip(&unique) {
            let second = match (unique, if unique == 0 { 0 } else { seconds.next().unwrap_or(0) }) {
                (0, _) => best,
                (_, 0) => 0,
                (_, difference) => best.wrapping_add(difference),
            };
            bytes.extend([best, unique, second]);
        }
        Ok(bytes)
    }
}
