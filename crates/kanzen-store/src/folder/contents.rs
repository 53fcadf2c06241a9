//! What a solve keeps in its folder: planes, keys, logs, the state of a class.

use serde_json::json;

use super::WorkFolder;
use crate::exceptions::{ExceptionsFile, write_exceptions};
use crate::keys::{KeysOptions, pack_wide_keys, write_packed_keys, write_wide_keys};
use crate::plane::{PlaneOptions, pack_plane_block, write_packed_plane, write_plane_codes};
use crate::{
    AscendingKeys, BlockCache, BlockFile, BlockWriter, FillCodes, FillExceptions, IndexedPlane, Kind, LogParts,
    MakeChunk, NextBlock, PackedPlane, PlaneFile, ReadChunk, SolvedGame, StepsDone, VisitKeys, VisitState,
    write_plane_indices,
};
use kanzen_core::machine::Codes;
use kanzen_core::vocabulary::{Error, Tally, Value};

const LOG: Kind = *b"rond";
/// A log is written once and read once.
const QUICK: i32 = 1;

/// Files appear whole or not at all: one that is there was finished. It can have been damaged since. Reading it then is
/// an error ([`Error::is_loss`]), or, for what only saves time, as if it were not there.
impl WorkFolder {
    /// Returns the length of a file.
    pub fn bytes(&self, name: &str) -> Result<u64, Error> {
        let path = self.file(name);
        Ok(path.metadata().map_err(Error::io("open", &path))?.bytes)
    }

