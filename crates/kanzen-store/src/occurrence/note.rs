//! Noting which values occur, while their blocks are written.

use std::sync::{Mutex, PoisonError};

use super::{CUT, KIND, MOST, Occurrence, ValueSet};
use crate::vfs::VfsPath;
use crate::{BlockFile, BlockWriter};
use kanzen_core::vocabulary::Error;

/// The file beside a file of values.
pub(super) fn beside(path: &VfsPath) -> VfsPath {
    path.with_suffix(".occurs")
}

/// Notes which values occur while blocks are written, in any order and by any number of threads.
pub(crate) struct Noted {
    values: usize,
    bits: Mutex<Vec<u8>>,
}

impl Noted {
    /// Nothing noted yet, of so many different values.
    pub fn new(values: usize) -> Noted {
        Noted { values, bits: Mutex::default() }
    }

    fn width(&self) -> usize {
        self.values.div_ceil(8)
    }

    /// Whether there is anything to note: not of too many values.
    pub fn wanted(&self) -> bool {
        self.values <= MOST
    }

    /// These values occur in a block.
    pub fn note(&self, block: u64, set: ValueSet) {
        if !self.wanted() {
            return;
        }
        let (width, at) = (self.width(), block as usize * self.width());
        let mut bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        if bits.len() < at + width {
            bits.resize(at + width, 0);
        }
        bits[at..at + width]
            .iter_mut()
            .zip(set.0.into_iter().flat_map(u64::to_le_bytes))
            .for_each(|(to, byte)| *to = byte);
    }

    /// Writes the file beside `path`, if there are several blocks to tell apart. It must be there before that of the
    /// values gets its name: a kill between the two would make the database another one.
    pub fn write(&self, path: &VfsPath, fingerprint: u64) -> Result<(), Error> {
        if !self.wanted() {
            return Ok(());
        }
        let bits = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        // Of a single block the palette has all values.
        if bits.len() <= self.width() {
            return Ok(());
        }
        let mut writer = BlockWriter::create(beside(path), KIND, fingerprint)?;
        bits.chunks(CUT).try_for_each(|piece| writer.push(piece))?;
        let blocks = bits.len() / self.width().max(1);
        let head: Vec<u8> = [blocks as u64, self.values as u64].into_iter().flat_map(u64::to_le_bytes).collect();
        writer.push(&head)?;
        writer.finish().map(|_| ())
    }
}

impl Occurrence {
    /// Opens the file beside `path`, which has so many blocks of so many different values; nothing if there is none.
    pub fn open(
        path: impl Into<VfsPath>,
        fingerprint: u64,
        blocks: u64,
        values: usize,
    ) -> Result<Option<Occurrence>, Error> {
        match BlockFile::open(beside(&path.into()), KIND, fingerprint) {
            Ok(file) => Occurrence::read(&file, blocks, values).map(Some),
            Err(Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
