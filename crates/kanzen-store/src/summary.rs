//! What values with exceptions come to, two bits a slot: small enough to be held where the values are not.
//!
//! ```text
//! pairs    ..01 10 11 00 11..   what each value comes to; 11 where its exception comes to something else
//! before   how many 11 there are before each stretch of 512 slots
//! notes    a byte for each 11, in their order
//! ```

use rayon::prelude::*;

use super::ExceptionsFile;
use crate::Exception;
use kanzen_core::machine::{Array, prefetch};
use kanzen_core::vocabulary::Error;

/// Slots of a word.
const PER_WORD: usize = 32;
/// Words between two counts.
const WORDS: usize = 16;
/// Chunks that are summed up before their notes are put together.
const TOGETHER: usize = 1 << 10;

/// Two bits for each slot, and a byte for each slot where they do not say all. See
/// [`ExceptionsFile::summary`].
pub struct Summary {
    pairs: Array<u64>,
    before: Vec<u32>,
    notes: Vec<u8>,
}

impl Summary {
    /// The two bits of a slot in which the exception comes to something else.
    pub const DIFFERS: u8 = 3;

    /// Bytes of memory for so many slots, if one in sixteen has a note.
    pub fn memory(slots: u64) -> u64 {
        slots / 4 + slots / 128 + slots / 16
    }

    /// The two bits of a slot.
    #[inline(always)]
    pub fn get(&self, slot: u32) -> u8 {
        let at = slot as usize;
        (self.pairs[at / PER_WORD] >> (2 * (at % PER_WORD)) & 3) as u8
    }

    /// The note of a slot with [`DIFFERS`](Summary::DIFFERS).
    pub fn note(&self, slot: u32) -> Option<u8> {
        let (word, bit) = (slot as usize / PER_WORD, 2 * (slot as usize % PER_WORD));
        let first = word / WORDS * WORDS;
        let whole: u32 = self.pairs[first..word].iter().map(|&pairs| differing(pairs).count_ones()).sum();
        let part = (differing(self.pairs[word]) & ((1 << bit) - 1)).count_ones();
        self.notes.get((self.before[word / WORDS] + whole + part) as usize).copied()
    }

    /// Asks for the memory of a slot before it is read.
    #[inline(always)]
    pub fn prefetch(&self, slot: u32) {
        prefetch(&self.pairs[slot as usize / PER_WORD]);
    }
}

/// A bit for each pair that is 11.
fn differing(pairs: u64) -> u64 {
    pairs & pairs >> 1 & 0x5555_5555_5555_5555
}

impl ExceptionsFile {
    /// Reads all, and keeps of each slot what its value comes to: `of` gives 0, 1 or 2. Where the exception comes to
    /// something else, a byte is noted as well.
    ///
    /// # Panics
    /// If `of` gives more than 2.
    pub fn summary(&self, of: impl Fn(u8) -> u8, note: impl Fn(Exception) -> u8 + Sync) -> Result<Summary, Error> {
        let of: [u8; 256] = std::array::from_fn(|value| of(value as u8));
        assert!(of.iter().all(|bits| *bits < Summary::DIFFERS), "two bits have three meanings");
        let words = self.len().div_ceil(PER_WORD as u32) as usize;
        let mut pairs = Array::<u64>::zeroed("what all values come to", words)?;
        let mut notes = Vec::new();
        let chunk_words = Exception::STRETCH as usize / PER_WORD;
        for (batch, pairs) in pairs.chunks_mut(TOGETHER * chunk_words).enumerate() {
            let each = pairs.par_chunks_mut(chunk_words).enumerate().map(|(chunk, pairs)| {
                let chunk = (batch * TOGETHER + chunk) as u32;
                let parts = self.parts(chunk)?;
                for (word, values) in pairs.iter_mut().zip(parts.values.chunks(PER_WORD)) {
                    for (at, &value) in values.iter().enumerate() {
                        *word |= u64::from(of[usize::from(value)]) << (2 * at);
                    }
                }
                let mut notes = Vec::new();
                for (at, entry) in parts.exceptions() {
                    if of[usize::from(entry.value)] != of[usize::from(entry.then)] {
                        pairs[at / PER_WORD] |= u64::from(Summary::DIFFERS) << (2 * (at % PER_WORD));
                        notes.push(note(entry));
                    }
                }
                Ok::<Vec<u8>, Error>(notes)
            });
            let made: Vec<Vec<u8>> = each.collect::<Result<_, Error>>()?;
            made.iter().for_each(|made| notes.extend(made));
        }
        let mut before = Vec::with_capacity(words.div_ceil(WORDS));
        let mut count = 0;
        for stretch in pairs.chunks(WORDS) {
            before.push(count);
            count += stretch.iter().map(|&pairs| differing(pairs).count_ones()).sum::<u32>();
        }
        notes.shrink_to_fit();
        Ok(Summary { pairs, before, notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockCache, write_exceptions};

    #[test]
    fn a_summary_agrees_with_each_slot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values");
        let entry = |slot: u32| {
            let (value, then) = ((slot.wrapping_mul(2_654_435_761) >> 20) as u8, (slot % 5) as u8);
            // What is the same in that case is no exception.
            let case = if slot.is_multiple_of(3) && value != then { (slot % 11) as u8 } else { 0 };
            Exception { value, case, then: if case == 0 { value } else { then } }
        };
        let slots = 2 * Exception::STRETCH + 777;
        let fill = |first: u32, all: &mut Vec<Exception>| {
            all.extend((first..slots.min(first + Exception::STRETCH)).map(entry));
            Ok(())
        };
        write_exceptions(&path, 7, slots, &fill).unwrap();
        let file = ExceptionsFile::open(&path, 7, slots, &BlockCache::new(0)).unwrap();
        let of = |value: u8| value % 3;
        let summary = file.summary(of, |entry| entry.case ^ entry.then).unwrap();
        let mut noted = 0;
        for slot in 0..slots {
            let entry = entry(slot);
            if entry.case != 0 && of(entry.value) != of(entry.then) {
                assert_eq!(summary.get(slot), Summary::DIFFERS);
                assert_eq!(summary.note(slot), Some(entry.case ^ entry.then), "slot {slot}");
                noted += 1;
            } else {
                assert_eq!(summary.get(slot), of(entry.value), "slot {slot}");
            }
        }
        assert!(noted > 1000 && summary.notes.len() == noted);
    }
}
