//! A byte for each slot, and for some of them another that holds in one case.
//!
//! Slots are cut into chunks, and a chunk into three blocks, since each kind of byte has its own odds:
//!
//! ```text
//! block 3c      value    a byte for each slot
//! block 3c + 1  case     0, or in which case something else holds
//! block 3c + 2  then     for each slot with such a case: what holds then, as a difference to `value`
//! ```

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::occurrence::{Noted, OnDemand};
use super::{BlockCache, BlockFile, BlockSummary, BlockWriter, Database, Kind, ValueSet};
use crate::machine::prefetch;
use crate::solve::{Exception, FillExceptions};
use crate::vocabulary::Error;

const KIND: Kind = *b"ostl";
const CHUNK: u32 = Exception::STRETCH;
/// A value is any byte.
const VALUES: usize = 256;

/// Writes values with exceptions: `fill` gives the entries from a slot on.
pub fn write_exceptions(
    path: &Path,
    fingerprint: u64,
    slots: u32,
    fill: &FillExceptions<'_>,
) -> Result<BlockSummary, Error> {
    let mut writer = BlockWriter::create(path, KIND, fingerprint)?;
    let noted = Noted::new(VALUES);
    // The three blocks of a chunk are made from the same entries: chunks in batches, entries kept for a batch.
    let batch = 8 * rayon::current_num_threads() as u32;
    let chunks = slots.div_ceil(CHUNK);
    for from in (0..chunks).step_by(batch as usize) {
        let made: Vec<[Vec<u8>; 3]> = (from..chunks.min(from + batch))
            .into_par_iter()
            .map_init(Vec::new, |entries, chunk| {
                entries.clear();
                fill(chunk * CHUNK, entries)?;
                let mut set = ValueSet::default();
                for entry in entries.iter() {
                    set.insert(entry.value);
                    if entry.case != 0 {
                        set.insert(entry.then);
                    }
                }
                noted.note(chunk.into(), set);
                Ok::<_, Error>(encode(entries))
            })
            .collect::<Result<_, _>>()?;
        writer.push_many(3 * made.len() as u64, |block| Ok(made[block as usize / 3][block as usize % 3].clone()))?;
    }
    noted.write(path, fingerprint)?;
    writer.finish()
}

fn encode(entries: &[Exception]) -> [Vec<u8>; 3] {
    let difference = |entry: &Exception| if entry.then == 0 { 0 } else { entry.then.wrapping_sub(entry.value) };
    [
        entries.iter().map(|entry| entry.value).collect(),
        entries.iter().map(|entry| entry.case).collect(),
        entries.iter().filter(|entry| entry.case != 0).map(difference).collect(),
    ]
}

/// Values with exceptions on the disk.
pub struct ExceptionsFile {
    blocks: BlockFile,
    slots: u32,
    cache: Arc<BlockCache>,
    loaded: OnceLock<Vec<u8>>,
    occurrence: OnDemand,
}

impl Database {
    /// Opens one of its files of values with exceptions, of so many slots.
    pub fn exceptions(&self, file: &str, slots: u32) -> Result<ExceptionsFile, Error> {
        let opened = ExceptionsFile::new(self.blocks(file, KIND)?, slots, self.cache())?;
        let occurrence = self.occurrence(file, opened.chunks().into(), VALUES)?;
        Ok(ExceptionsFile { occurrence, ..opened })
    }
}

impl ExceptionsFile {
    /// Opens a file of so many slots, written for the rules with this fingerprint.
    pub fn open(path: &Path, fingerprint: u64, slots: u32, cache: &Arc<BlockCache>) -> Result<ExceptionsFile, Error> {
        ExceptionsFile::new(BlockFile::open(path, KIND, fingerprint)?, slots, cache)
    }

    fn new(blocks: BlockFile, slots: u32, cache: &Arc<BlockCache>) -> Result<ExceptionsFile, Error> {
        if blocks.blocks() != 3 * u64::from(slots.div_ceil(CHUNK)) {
            return Err(Error::damaged(blocks.path(), format!("its length: it has {} blocks", blocks.blocks())));
        }
        Ok(ExceptionsFile {
            blocks,
            slots,
            cache: cache.clone(),
            loaded: OnceLock::new(),
            occurrence: OnDemand::none(),
        })
    }

