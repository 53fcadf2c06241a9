//! A working folder as the store of a solve.

use serde_json::json;

use super::exceptions::{ExceptionsFile, write_exceptions};
use super::files::names;
use super::keys::{KeysOptions, pack_wide_keys, write_packed_keys, write_wide_keys};
use super::plane::{PlaneOptions, pack_plane_block, write_packed_plane, write_plane_codes};
use super::{BlockCache, BlockFile, BlockWriter, Kind, PlaneFile, WorkFolder, folder_bytes, write_plane_indices};
use crate::{
    AscendingKeys, FillCodes, FillExceptions, IndexedPlane, LogParts, NextBlock, PackedPlane, ReadChunk, SolveStore,
    SolvedGame, StepsDone, VisitKeys, VisitState,
};
use kanzen_core::machine::{Codes, free_disk};
use kanzen_core::vocabulary::{Error, Tally, Value};

const LOG: Kind = *b"rond";
/// A log is written once and read once.
const QUICK: i32 = 1;

impl SolveStore for WorkFolder {
    fn game(&self) -> &str {
        WorkFolder::game(self)
    }

    fn has(&self, name: &str) -> bool {
        WorkFolder::has(self, name)
    }

    fn bytes(&self, name: &str) -> Result<u64, Error> {
        let path = self.file(name);
        Ok(std::fs::metadata(&path).map_err(Error::io("open", &path))?.len())
    }

    fn names(&self) -> Result<Vec<String>, Error> {
        names(self.path())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        WorkFolder::remove(self, name)
    }

    fn sync(&self) -> Result<(), Error> {
        WorkFolder::sync(self)
    }

