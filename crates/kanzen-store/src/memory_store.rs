//! A solve that keeps its work in memory, for tests, benchmarks and small games.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::solve_store::{
    AscendingKeys, FillCodes, FillExceptions, IndexedPlane, LogParts, NextBlock, PACKED_KEYS, PackedPlane, ReadChunk,
    SolveStore, StepsDone, VisitKeys, VisitState,
};
use super::{Exception, plane_file};
use kanzen_core::machine::Codes;
use kanzen_core::vocabulary::{Error, Tally, Value};

/// Keeps everything in memory.
#[derive(Default)]
pub struct MemoryStore {
    files: Mutex<HashMap<String, Kept>>,
}

#[derive(Clone)]
enum Kept {
    Bytes(Vec<u8>),
    State(u64, Vec<u8>),
    Plane(std::sync::Arc<Codes>),
    Keys(Vec<u128>),
    Log(Vec<Vec<u8>>),
    Exceptions(Vec<Exception>),
}

impl MemoryStore {
    /// The value of a slot of a finished class.
    ///
    /// # Panics
    /// If the class is not finished or has no such slot.
    pub fn value(&self, class: usize, slot: u64) -> Value {
        let Some(Kept::Plane(codes)) = self.kept(&plane_file(class)) else { panic!("class {class} is not finished") };
        Value::from_code(codes[slot as usize]).expect("only codes of values are kept")
    }

    fn files(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self, name: &str) -> Option<Kept> {
        self.files().get(name).cloned()
    }

    fn keep(&self, name: &str, kept: Kept) -> Result<(), Error> {
        self.files().insert(name.to_owned(), kept);
        Ok(())
    }

    fn plane(&self, name: &str) -> Result<std::sync::Arc<Codes>, Error> {
        match self.kept(name) {
            Some(Kept::Plane(codes)) => Ok(codes),
            _ => Err(missing(name)),
        }
    }
}

fn missing(name: &str) -> Error {
    Error::Missing { path: Path::new(name).to_owned() }
}

impl SolveStore for MemoryStore {
    fn game(&self) -> &str {
        "a game in memory"
    }

    fn has(&self, name: &str) -> bool {
        self.files().contains_key(name)
    }

    fn bytes(&self, name: &str) -> Result<u64, Error> {
        let bytes = match self.kept(name).ok_or_else(|| missing(name))? {
            Kept::Bytes(bytes) | Kept::State(_, bytes) => bytes.len(),
            Kept::Plane(codes) => size_of_val(&codes[..]),
            Kept::Keys(keys) => size_of_val(&keys[..]),
            Kept::Log(chunks) => chunks.iter().map(Vec::len).sum(),
            Kept::Exceptions(entries) => size_of_val(&entries[..]),
        };
        Ok(bytes as u64)
    }

    fn names(&self) -> Result<Vec<String>, Error> {
        Ok(self.files().keys().cloned().collect())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        self.files().remove(name);
        Ok(())
    }

    fn sync(&self) -> Result<(), Error> {
        Ok(())
    }

