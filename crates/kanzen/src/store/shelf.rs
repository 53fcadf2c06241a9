//! A working folder as the shelf of a solve.

use std::sync::Arc;

use serde_json::json;

use super::{FileEntry, PlaneFile, StoreError, WorkFolder, write_plane};
use crate::solve::{Codes, Shelf};
use crate::{Tally, Value};

/// Keeps finished classes as planes and unfinished ones as checkpoints in a [`WorkFolder`].
pub struct FolderShelf<'a> {
    work: &'a WorkFolder,
}

impl<'a> FolderShelf<'a> {
    /// The shelf in a folder.
    pub fn new(work: &'a WorkFolder) -> FolderShelf<'a> {
        FolderShelf { work }
    }

    /// The file of a class's values.
    pub fn plane_file(class: usize) -> String {
        format!("class-{class}.plane")
    }

    fn checkpoint_file(class: usize) -> String {
        format!("class-{class}.checkpoint")
    }

    fn plane(&self, class: usize) -> Result<PlaneFile, StoreError> {
        self.work.plane(&Self::plane_file(class))
    }

    /// A finished class for the manifest: its file and its values counted.
    pub fn summary(&self, class: usize) -> Result<(FileEntry, Tally), StoreError> {
        let plane = self.plane(class)?;
        Ok((FileEntry::of_file(Self::plane_file(class), plane.blocks()), plane.tally()?))
    }
}

impl Shelf for FolderShelf<'_> {
    fn finished(&self, class: usize) -> bool {
        self.work.has(&Self::plane_file(class))
    }

    fn load(&self, class: usize) -> Result<Arc<Codes>, StoreError> {
        let plane = self.plane(class)?;
        let path = self.work.file(&Self::plane_file(class));
        let mut codes = Codes::zeroed(plane.len() as usize).map_err(StoreError::io("reserve memory for", &path))?;
        plane.read_into(0, &mut codes, Value::code)?;
        Ok(Arc::new(codes))
    }

    fn finish(&mut self, class: usize, slots: u64, value: &(dyn Fn(u64) -> Value + Sync)) -> Result<(), StoreError> {
        write_plane(&self.work.file(&Self::plane_file(class)), self.work.fingerprint(), slots, value)?;
        self.work.remove(&Self::checkpoint_file(class))
    }

    fn checkpoint(&mut self, class: usize, level: u64, state: &[u8]) -> Result<(), StoreError> {
        self.work.write_checkpoint(&Self::checkpoint_file(class), &json!({ "level": level }), &[state])
    }

    fn resume(&mut self, class: usize, state: &mut [u8]) -> Result<Option<u64>, StoreError> {
        let Some(checkpoint) = self.work.open_checkpoint(&Self::checkpoint_file(class))? else { return Ok(None) };
        let level = checkpoint.header()["level"].as_u64();
        if level.is_none() || checkpoint.lengths() != [state.len() as u64] {
            return Ok(None);
        }
        match checkpoint.read_into(0, state) {
            Ok(()) => Ok(level),
            // A damaged checkpoint is no checkpoint: the class starts again.
            Err(StoreError::Damaged { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
