//! Checkpoints: what a solve needs to go on after it was killed.
//!
//! A checkpoint is a block file: the bytes of some arrays, cut into pieces, then a head with the arrays' lengths and
//! whatever the engine wants to know (`{"class": "5-4", "level": 61}`).

use std::sync::Mutex;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::WorkFolder;
use crate::{BlockFile, BlockWriter, Kind, VfsPath};
use kanzen_core::vocabulary::Error;

const CHECKPOINT: Kind = *b"chkp";
const PIECE: u64 = 1 << 20;
const QUICK: i32 = 1; // a checkpoint is written often and read seldom

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    header: Json,
    lengths: Vec<u64>,
}

/// A checkpoint that was found whole.
#[derive(Debug)]
pub struct Checkpoint {
    blocks: BlockFile,
    header: Json,
    lengths: Vec<u64>,
}

impl WorkFolder {
    /// Writes a checkpoint of some arrays of bytes, replacing one of the same name only when it is whole.
    ///
    /// ```
    /// use kanzen_store::WorkFolder;
    /// let data = tempfile::tempdir()?;
    /// let work = WorkFolder::open_or_create(data.path(), "stones", 7)?;
    /// work.write_checkpoint("levels", &serde_json::json!({"level": 3}), &[b"done", b"new"])?;
    ///
    /// let found = work.open_checkpoint("levels")?.expect("it was just written");
    /// assert_eq!(found.header()["level"], 3);
    /// assert_eq!(found.read(1)?, b"new");
    /// assert!(work.open_checkpoint("other")?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_checkpoint(&self, name: &str, header: &Json, arrays: &[&[u8]]) -> Result<(), Error> {
        let lengths: Vec<u64> = arrays.iter().map(|array| array.len() as u64).collect();
        self.write_checkpoint_with(name, header, &lengths, |array, offset, piece| {
            piece.copy_from_slice(&arrays[array][offset as usize..][..piece.len()]);
        })
    }

    /// As [`write_checkpoint`](WorkFolder::write_checkpoint) for arrays that are not at hand as bytes: `fill` is called
    /// in parallel with the number of an array, an offset in it (a multiple of 1 Mi) and the bytes to fill from there.
    pub fn write_checkpoint_with<F>(&self, name: &str, header: &Json, lengths: &[u64], fill: F) -> Result<(), Error>
    where
        F: Fn(usize, u64, &mut [u8]) + Sync,
    {
        let path = self.writable(name)?;
        let mut blocks = BlockWriter::create(&path, CHECKPOINT, self.fingerprint())?.level(QUICK);
        for (array, &length) in lengths.iter().enumerate() {
            blocks.push_many(length.div_ceil(PIECE), |piece| {
                let offset = piece * PIECE;
                let mut bytes = vec![0; PIECE.min(length - offset) as usize];
                fill(array, offset, &mut bytes);
                Ok(bytes)
            })?;
        }
        let head = Head { header: header.clone(), lengths: lengths.to_vec() };
        blocks.push(&serde_json::to_vec(&head).expect("JSON is text"))?;
        blocks.finish()?;
        Ok(())
    }

    /// Finds a checkpoint and checks every byte of it. A damaged one is removed, noted among the
    /// [`losses`](WorkFolder::take_losses), and counts as absent: the work goes on from the one before.
    pub fn open_checkpoint(&self, name: &str) -> Result<Option<Checkpoint>, Error> {
        let path = self.writable(name)?;
        match Checkpoint::open(&path, self.fingerprint()) {
            Ok(checkpoint) => Ok(Some(checkpoint)),
            Err(Error::Missing { .. }) => Ok(None),
            Err(refused @ Error::Io { .. }) => Err(refused),
            Err(damaged) => {
                self.note_loss(damaged);
                self.remove(name)?;
                Ok(None)
            }
        }
    }

    /// Writes a small checkpoint: some bytes under a name.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_checkpoint(name, &Json::Null, &[bytes])
    }

    /// The bytes that were put under a name; a damaged file counts as absent, as in
    /// [`open_checkpoint`](WorkFolder::open_checkpoint).
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.open_checkpoint(name)? {
            Some(checkpoint) => Ok(Some(checkpoint.read(0)?)),
            None => Ok(None),
        }
    }
}

impl Checkpoint {
    fn open(path: &VfsPath, fingerprint: u64) -> Result<Checkpoint, Error> {
        let damaged = || Error::damaged(path, "its head");
        let blocks = BlockFile::open(path, CHECKPOINT, fingerprint)?;
        let last = blocks.blocks().checked_sub(1).ok_or_else(damaged)?;
        let head: Head = serde_json::from_slice(&blocks.read(last)?).map_err(|_| damaged())?;
        let mut block = 0;
        for &length in &head.lengths {
            let mut left = length;
            while left > 0 {
                let piece = left.min(PIECE);
                if block >= last || blocks.raw_len(block)? != Some(piece as usize) {
                    return Err(damaged());
                }
                (block, left) = (block + 1, left - piece);
            }
        }
        if block != last {
            return Err(damaged());
        }
        blocks.verify()?;
        Ok(Checkpoint { blocks, header: head.header, lengths: head.lengths })
    }

    /// What the engine wrote about it.
    pub fn header(&self) -> &Json {
        &self.header
    }

    /// The lengths of its arrays, in bytes.
    pub fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// Reads an array piece by piece: `take` is called in parallel with offsets (multiples of 1 Mi) and bytes.
    pub fn read_with(&self, array: usize, take: impl Fn(u64, &[u8]) + Sync) -> Result<(), Error> {
        let first = self.first_block(array)?;
        (0..self.lengths[array].div_ceil(PIECE)).into_par_iter().try_for_each(|piece| {
            take(piece * PIECE, &self.blocks.read(first + piece)?);
            Ok(())
        })
    }

    /// Reads an array into `to`, which must have its length.
    pub fn read_into(&self, array: usize, to: &mut [u8]) -> Result<(), Error> {
        self.first_block(array)?;
        if self.lengths[array] != to.len() as u64 {
            let (path, len) = (self.blocks.path().to_owned(), self.lengths[array]);
            return Err(Error::OutOfRange { path, slot: to.len() as u64, len });
        }
        let pieces: Vec<Mutex<&mut [u8]>> = to.chunks_mut(PIECE as usize).map(Mutex::new).collect();
        self.read_with(array, |offset, bytes| {
            let mut piece = pieces[(offset / PIECE) as usize].lock().expect("no other thread takes this piece");
            piece.copy_from_slice(bytes);
        })
    }

    /// Reads an array.
    pub fn read(&self, array: usize) -> Result<Vec<u8>, Error> {
        self.first_block(array)?;
        let mut bytes = vec![0; self.lengths[array] as usize];
        self.read_into(array, &mut bytes)?;
        Ok(bytes)
    }

    fn first_block(&self, array: usize) -> Result<u64, Error> {
        if array >= self.lengths.len() {
            let (path, len) = (self.blocks.path().to_owned(), self.lengths.len() as u64);
            return Err(Error::OutOfRange { path, slot: array as u64, len });
        }
        Ok(self.lengths[..array].iter().map(|length| length.div_ceil(PIECE)).sum())
    }
}
