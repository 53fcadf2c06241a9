//! Codes of values to the bytes of a plane, counting them.
//!
//! ```text
//!   code (i16) --index_of--> index into the palette --> a byte, or two where the palette is long
//! ```
//!
//! Every slot of every game goes through here, so that there are no branches on values, which nothing predicts, and equal
//! neighbours are counted in different tables: one would wait for the other.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Head;
use crate::ValueSet;
use crate::occurrence::Noted;
use kanzen_core::vocabulary::{Error, Tally, Value};

/// No palette is so long that this would be an index: there are 64,005 values.
const ABSENT: u16 = u16::MAX;
/// Tables that neighbours are counted in by turns.
const TABLES: usize = 4;

/// Makes bytes of codes.
pub(super) struct Coder {
    index_of: Vec<u16>, // by code; ABSENT where the palette has no such value
    counts: Vec<AtomicU64>,
    pub noted: Noted,
    entries: u64,
    width: usize,
}

impl Coder {
    /// For the values of a plane.
    pub fn new(head: &Head) -> Coder {
        let mut index_of = vec![ABSENT; 1 << 16];
        for (index, &value) in head.palette.iter().enumerate() {
            index_of[by_code(value.code())] = index as u16;
        }
        let counts = head.palette.iter().map(|_| AtomicU64::new(0)).collect();
        Coder { index_of, counts, noted: Noted::new(head.palette.len()), entries: head.entries, width: head.width() }
    }

    /// How many slots have which value of the palette, of those encoded so far.
    pub fn tally(&self, palette: &[Value]) -> Tally {
        let mut tally = Tally::default();
        for (&value, count) in palette.iter().zip(&self.counts) {
            tally.add(value, count.load(Ordering::Relaxed));
        }
        tally
    }

    /// The bytes of a block, whose values are noted. `path` is for errors.
    pub fn encode(&self, path: &Path, first: u64, codes: &[i16]) -> Result<Vec<u8>, Error> {
        let (bytes, set) = self.encode_apart(path, first, codes)?;
        self.noted.note(first / self.entries, set);
        Ok(bytes)
    }

    /// The bytes of some slots, and which values occur in them; none are noted.
    pub fn encode_apart(&self, path: &Path, first: u64, codes: &[i16]) -> Result<(Vec<u8>, ValueSet), Error> {
        let (bytes, counts) = match self.width {
            1 => self.narrow(codes),
            _ => self.wide(codes),
        };
        if counts.iter().map(|&count| u64::from(count)).sum::<u64>() != codes.len() as u64 {
            let absent = codes.iter().position(|&code| self.index_of[by_code(code)] == ABSENT).unwrap_or(0);
            let value = codes.get(absent).and_then(|&code| Value::from_code(code)).unwrap_or(Value::DRAW);
            return Err(Error::NotInPalette { path: path.to_owned(), slot: first + absent as u64, value });
        }
        let mut set = ValueSet::default();
        if self.noted.wanted() {
            (0u8..=u8::MAX).zip(&counts).filter(|(_, count)| **count > 0).for_each(|(value, _)| set.insert(value));
        }
        for (all, count) in self.counts.iter().zip(counts) {
            if count > 0 {
                all.fetch_add(u64::from(count), Ordering::Relaxed);
            }
        }
        Ok((bytes, set))
    }

    /// A byte a slot, and how many have each index; what is absent is not counted.
    fn narrow(&self, codes: &[i16]) -> (Vec<u8>, Vec<u32>) {
        let mut bytes = vec![0; codes.len()];
        // One more for what is absent: a palette of so many values has two bytes a slot.
        let mut tables = [[0u32; 257]; TABLES];
        for (bytes, codes) in bytes.chunks_mut(TABLES).zip(codes.chunks(TABLES)) {
            for ((byte, &code), counts) in bytes.iter_mut().zip(codes).zip(&mut tables) {
                let index = self.index_of[by_code(code)];
                *byte = index as u8;
                counts[usize::from(index.min(256))] += 1;
            }
        }
        let sum = |index: usize| tables.iter().map(|counts| counts[index]).sum();
        (bytes, (0..self.counts.len()).map(sum).collect())
    }

    /// Two bytes a slot.
    fn wide(&self, codes: &[i16]) -> (Vec<u8>, Vec<u32>) {
        let mut counts = vec![0; self.counts.len()];
        let mut bytes = Vec::with_capacity(2 * codes.len());
        for &code in codes {
            let index = self.index_of[by_code(code)];
            bytes.extend(index.to_le_bytes());
            if let Some(count) = counts.get_mut(usize::from(index)) {
                *count += 1;
            }
        }
        (bytes, counts)
    }
}

fn by_code(code: i16) -> usize {
    code as u16 as usize
}