    fn check_room(&self, _: u64) -> Result<(), Error> {
        Ok(())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.keep(name, Kept::Bytes(bytes.to_vec()))
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.kept(name).and_then(|kept| if let Kept::Bytes(bytes) = kept { Some(bytes) } else { None }))
    }

    fn put_state(&self, name: &str, level: u64, state: &[u8]) -> Result<(), Error> {
        self.keep(name, Kept::State(level, state.to_vec()))
    }

    fn get_state(&self, name: &str, state: &mut [u8]) -> Result<Option<u64>, Error> {
        match self.kept(name) {
            Some(Kept::State(level, kept)) if kept.len() == state.len() => {
                state.copy_from_slice(&kept);
                Ok(Some(level))
            }
            _ => Ok(None),
        }
    }

    fn state_level(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.kept(name).and_then(|kept| if let Kept::State(level, _) = kept { Some(level) } else { None }))
    }

    fn visit_state(&self, name: &str, bytes: u64, visit: &VisitState<'_>) -> Result<Option<u64>, Error> {
        match self.kept(name) {
            Some(Kept::State(level, kept)) if kept.len() as u64 == bytes => {
                visit(0, &kept);
                Ok(Some(level))
            }
            _ => Ok(None),
        }
    }

    fn put_plane(&self, name: &str, slots: u64, fill: &FillCodes<'_>, done: &StepsDone<'_>) -> Result<(), Error> {
        const STRETCH: usize = 1 << 16;
        let mut codes = Codes::zeroed(name, slots as usize)?;
        codes.par_chunks_mut(STRETCH).enumerate().for_each(|(at, codes)| fill((at * STRETCH) as u64, codes));
        done(slots)?;
        self.keep(name, Kept::Plane(codes.into()))
    }

    fn put_indexed_plane(&self, name: &str, plane: &IndexedPlane<'_>) -> Result<(), Error> {
        let groups: Vec<Vec<Vec<u8>>> =
            (0..plane.groups.len()).into_par_iter().map(plane.make).collect::<Result<_, _>>()?;
        let indices = groups.concat().concat();
        let mut codes = Codes::zeroed(name, indices.len())?;
        codes.iter_mut().zip(indices).for_each(|(code, index)| *code = plane.palette[usize::from(index)].code());
        self.keep(name, Kept::Plane(codes.into()))
    }

    fn pack_block(&self, plane: &PackedPlane<'_>, block: u64, value: &dyn Fn(u64) -> Value) -> Result<Vec<u8>, Error> {
        Ok(plane.slots_of(block).flat_map(|slot| value(slot).code().to_le_bytes()).collect())
    }

    fn put_packed_plane(&self, name: &str, plane: &PackedPlane<'_>, next: &mut NextBlock<'_>) -> Result<(), Error> {
        let mut codes = Codes::zeroed(name, plane.slots as usize)?;
        for block in 0..plane.blocks() {
            let bytes = next(block)?;
            let slots = plane.slots_of(block);
            let to = &mut codes[slots.start as usize..slots.end as usize];
            to.iter_mut().zip(bytes.as_chunks().0).for_each(|(code, bytes)| *code = i16::from_le_bytes(*bytes));
        }
        self.keep(name, Kept::Plane(codes.into()))
    }

    fn read_plane(&self, name: &str, first: u64, codes: &mut [i16]) -> Result<(), Error> {
        codes.copy_from_slice(&self.plane(name)?[first as usize..first as usize + codes.len()]);
        Ok(())
    }

    fn get_plane(&self, name: &str) -> Result<Codes, Error> {
        let kept = self.plane(name)?;
        let mut codes = Codes::zeroed(name, kept.len())?;
        codes.copy_from_slice(&kept);
        Ok(codes)
    }

    fn tally(&self, name: &str) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for code in self.plane(name)?.iter() {
            tally.add(Value::from_code(*code).expect("only codes of values are kept"), 1);
        }
        Ok(tally)
    }

    fn put_keys(&self, name: &str, keys: &AscendingKeys<'_>) -> Result<(), Error> {
        let mut list = vec![0; keys.len as usize];
        (keys.fill)(0, &mut list);
        self.keep(name, Kept::Keys(list))
    }

    fn pack_keys(&self, _: usize, _: u64, keys: &[u128]) -> Result<Vec<u8>, Error> {
        Ok(keys.iter().flat_map(|key| key.to_le_bytes()).collect())
    }

    fn put_packed_keys(&self, name: &str, _: usize, len: u64, next: &mut NextBlock<'_>) -> Result<(), Error> {
        let mut keys = Vec::with_capacity(len as usize);
        for block in 0..len.div_ceil(PACKED_KEYS) {
            keys.extend(next(block)?.as_chunks().0.iter().map(|key| u128::from_le_bytes(*key)));
        }
        self.keep(name, Kept::Keys(keys))
    }

    fn get_keys(&self, name: &str, _: usize, visit: &mut VisitKeys<'_>) -> Result<(), Error> {
        match self.kept(name) {
            Some(Kept::Keys(keys)) => visit(&keys),
            _ => Err(missing(name)),
        }
    }

    fn put_log_in_parts(&self, name: &str, parts: &mut LogParts<'_>) -> Result<(), Error> {
        let mut log = Vec::new();
        parts(&mut |chunks, make| {
            log.par_extend((0..chunks).into_par_iter().map(make));
            Ok(())
        })?;
        self.keep(name, Kept::Log(log))
    }

    fn get_log(&self, name: &str) -> Result<ReadChunk<'_>, Error> {
        let Some(Kept::Log(chunks)) = self.kept(name) else { return Err(missing(name)) };
        let name = name.to_owned();
        let damaged = move |chunk| Error::damaged(Path::new(&name), format!("chunk {chunk}"));
        Ok(Box::new(move |chunk| chunks.get(chunk as usize).cloned().ok_or_else(|| damaged(chunk))))
    }

    fn put_exceptions(&self, name: &str, slots: u32, fill: &FillExceptions<'_>) -> Result<(), Error> {
        let mut all = Vec::with_capacity(slots as usize);
        (0..slots).step_by(Exception::STRETCH as usize).try_for_each(|first| fill(first, &mut all))?;
        self.keep(name, Kept::Exceptions(all))
    }

    fn get_values(&self, name: &str, _: u32) -> Result<Vec<u8>, Error> {
        match self.kept(name) {
            Some(Kept::Exceptions(all)) => Ok(all.iter().map(|entry| entry.value).collect()),
            _ => Err(missing(name)),
        }
    }
}
