//! What is due at a level in a block of words: found by plain arithmetic on all of them, which compilers turn into
//! vectors. Few words of a block are due, so that one after the other would mostly be a way past the others.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::engine::{BLOCK, NOTHING_DUE};
use super::word::Word;

/// What is due in a block.
pub struct Scan {
    words: [u32; BLOCK],
    /// For each word whether `best` (1) and `second` (2) is of the level.
    now: [u8; BLOCK],
    /// The next level at which something is due.
    pub next: u8,
}

impl Scan {
    /// A scan of nothing.
    pub fn new() -> Scan {
        Scan { words: [0; BLOCK], now: [0; BLOCK], next: NOTHING_DUE }
    }

    /// Looks at a block, of which the last may be shorter than the others.
    #[inline(always)]
    pub fn look_at(&mut self, block: &[AtomicU32], level: u8) {
        // Loads of atomic words are no vectors: they are copied first.
        for (copy, word) in self.words.iter_mut().zip(block) {
            *copy = word.load(Relaxed);
        }
        self.words.iter_mut().skip(block.len()).for_each(|none| *none = 0);
        let level = u32::from(level);
        let mut next = u32::from(NOTHING_DUE);
        for (now, &word) in self.now.iter_mut().zip(&self.words) {
            let (best, second) = Word(word).decided();
            let later = |decided: u32| if decided > level { decided } else { NOTHING_DUE.into() };
            next = next.min(later(best)).min(later(second));
            *now = u8::from(best == level) | u8::from(second == level) << 1;
        }
        self.next = next as u8;
    }

    /// The words that are due, each with its place and whether `best` and `second` is.
    #[inline(always)]
    pub fn due(&self) -> impl Iterator<Item = (usize, Word, (bool, bool))> {
        let eights = self.now.as_chunks::<8>().0.iter().enumerate();
        eights
            .flat_map(|(eight, now)| {
                let mut left = u64::from_le_bytes(*now);
                std::iter::from_fn(move || {
                    let byte = left.trailing_zeros() / 8;
                    (left != 0).then(|| {
                        left &= !(0xff << (8 * byte));
                        8 * eight + byte as usize
                    })
                })
            })
            .map(|place| (place, Word(self.words[place]), (self.now[place] & 1 != 0, self.now[place] & 2 != 0)))
    }
}
