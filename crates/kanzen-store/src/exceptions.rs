//! A byte for each slot, and for some of them another that holds in one case.
//!
//! Slots are cut into chunks, and a chunk into three blocks, since each kind of byte has its own odds:
//!
//! ```text
//! block 3c      value    a byte for each slot
//! block 3c + 1  case     0, or in which case something else holds
//! block 3c + 2  then     for each slot with such a case: what holds then, as a difference to `value`
//! ```

mod write;

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::occurrence::OnDemand;
use super::{BlockCache, BlockFile, Database, Kind, ValueSet};
use crate::Exception;
use kanzen_core::machine::prefetch;
use kanzen_core::vocabulary::Error;

pub use write::write_exceptions;

pub(super) const KIND: Kind = *b"ostl";
const CHUNK: u32 = Exception::STRETCH;
/// A value is any byte.
const VALUES: usize = 256;

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
    pub(super) fn new(blocks: BlockFile, slots: u32, cache: &Arc<BlockCache>) -> Result<ExceptionsFile, Error> {
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

    /// What holds in many slots where no case is made: quickest if they ascend, for then each chunk is unpacked once, and
    /// only a third of it. Chunks are not kept in the cache: who asks for slots from all over the file would only push
    /// out what others want.
    pub fn value_each(&self, slots: impl Iterator<Item = u32>, mut visit: impl FnMut(u8)) -> Result<(), Error> {
        let mut held: Option<(u32, Vec<u8>)> = None;
        for slot in slots {
            if slot >= self.slots || self.is_loaded() {
                visit(self.get(slot)?.value);
                continue;
            }
            let chunk = slot / CHUNK;
            if held.as_ref().is_none_or(|(number, _)| *number != chunk) {
                let len = CHUNK.min(self.slots - chunk * CHUNK) as usize;
                held = Some((chunk, self.part(chunk, 0, len..=len)?));
            }
            let Some((_, values)) = &held else { continue };
            visit(values[(slot % CHUNK) as usize]);
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
            to.copy_from_slice(&self.part(chunk as u32, 0, to.len()..=to.len())?);
            Ok::<_, Error>(())
        })?;
        Ok(values)
    }

    /// Whether a chunk may have a slot with a wanted value, as a rule or in its case.
    pub fn may_have(&self, chunk: u32, wanted: &[bool; 256]) -> Result<bool, Error> {
        Ok(self.occurrence.get()?.is_none_or(|known| known.has_any(chunk.into(), |value| wanted[value])))
    }

    /// Whether the database lists which values occur in which chunk.
    pub fn knows_occurrences(&self) -> bool {
        self.occurrence.is_there()
    }

    /// How many chunks have other values than the database lists: a search would pass over those that it does not name.
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

    /// The error for an impossible entry of a slot.
    pub fn damaged(&self, slot: u32) -> Error {
        Error::damaged(self.blocks.path(), format!("the entry of slot {slot}"))
    }

    fn part(&self, chunk: u32, part: u64, len: RangeInclusive<usize>) -> Result<Vec<u8>, Error> {
        self.blocks.read_sized(3 * u64::from(chunk) + part, len)
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> u32 {
        self.slots
    }

    /// A chunk as it is kept.
    pub(super) fn parts(&self, chunk: u32) -> Result<Parts, Error> {
        let len = CHUNK.min(self.slots - chunk * CHUNK) as usize;
        // All three are asked for before any is looked at: where they are fetched, they are at once.
        let [values, cases] = [0, 1].map(|part| self.part(chunk, part, len..=len));
        let thens = self.part(chunk, 2, 0..=len);
        let (values, cases, thens) = (values?, cases?, thens?);
        if thens.len() != cases.iter().filter(|&&case| case != 0).count() {
            return Err(self.blocks.damaged(3 * u64::from(chunk) + 2));
        }
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
            let (mut values, asked) = (Vec::new(), [0, 7, CHUNK - 1, CHUNK, slots - 1, 3]);
            file.value_each(asked.into_iter(), |value| values.push(value)).unwrap();
            assert_eq!(values, asked.map(|slot| entry(slot).value));
            assert!(file.value_each([slots].into_iter(), |_| ()).is_err());
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
