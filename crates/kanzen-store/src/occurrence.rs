//! Which values occur in which block: what lets a search skip most of a file.
//!
//! A file of its own beside the values (`class-0.plane.occurs` beside `class-0.plane`), so that those are byte for byte
//! what they would be without it. A database that has none is read just as well, only more of it.
//!
//! ```text
//! block 0, 1, ..   a bit for each value, rounded up to bytes, block of values after block of values
//! last block       head: blocks of values, values
//! ```

mod note;

use std::sync::OnceLock;

use super::{BlockFile, Database, Kind};
use kanzen_core::vocabulary::Error;

pub(super) use note::Noted;

const KIND: Kind = *b"occu";
/// Bytes of a block of this file, before compression.
const CUT: usize = 1 << 20;
/// Sets of more values would be longer than what they save.
const MOST: usize = 256;

/// A set of values, by their numbers below 256.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ValueSet([u64; 4]);

impl ValueSet {
    /// Adds a value.
    #[inline(always)]
    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    /// The values that occur among these.
    pub fn of(values: &[u8]) -> ValueSet {
        let mut seen = [false; MOST];
        // Most values are as those before: eight of them that were looked at already are not looked at again.
        let (eights, rest) = values.as_chunks::<8>();
        let mut before = None;
        for eight in eights.iter().filter(|&&eight| before.replace(eight) != Some(eight)) {
            eight.iter().for_each(|&value| seen[usize::from(value)] = true);
        }
        rest.iter().for_each(|&value| seen[usize::from(value)] = true);
        let mut set = ValueSet::default();
        (0..=u8::MAX).filter(|&value| seen[usize::from(value)]).for_each(|value| set.insert(value));
        set
    }

    /// The values, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST).filter(move |&value| self.0[value >> 6] >> (value & 63) & 1 == 1)
    }

    /// As bytes, to be sent to another process.
    pub(super) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(self.bytes()).for_each(|(to, byte)| *to = byte);
        bytes
    }

    /// The set that was made bytes of.
    pub(super) fn from_bytes(bytes: [u8; 32]) -> ValueSet {
        let (words, _) = bytes.as_chunks();
        ValueSet([0, 1, 2, 3].map(|at| u64::from_le_bytes(words[at])))
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().flat_map(u64::to_le_bytes)
    }
}

/// The file beside a file of values.
pub fn occurs_file(values: &str) -> String {
    format!("{values}.occurs")
}

/// Which values occur in which block of a file.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_store::{Occurrence, PlaneOptions, write_plane_with};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("plane");
/// let options = PlaneOptions { entries: 100, ..PlaneOptions::default() };
/// write_plane_with(&path, 7, options, 1000, |slot| Value::win(if slot == 777 { 9 } else { 3 }))?;
/// let occurrence = Occurrence::open(&path, 7, 10, 2)?.expect("it is written with the plane");
/// // The palette is worst first: a win in 9, then one in 3.
/// let blocks = (0..10).filter(|&block| occurrence.has_any(block, |value| value == 0));
/// assert_eq!(blocks.collect::<Vec<_>>(), [7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Occurrence {
    values: usize,
    bits: Vec<u8>,
}

impl Occurrence {
    pub(super) fn read(file: &BlockFile, blocks: u64, values: usize) -> Result<Occurrence, Error> {
        let damaged = || Error::damaged(file.path(), "its head");
        let last = file.blocks().checked_sub(1).ok_or_else(damaged)?;
        let head: Vec<u8> = [blocks, values as u64].into_iter().flat_map(u64::to_le_bytes).collect();
        let bytes = (values.div_ceil(8) as u64).checked_mul(blocks).ok_or_else(damaged)?;
        // What is read is bounded by what the file of the values was found to have.
        if file.read_sized(last, head.len()..=head.len())? != head || bytes.div_ceil(CUT as u64) != last {
            return Err(damaged());
        }
        let mut bits = Vec::new();
        for block in 0..last {
            bits.extend(file.read_sized(block, 1..=CUT)?);
        }
        if bits.len() as u64 != bytes {
            return Err(damaged());
        }
        Ok(Occurrence { values, bits })
    }