    fn check_room(&self, bytes: u64) -> Result<(), Error> {
        let there = folder_bytes(self.path())?;
        match free_disk(self.path()) {
            Some(free) if free.saturating_add(there) < bytes => {
                let (what, folder) = (self.game().to_owned(), self.path().to_owned());
                Err(Error::Disk { what, needed: bytes, folder, free })
            }
            _ => Ok(()),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.put_bytes(name, bytes)
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.get_bytes(name)
    }

    fn put_state(&self, name: &str, level: u64, state: &[u8]) -> Result<(), Error> {
        self.write_checkpoint(name, &json!({ "level": level }), &[state])
    }

    fn get_state(&self, name: &str, state: &mut [u8]) -> Result<Option<u64>, Error> {
        let Some(checkpoint) = self.open_checkpoint(name)? else { return Ok(None) };
        let level = checkpoint.header()["level"].as_u64();
        if level.is_none() || checkpoint.lengths() != [state.len() as u64] {
            return Ok(None);
        }
        match checkpoint.read_into(0, state) {
            Ok(()) => Ok(level),
            // A damaged checkpoint is no checkpoint: the work starts again.
            Err(loss) if loss.is_loss() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn state_level(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.open_checkpoint(name)?.and_then(|checkpoint| checkpoint.header()["level"].as_u64()))
    }

    fn visit_state(&self, name: &str, bytes: u64, visit: &VisitState<'_>) -> Result<Option<u64>, Error> {
        let Some(checkpoint) = self.open_checkpoint(name)? else { return Ok(None) };
        if checkpoint.lengths() != [bytes] {
            return Ok(None);
        }
        match checkpoint.read_with(0, visit) {
            Ok(()) => Ok(checkpoint.header()["level"].as_u64()),
            Err(loss) if loss.is_loss() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn put_plane(&self, name: &str, slots: u64, fill: &FillCodes<'_>, done: &StepsDone<'_>) -> Result<(), Error> {
        write_plane_codes(&self.file(name), self.fingerprint(), slots, fill, done)?;
        Ok(())
    }

    fn put_indexed_plane(&self, name: &str, plane: &IndexedPlane<'_>) -> Result<(), Error> {
        let IndexedPlane { palette, entries, page, level, groups, make } = *plane;
        let options = PlaneOptions { entries, page, level };
        write_plane_indices(&self.file(name), self.fingerprint(), palette, options, groups, make)?;
        Ok(())
    }

    fn pack_block(&self, plane: &PackedPlane<'_>, block: u64, value: &dyn Fn(u64) -> Value) -> Result<Vec<u8>, Error> {
        pack_plane_block(self.path(), plane, block, value)
    }

    fn put_packed_plane(&self, name: &str, plane: &PackedPlane<'_>, next: &mut NextBlock<'_>) -> Result<(), Error> {
        write_packed_plane(&self.file(name), self.fingerprint(), plane, next)
    }

    fn read_plane(&self, name: &str, first: u64, codes: &mut [i16]) -> Result<(), Error> {
        self.plane(name)?.read_into(first, codes, Value::code)
    }

    fn get_plane(&self, name: &str) -> Result<Codes, Error> {
        codes_of(&self.plane(name)?, name)
    }

    fn plane_of(&self, other: &SolvedGame<'_>, name: &str, slots: u64) -> Result<Option<Codes>, Error> {
        // Not solved, of other rules, or unreadable: the solve does without.
        let Ok(database) = self.neighbour(other.game, other.fingerprint) else { return Ok(None) };
        let read = database.plane(name).and_then(|plane| match plane.len() == slots {
            true => codes_of(&plane, name).map(Some),
            false => Ok(None),
        });
        match read {
            Err(loss) if loss.is_loss() => {
                self.note_loss(loss);
                Ok(None)
            }
            read => read,
        }
    }

    fn tally(&self, name: &str) -> Result<Tally, Error> {
        self.plane(name)?.tally()
    }

    fn put_keys(&self, name: &str, keys: &AscendingKeys<'_>) -> Result<(), Error> {
        let AscendingKeys { width, len, fill } = *keys;
        write_wide_keys(&self.file(name), self.fingerprint(), KeysOptions::default(), width, len, fill)?;
        Ok(())
    }

    fn pack_keys(&self, _: usize, first: u64, keys: &[u128]) -> Result<Vec<u8>, Error> {
        pack_wide_keys(self.path(), KeysOptions::default(), first, keys)
    }

    fn put_packed_keys(&self, name: &str, width: usize, len: u64, next: &mut NextBlock<'_>) -> Result<(), Error> {
        write_packed_keys(&self.file(name), self.fingerprint(), KeysOptions::default(), width, len, next)
    }

    fn get_keys(&self, name: &str, width: usize, visit: &mut VisitKeys<'_>) -> Result<(), Error> {
        match width {
            4 => self.keys::<u32>(name)?.visit_all(visit),
            8 => self.keys::<u64>(name)?.visit_all(visit),
            _ => self.keys::<u128>(name)?.visit_all(visit),
        }
    }

    fn put_log_in_parts(&self, name: &str, parts: &mut LogParts<'_>) -> Result<(), Error> {
        let mut log = BlockWriter::create(&self.file(name), LOG, self.fingerprint())?.level(QUICK).unsynced();
        parts(&mut |chunks, make| log.push_many(chunks, |chunk| Ok(make(chunk))))?;
        log.finish()?;
        self.note_unsynced(name);
        Ok(())
    }

    fn get_log(&self, name: &str) -> Result<ReadChunk<'_>, Error> {
        let log = BlockFile::open(&self.file(name), LOG, self.fingerprint())?;
        Ok(Box::new(move |chunk| if log.raw_len(chunk)? == Some(0) { Ok(Vec::new()) } else { log.read(chunk) }))
    }

    fn put_exceptions(&self, name: &str, slots: u32, fill: &FillExceptions<'_>) -> Result<(), Error> {
        write_exceptions(&self.file(name), self.fingerprint(), slots, fill)?;
        Ok(())
    }

    fn get_values(&self, name: &str, slots: u32) -> Result<Vec<u8>, Error> {
        ExceptionsFile::open(&self.file(name), self.fingerprint(), slots, &BlockCache::new(0))?.values()
    }
}

/// The codes of all slots of a plane.
fn codes_of(plane: &PlaneFile, name: &str) -> Result<Codes, Error> {
    let mut codes = Codes::zeroed(name, plane.len() as usize)?;
    plane.read_into(0, &mut codes, Value::code)?;
    Ok(codes)
}
