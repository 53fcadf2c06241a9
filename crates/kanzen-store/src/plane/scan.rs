//! Looking through a plane: block after block for values that are wanted, or at many slots in order.

use std::sync::Arc;

use rayon::prelude::*;

use super::PlaneFile;
use crate::ValueSet;
use kanzen_core::vocabulary::{Error, Value};

impl PlaneFile {
    /// How many blocks of values there are: what is read at a time in a scan.
    pub fn scan_blocks(&self) -> u64 {
        self.len().div_ceil(self.head.entries)
    }

    /// Whether a block may hold a wanted value; `wanted` has an answer for each value of the palette.
    pub fn may_have(&self, block: u64, wanted: &[bool]) -> Result<bool, Error> {
        Ok(self.occurrence.get()?.is_none_or(|known| known.has_any(block, |value| wanted[value])))
    }

    /// Whether the database lists which values occur in which block.
    pub fn knows_occurrences(&self) -> bool {
        self.occurrence.is_there()
    }

    /// How many blocks have other values than the database lists: a search would pass over those that it does not name.
    pub fn wrong_occurrences(&self) -> Result<u64, Error> {
        let Some(known) = self.occurrence.get()? else { return Ok(0) };
        let wrong = (0..self.scan_blocks()).into_par_iter().map(|block| {
            let bytes = self.block(block)?;
            let right = match self.head.width() {
                1 => known.is_right(block, ValueSet::of(&bytes).iter()),
                _ => known.is_right(block, bytes.as_chunks().0.iter().map(|&index| u16::from_le_bytes(index).into())),
            };
            Ok::<u64, Error>(u64::from(!right))
        });
        wrong.try_reduce(|| 0, |one, other| Ok(one + other))
    }

    /// The slots of a block that hold a wanted value, ascending, each with the number of its value in the palette.
    ///
    /// ```
    /// use kanzen_core::Value;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("plane");
    /// kanzen_store::write_plane(&path, 7, 100, |slot| if slot % 40 == 2 { Value::win(9) } else { Value::DRAW })?;
    /// let plane = kanzen_store::PlaneFile::open(&path, 7, &kanzen_store::BlockCache::new(0))?;
    /// assert_eq!(plane.palette(), [Value::DRAW, Value::win(9)]);
    /// assert_eq!(plane.matching(0, &[false, true])?, [(2, 1), (42, 1), (82, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matching(&self, block: u64, wanted: &[bool]) -> Result<Vec<(u64, u16)>, Error> {
        if !wanted.contains(&true) || !self.may_have(block, wanted)? {
            return Ok(Vec::new());
        }
        let bytes = self.block(block)?;
        let first = block * self.head.entries;
        let mut found = Vec::new();
        match self.head.width() {
            1 => {
                // A byte that the palette lacks is an error, and so stands out like a wanted one.
                let mut table = [true; 256];
                table.iter_mut().zip(wanted).for_each(|(to, wanted)| *to = *wanted);
                let hits = bytes.iter().enumerate().filter(|(_, index)| table[usize::from(**index)]);
                found.extend(hits.map(|(at, &index)| (first + at as u64, u16::from(index))));
            }
            _ => {
                let (indices, _) = bytes.as_chunks();
                let indices = indices.iter().map(|&index| u16::from_le_bytes(index)).enumerate();
                let hits = indices.filter(|(_, index)| wanted.get(usize::from(*index)).copied().unwrap_or(true));
                found.extend(hits.map(|(at, index)| (first + at as u64, index)));
            }
        }
        if found.iter().any(|(_, index)| usize::from(*index) >= self.head.palette.len()) {
            return Err(self.blocks.damaged(block));
        }
        Ok(found)
    }

    /// The values of many slots: quickest if they ascend, for then each page is asked for once.
    pub fn get_each(&self, slots: impl Iterator<Item = u64>, mut visit: impl FnMut(Value)) -> Result<(), Error> {
        let (size, width) = (self.head.page as usize, self.head.width());
        // The page looked at last, by block and number.
        type Held = ((u64, usize), Arc<[u8]>);
        let mut held: Option<Held> = None;
        for slot in slots {
            self.check(slot)?;
            let block = slot / self.head.entries;
            let at = (slot % self.head.entries) as usize * width;
            let (page, at) = (at / size, at % size);
            if held.as_ref().is_none_or(|(place, _)| *place != (block, page)) {
                held = Some(((block, page), self.page(block, page)?));
            }
            let Some((_, bytes)) = &held else { continue };
            let index = match width {
                1 => usize::from(bytes[at]),
                _ => usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
            };
            visit(self.head.palette.get(index).copied().ok_or_else(|| self.blocks.damaged(block))?);
        }
        Ok(())
    }
}