    /// Whether a block has exactly the values that it is said to have.
    pub(super) fn is_right(&self, block: u64, values: impl Iterator<Item = usize>) -> bool {
        let width = self.values.div_ceil(8);
        let mut set = vec![0; width];
        for value in values {
            match set.get_mut(value / 8) {
                Some(byte) => *byte |= 1 << (value % 8),
                None => return false,
            }
        }
        let at = block as usize * width;
        self.bits.get(at..at + width) == Some(&set)
    }

    /// Whether any value that is wanted occurs in a block, or nothing is known of it.
    pub fn has_any(&self, block: u64, wanted: impl Fn(usize) -> bool) -> bool {
        let width = self.values.div_ceil(8);
        let at = block as usize * width;
        let Some(set) = self.bits.get(at..at + width) else { return true };
        (0..self.values).any(|value| set[value / 8] >> (value % 8) & 1 == 1 && wanted(value))
    }
}

/// The occurrences of a file of a database, read when they are first asked for: a probe does not need them.
#[derive(Debug)]
pub(super) struct OnDemand {
    /// Nothing where the database was written without.
    file: Option<BlockFile>,
    blocks: u64,
    values: usize,
    read: OnceLock<Occurrence>,
}

impl OnDemand {
    /// Nothing is known.
    pub fn none() -> OnDemand {
        OnDemand { file: None, blocks: 0, values: 0, read: OnceLock::new() }
    }

    /// Whether there are any.
    pub fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// The occurrences, if there are any.
    pub fn get(&self) -> Result<Option<&Occurrence>, Error> {
        let Some(file) = &self.file else { return Ok(None) };
        if self.read.get().is_none() {
            // Another thread may be quicker with the same bytes.
            let _ = self.read.set(Occurrence::read(file, self.blocks, self.values)?);
        }
        Ok(self.read.get())
    }
}

impl Database {
    /// Which values occur in the blocks of one of its files.
    pub(super) fn occurrence(&self, file: &str, blocks: u64, values: usize) -> Result<OnDemand, Error> {
        let name = occurs_file(file);
        let file = self.manifest().file(&name).map(|_| self.blocks(&name, KIND)).transpose()?;
        Ok(OnDemand { file, blocks, values, read: OnceLock::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::note::beside;
    use super::*;
    use crate::VfsPath;
    use crate::damage::each_damage;

    #[test]
    fn what_is_noted_is_read_and_a_flipped_byte_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = VfsPath::from(folder.path()).join("values");
        let noted = Noted::new(11);
        let sets: Vec<Vec<u8>> = (0..50u8).map(|block| vec![block % 11, 10]).collect();
        for (block, set) in sets.iter().enumerate().rev() {
            noted.note(block as u64, ValueSet::of(set));
        }
        noted.write(&path, 7).unwrap();
        let agrees = |occurrence: &Occurrence| {
            sets.iter().enumerate().all(|(block, set)| {
                (0..11).all(|value| {
                    occurrence.has_any(block as u64, |wanted| wanted == value) == set.contains(&(value as u8))
                })
            })
        };
        assert!(agrees(&Occurrence::open(&path, 7, 50, 11).unwrap().unwrap()));
        assert!(Occurrence::open(&path, 7, 51, 11).is_err() && Occurrence::open(&path, 7, 50, 12).is_err());
        assert!(Occurrence::open(&folder.path().join("other"), 7, 50, 11).unwrap().is_none());
        each_damage(&beside(&path), |what| match Occurrence::open(&path, 7, 50, 11) {
            Ok(Some(occurrence)) => assert!(agrees(&occurrence), "{what}"),
            Ok(None) => panic!("{what}: the file is there"),
            Err(_) => {}
        });
    }

    #[test]
    fn too_many_values_or_a_single_block_are_not_noted() {
        let folder = tempfile::tempdir().unwrap();
        let path = VfsPath::from(folder.path()).join("values");
        let noted = Noted::new(257);
        (0..5).for_each(|block| noted.note(block, ValueSet::of(&[1])));
        noted.write(&path, 7).unwrap();
        assert!(!beside(&path).exists());
        let noted = Noted::new(11);
        noted.note(0, ValueSet::of(&[1]));
        noted.write(&path, 7).unwrap();
        assert!(!beside(&path).exists(), "one block needs no telling apart");
    }
}
