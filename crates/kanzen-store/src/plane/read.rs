//! Reading planes.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Head, MAX_HEAD};
use crate::occurrence::OnDemand;
use crate::{BlockCache, BlockFile, Kind};
use kanzen_core::vocabulary::{Error, Tally, Value};

/// A finished plane; any number of threads may read from it. See [`write_plane`](super::write_plane).
#[derive(Debug)]
pub struct PlaneFile {
    pub(super) blocks: BlockFile,
    cache: Arc<BlockCache>,
    pub(super) head: Head,
    pub(crate) occurrence: OnDemand,
}

impl PlaneFile {
    /// The kind of its block file.
    pub(crate) const KIND: Kind = *b"plan";

    /// The plane that a block file holds.
    pub(crate) fn from_blocks(blocks: BlockFile, cache: &Arc<BlockCache>) -> Result<PlaneFile, Error> {
        let damaged = || Error::damaged(blocks.path(), "its head");
        let last = blocks.blocks().checked_sub(1).ok_or_else(damaged)?;
        let head = Head::from_bytes(&blocks.read_sized(last, 0..=MAX_HEAD)?).ok_or_else(damaged)?;
        if head.slots.div_ceil(head.entries) != last {
            return Err(damaged());
        }
        Ok(PlaneFile { blocks, cache: cache.clone(), head, occurrence: OnDemand::none() })
    }

    /// How many slots there are.
    pub fn len(&self) -> u64 {
        self.head.slots
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that can occur, worst first.
    pub fn palette(&self) -> &[Value] {
        &self.head.palette
    }

    /// The file beneath.
    pub fn blocks(&self) -> &BlockFile {
        &self.blocks
    }

    /// The value of a slot.
    pub fn get(&self, slot: u64) -> Result<Value, Error> {
        self.check(slot)?;
        let block = slot / self.head.entries;
        let at = (slot % self.head.entries) as usize * self.head.width();
        let size = self.head.page as usize;
        let (page, at) = (at / size, at % size);
        let bytes = self.page(block, page)?;
        let index = match self.head.width() {
            1 => usize::from(bytes[at]),
            _ => usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        };
        self.head.palette.get(index).copied().ok_or_else(|| self.blocks.damaged(block))
    }

    /// The codes ([`Value::code`]) of all slots, in parallel and past the cache.
    pub fn read_all(&self) -> Result<Vec<i16>, Error> {
        self.read_range(0..self.len())
    }

    /// The codes of some slots, in parallel and past the cache.
    pub fn read_range(&self, slots: Range<u64>) -> Result<Vec<i16>, Error> {
        self.read_map(slots, Value::code)
    }

    /// Some slots in the reader's own form, in parallel and past the cache: `map` is called once for each value of the
    /// palette, not for each slot.
    ///
    /// ```
    /// use kanzen_core::Value;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("plane");
    /// kanzen_store::write_plane(&path, 7, 6, |slot| Value::win(slot as u16))?;
    /// let plane = kanzen_store::PlaneFile::open(&path, 7, &kanzen_store::BlockCache::new(0))?;
    /// assert_eq!(plane.read_map(2..5, |value| value.distance().unwrap() as u8)?, [2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_map<T: Copy + Default + Send + Sync>(
        &self,
        slots: Range<u64>,
        map: impl Fn(Value) -> T,
    ) -> Result<Vec<T>, Error> {
        let mut all = vec![T::default(); slots.end.saturating_sub(slots.start) as usize];
        self.read_into(slots.start, &mut all, map)?;
        Ok(all)
    }

    /// As [`read_map`](PlaneFile::read_map), from a slot on into `all`.
    pub fn read_into<T: Copy + Default + Send + Sync>(
        &self,
        first: u64,
        all: &mut [T],
        map: impl Fn(Value) -> T,
    ) -> Result<(), Error> {
        if all.is_empty() {
            return Ok(());
        }
        let slots = first..first + all.len() as u64;
        self.check(slots.end - 1)?;
        let mapped: Vec<T> = self.head.palette.iter().map(|&value| map(value)).collect();
        self.pieces(slots, all).into_par_iter().try_for_each(|(first, piece)| {
            let block = first / self.head.entries;
            let bytes = self.block(block)?;
            let from = (first % self.head.entries) as usize;
            let mut known = true;
            let mut look_up = |index: usize| match mapped.get(index) {
                Some(&item) => item,
                None => {
                    known = false;
                    T::default()
                }
            };
            match self.head.width() {
                1 => piece.iter_mut().zip(&bytes[from..]).for_each(|(item, &index)| *item = look_up(index.into())),
                _ => {
                    let (indices, _) = bytes.as_chunks();
                    let indices = indices[from..].iter().map(|&index| u16::from_le_bytes(index));
                    piece.iter_mut().zip(indices).for_each(|(item, index)| *item = look_up(index.into()));
                }
            }
            if known { Ok(()) } else { Err(self.blocks.damaged(block)) }
        })
    }

    /// Counts all slots again, from the blocks.
    pub fn tally(&self) -> Result<Tally, Error> {
        let blocks = 0..self.len().div_ceil(self.head.entries);
        let counts = blocks.into_par_iter().map(|block| {
            let slots = block * self.head.entries..self.len().min((block + 1) * self.head.entries);
            let mut counts = vec![0; self.head.palette.len()];
            let bytes = self.block(block)?;
            for at in 0..(slots.end - slots.start) as usize {
                let index = match self.head.width() {
                    1 => usize::from(bytes[at]),
                    _ => usize::from(u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])),
                };
                *counts.get_mut(index).ok_or_else(|| self.blocks.damaged(block))? += 1;
            }
            Ok(counts)
        });
        let none = || vec![0; self.head.palette.len()];
        let counts: Vec<u64> = counts.try_reduce(none, |mut all, counts| {
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
            Ok(all)
        })?;
        let mut tally = Tally::default();
        for (&value, count) in self.head.palette.iter().zip(counts) {
            tally.add(value, count);
        }
        Ok(tally)
    }

    /// `all` cut where blocks end: the first slot of each piece, and the piece.
    fn pieces<'a, T>(&self, slots: Range<u64>, mut all: &'a mut [T]) -> Vec<(u64, &'a mut [T])> {
        let mut pieces = Vec::new();
        let mut slot = slots.start;
        while slot < slots.end {
            let end = slots.end.min((slot / self.head.entries + 1) * self.head.entries);
            let (piece, rest) = all.split_at_mut((end - slot) as usize);
            pieces.push((slot, piece));
            (slot, all) = (end, rest);
        }
        pieces
    }

    /// The bytes of a page of a block, through the cache.
    pub(super) fn page(&self, block: u64, page: usize) -> Result<Arc<[u8]>, Error> {
        let size = self.head.page as usize;
        self.cache.get(&self.blocks, block, page, || {
            let bytes = self.block_bytes(block);
            self.blocks.check_size(block, bytes..=bytes)?;
            self.blocks.read_page(block, page, size)
        })
    }

    /// The bytes of a block of slots.
    pub(super) fn block(&self, block: u64) -> Result<Vec<u8>, Error> {
        let bytes = self.block_bytes(block);
        self.blocks.read_sized(block, bytes..=bytes)
    }

    /// How many bytes the slots of a block take.
    fn block_bytes(&self, block: u64) -> usize {
        self.head.entries.min(self.len() - block * self.head.entries) as usize * self.head.width()
    }

    pub(super) fn check(&self, slot: u64) -> Result<(), Error> {
        if slot < self.len() {
            return Ok(());
        }
        Err(Error::OutOfRange { path: self.blocks.path().to_owned(), slot, len: self.len() })
    }
}