    /// Bytes of memory that [`load`](ExceptionsFile::load) takes.
    pub fn memory(&self) -> u64 {
        3 * u64::from(self.slots)
    }

    /// Reads all into memory, for very many questions.
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

    /// The entry of a slot.
    pub fn get(&self, slot: u32) -> Result<Exception, Error> {
        let entry = |bytes: &[u8], at: usize| Exception { value: bytes[at], case: bytes[at + 1], then: bytes[at + 2] };
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

    /// The entries of many slots: quickest if they ascend, for then each chunk is asked for once.
    pub fn get_each(
        &self,
        slots: impl Iterator<Item = u32>,
        mut visit: impl FnMut(Exception) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut held: Option<(u32, Arc<[u8]>)> = None;
        for slot in slots {
            if slot >= self.slots || self.is_loaded() {
                visit(self.get(slot)?)?;
                continue;
            }
            let chunk = slot / CHUNK;
            if held.as_ref().is_none_or(|(number, _)| *number != chunk) {
                let bytes = self.cache.get(&self.blocks, 3 * u64::from(chunk), 0, || self.unpack(chunk))?;
                held = Some((chunk, bytes));
            }
            let Some((_, bytes)) = &held else { continue };
            let at = 3 * (slot % CHUNK) as usize;
            visit(Exception { value: bytes[at], case: bytes[at + 1], then: bytes[at + 2] })?;
        }
        Ok(())
    }

    /// Asks for the memory of a slot before it is read, where all is [loaded](ExceptionsFile::load).
    #[inline(always)]
    pub fn prefetch(&self, slot: u32) {
        if let Some(entry) = self.loaded.get().and_then(|all| all.get(3 * slot as usize)) {
            prefetch(entry);
        }
    }

    /// Whether all is in memory.
    pub fn is_loaded(&self) -> bool {
        self.loaded.get().is_some()
    }

    /// The value of each slot where no exception is made.
    pub fn values(&self) -> Result<Vec<u8>, Error> {
        let mut values = vec![0; self.slots as usize];
        values.par_chunks_mut(CHUNK as usize).enumerate().try_for_each(|(chunk, to)| {
            to.copy_from_slice(&self.part(chunk as u32, 0, to.len())?);
            Ok::<_, Error>(())
        })?;
        Ok(values)
    }

    /// Whether a chunk may have a slot with a wanted value, as a rule or in its case.
    pub fn may_have(&self, chunk: u32, wanted: &[bool; 256]) -> Result<bool, Error> {
        Ok(self.occurrence.get()?.is_none_or(|known| known.has_any(chunk.into(), |value| wanted[value])))
    }

    /// Whether the database says which values occur in which chunk.
    pub fn knows_occurrences(&self) -> bool {
        self.occurrence.is_there()
    }

    /// How many chunks have other values than the database says: a search would pass over those that it does not name.
    pub fn wrong_occurrences(&self) -> Result<u64, Error> {
        let Some(known) = self.occurrence.get()? else { return Ok(0) };
        let wrong = (0..self.chunks()).into_par_iter().map(|chunk| {
            let parts = self.parts(chunk)?;
            let mut set = ValueSet::of(&parts.values);
            parts.exceptions().for_each(|(_, entry)| set.insert(entry.then));
            Ok::<u64, Error>(u64::from(!known.is_right(chunk.into(), set.iter())))
        });
        wrong.try_reduce(|| 0, |one, other| Ok(one + other))
    }

    /// The slots of a chunk that have a wanted value, as a rule or in their case, with their entries.
    pub fn matching(&self, chunk: u32, wanted: &[bool; 256]) -> Result<Vec<(u32, Exception)>, Error> {
        if !self.may_have(chunk, wanted)? {
            return Ok(Vec::new());
        }
        let (first, parts) = (chunk * CHUNK, self.parts(chunk)?);
        let mut hits = Vec::new();
        // Few slots have an exception: those are gone through beside the values, not asked for at each.
        let mut exceptions = parts.exceptions().peekable();
        for (at, &value) in parts.values.iter().enumerate() {
            let exception = exceptions.next_if(|(slot, _)| *slot == at).map(|(_, entry)| entry);
            if wanted[usize::from(value)] || exception.is_some_and(|entry| wanted[usize::from(entry.then)]) {
                hits.push((first + at as u32, exception.unwrap_or(Exception { value, case: 0, then: value })));
            }
        }
        Ok(hits)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u32 {
        self.slots.div_ceil(CHUNK)
    }

    /// The error that says: the entry of this slot cannot be.
    pub fn damaged(&self, slot: u32) -> Error {
        Error::damaged(self.blocks.path(), format!("the entry of slot {slot}"))
    }

    fn part(&self, chunk: u32, part: u64, len: usize) -> Result<Vec<u8>, Error> {
        let block = 3 * u64::from(chunk) + part;
        self.blocks.read_sized(block, len..=len)
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> u32 {
        self.slots
    }

    /// A chunk as it is kept.
    pub(super) fn parts(&self, chunk: u32) -> Result<Parts, Error> {
        let len = CHUNK.min(self.slots - chunk * CHUNK) as usize;
        let values = self.part(chunk, 0, len)?;
        let cases = self.part(chunk, 1, len)?;
        let exceptions = cases.iter().filter(|&&case| case != 0).count();
        let thens = self.part(chunk, 2, exceptions)?;
        Ok(Parts { values, cases, thens })
    }

    /// A chunk, three bytes a slot.
    fn unpack(&self, chunk: u32) -> Result<Vec<u8>, Error> {
        let parts = self.parts(chunk)?;
        let mut bytes: Vec<u8> = parts.values.iter().flat_map(|&value| [value, 0, value]).collect();
        for (at, entry) in parts.exceptions() {
            bytes[3 * at + 1..3 * at + 3].copy_from_slice(&[entry.case, entry.then]);
        }
        Ok(bytes)
    }
}

/// The three blocks of a chunk.
pub(super) struct Parts {
    pub values: Vec<u8>,
    cases: Vec<u8>,
    thens: Vec<u8>,
}

impl Parts {
    /// The slots of the chunk that have an exception, ascending, with their entries.
    pub fn exceptions(&self) -> impl Iterator<Item = (usize, Exception)> + '_ {
        let cases = self.cases.iter().enumerate().filter(|(_, case)| **case != 0);
        cases.zip(&self.thens).map(|((at, &case), &difference)| {
            let value = self.values[at];
            let then = if difference == 0 { 0 } else { value.wrapping_add(difference) };
            (at, Exception { value, case, then })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values");
        let entry = |slot: u32| {
            let case = if slot.is_multiple_of(5) { (slot % 7) as u8 } else { 0 };
            let value = (slot % 100) as u8;
            Exception { value, case, then: if case == 0 { value } else { (slot % 3) as u8 } }
        };
        let slots = 2 * CHUNK + 77;
        let fill = |first: u32, all: &mut Vec<Exception>| {
            all.extend((first..slots.min(first + CHUNK)).map(entry));
            Ok(())
        };
        write_exceptions(&path, 7, slots, &fill).unwrap();
        let file = ExceptionsFile::open(&path, 7, slots, &BlockCache::new(1 << 20)).unwrap();
        for _ in 0..2 {
            for slot in 0..slots {
                assert_eq!(file.get(slot).unwrap(), entry(slot));
            }
            file.load().unwrap();
        }
        assert!(matches!(file.get(slots), Err(Error::OutOfRange { .. })));
        assert_eq!(file.values().unwrap()[77], 77);
        let expected: Vec<u32> = (0..CHUNK)
            .filter(|&slot| entry(slot).value == 2 || entry(slot).case != 0 && entry(slot).then == 2)
            .collect();
        let wanted: [bool; 256] = std::array::from_fn(|value| value == 2);
        let found: Vec<u32> = file.matching(0, &wanted).unwrap().into_iter().map(|(slot, _)| slot).collect();
        assert_eq!(found, expected);
        assert!(ExceptionsFile::open(&path, 7, slots + CHUNK, &BlockCache::new(0)).is_err());
    }
}