    /// Returns the names of all files, sorted.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        self.path().list()
    }

    /// Refuses a solve that would need more room than the disk has, what is kept already counted in.
    pub fn check_room(&self, bytes: u64) -> Result<(), Error> {
        let there = self.path().folder_bytes()?;
        match self.path().free() {
            Some(free) if free.saturating_add(there) < bytes => {
                let (what, folder) = (self.game().to_owned(), self.path().to_path_buf());
                Err(Error::Disk { what, needed: bytes, folder, free })
            }
            _ => Ok(()),
        }
    }

    /// Keeps the state of a piece of work at the end of a level; it replaces the one before.
    pub fn put_state(&self, name: &str, level: u64, state: &[u8]) -> Result<(), Error> {
        self.write_checkpoint(name, &json!({ "level": level }), &[state])
    }

    /// Reads the last state kept under a name and returns its level; nothing if there is none of this length that is
    /// sound. Then `state` may hold anything.
    pub fn get_state(&self, name: &str, state: &mut [u8]) -> Result<Option<u64>, Error> {
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

    /// The level of the last state kept under a name, if there is one.
    pub fn state_level(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.open_checkpoint(name)?.and_then(|checkpoint| checkpoint.header()["level"].as_u64()))
    }

    /// Reads the last state kept under a name by pieces: `visit` is called in parallel with where each begins (a multiple
    /// of 1 Mi) and its bytes. Returns its level; nothing if there is no sound one of this length, and then some pieces may
    /// have been visited.
    pub fn visit_state(&self, name: &str, bytes: u64, visit: &VisitState<'_>) -> Result<Option<u64>, Error> {
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

    /// Keeps a plane: a value for each slot. `fill` writes the codes ([`Value::code`]) of a stretch, from a slot on; it is
    /// called in parallel, more than once for each slot. `done` hears of slots that are packed, all of them by and by; if
    /// it fails, nothing is kept.
    pub fn put_plane(&self, name: &str, slots: u64, fill: &FillCodes<'_>, done: &StepsDone<'_>) -> Result<(), Error> {
        write_plane_codes(self.file(name), self.fingerprint(), slots, fill, done)?;
        Ok(())
    }

    /// Keeps a plane whose maker knows the palette and the blocks: see [`IndexedPlane`].
    pub fn put_indexed_plane(&self, name: &str, plane: &IndexedPlane<'_>) -> Result<(), Error> {
        let IndexedPlane { palette, entries, page, level, groups, make } = *plane;
        let options = PlaneOptions { entries, page, level };
        write_plane_indices(self.file(name), self.fingerprint(), palette, options, groups, make)?;
        Ok(())
    }

    /// Packs a block of a plane for [`put_packed_plane`](WorkFolder::put_packed_plane), which may be that of another
    /// process. `value` is called with the slots of the block.
    pub fn pack_block(
        &self,
        plane: &PackedPlane<'_>,
        block: u64,
        value: &dyn Fn(u64) -> Value,
    ) -> Result<Vec<u8>, Error> {
        pack_plane_block(self.path(), plane, block, value)
    }

    /// Keeps a plane whose blocks were packed by [`pack_block`](WorkFolder::pack_block); `next` is called with 0, 1, ...
    /// in order. The file is that of [`put_plane`](WorkFolder::put_plane).
    pub fn put_packed_plane(&self, name: &str, plane: &PackedPlane<'_>, next: &mut NextBlock<'_>) -> Result<(), Error> {
        write_packed_plane(&self.file(name), self.fingerprint(), plane, next)
    }

    /// The codes of some slots of a plane, from a slot on.
    pub fn read_plane(&self, name: &str, first: u64, codes: &mut [i16]) -> Result<(), Error> {
        self.plane(name)?.read_into(first, codes, Value::code)
    }

    /// The codes of all slots of a plane.
    pub fn get_plane(&self, name: &str) -> Result<Codes, Error> {
        codes_of(&self.plane(name)?, name)
    }

    /// Returns the codes of a plane with so many slots of another game's finished database, if the same data folder has
    /// a sound one.
    pub fn plane_of(&self, other: &SolvedGame<'_>, name: &str, slots: u64) -> Result<Option<Codes>, Error> {
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

    /// The values of a plane, counted.
    pub fn tally(&self, name: &str) -> Result<Tally, Error> {
        self.plane(name)?.tally()
    }

    /// Keeps strictly ascending keys.
    pub fn put_keys(&self, name: &str, keys: &AscendingKeys<'_>) -> Result<(), Error> {
        let AscendingKeys { width, len, fill } = *keys;
        write_wide_keys(&self.file(name), self.fingerprint(), KeysOptions::default(), width, len, fill)?;
        Ok(())
    }

    /// Packs strictly ascending keys, a block of so many from `first` on, for
    /// [`put_packed_keys`](WorkFolder::put_packed_keys); fewer only at the end.
    pub fn pack_keys(&self, block: u64, first: u64, keys: &[u128]) -> Result<Vec<u8>, Error> {
        pack_wide_keys(self.path(), KeysOptions::of_blocks(block), first, keys)
    }

    /// Keeps `len` keys that were packed in blocks of so many by [`pack_keys`](WorkFolder::pack_keys); `next` is called with 0, 1, ... in
    /// order, for [`PACKED_KEYS`](crate::PACKED_KEYS) of them each. If a block has as many, the file is that of
    /// [`put_keys`](WorkFolder::put_keys).
    pub fn put_packed_keys(
        &self,
        name: &str,
        (width, block): (usize, u64),
        len: u64,
        next: &mut NextBlock<'_>,
    ) -> Result<(), Error> {
        write_packed_keys(&self.file(name), self.fingerprint(), KeysOptions::of_blocks(block), width, len, next)
    }

    /// Visits the keys kept under a name, of so many bytes each, in order and by stretches.
    pub fn get_keys(&self, name: &str, width: usize, visit: &mut VisitKeys<'_>) -> Result<(), Error> {
        match width {
            4 => self.keys::<u32>(name)?.visit_all(visit),
            8 => self.keys::<u64>(name)?.visit_all(visit),
            _ => self.keys::<u128>(name)?.visit_all(visit),
        }
    }

    /// Keeps a log: so many chunks of bytes, made in parallel. It need not be safe before the next
    /// [`sync`](WorkFolder::sync).
    pub fn put_log(&self, name: &str, chunks: u64, make: &MakeChunk<'_>) -> Result<(), Error> {
        self.put_log_in_parts(name, &mut |add| add(chunks, make))
    }

    /// Keeps a log that is made in parts: `parts` hands them on, one after the other, as it has them. The log is that of
    /// [`put_log`](WorkFolder::put_log) with all chunks at once; if `parts` fails, nothing is kept.
    pub fn put_log_in_parts(&self, name: &str, parts: &mut LogParts<'_>) -> Result<(), Error> {
        let mut log = BlockWriter::create(self.file(name), LOG, self.fingerprint())?.level(QUICK).unsynced();
        parts(&mut |chunks, make| log.push_many(chunks, |chunk| Ok(make(chunk))))?;
        log.finish()?;
        self.note_unsynced(name);
        Ok(())
    }

    /// Opens a log.
    pub fn get_log(&self, name: &str) -> Result<ReadChunk<'_>, Error> {
        let log = BlockFile::open(self.file(name), LOG, self.fingerprint())?;
        Ok(Box::new(move |chunk| if log.raw_len(chunk)? == Some(0) { Ok(Vec::new()) } else { log.read(chunk) }))
    }

    /// Keeps values with exceptions: see [`Exception`](crate::Exception). `fill` adds those of a stretch of at most
    /// [`Exception::STRETCH`](crate::Exception::STRETCH) slots, from a slot on; if it fails, nothing is kept.
    pub fn put_exceptions(&self, name: &str, slots: u32, fill: &FillExceptions<'_>) -> Result<(), Error> {
        write_exceptions(self.file(name), self.fingerprint(), slots, fill)?;
        Ok(())
    }

    /// The values of all slots where no exception is made.
    pub fn get_values(&self, name: &str, slots: u32) -> Result<Vec<u8>, Error> {
        ExceptionsFile::open(self.file(name), self.fingerprint(), slots, &BlockCache::new(0))?.values()
    }
}

/// The codes of all slots of a plane.
fn codes_of(plane: &PlaneFile, name: &str) -> Result<Codes, Error> {
    let mut codes = Codes::zeroed(name, plane.len() as usize)?;
    plane.read_into(0, &mut codes, Value::code)?;
    Ok(codes)
}
