//! The 32-bit state word of a board, its updates, and the scan of a block of words for a level.
//!
//! ```text
//!   31         30..26   25..21   20..16   15..8    7..0
//!   irregular  xor      open     unique   second   best
//! ```
//!
//! Levels are plies to the end: odd if the mover wins, even if the mover loses, 0 while open.
//!
//! - `best` is the value of the board if no move is forbidden. It can belong to a later level than the current one: a
//!   win in a class with fewer pieces is known from the start.
//! - `unique` is the reversible move that alone attains it, or the only one that is still open; `second` is the value
//!   of the board if that move is forbidden. No other forbidden move changes the value.
//! - `open` counts the undecided moves and `xor` combines the numbers of the reversible ones among them: with one move
//!   left, it is that move's number, or 0 if it cannot be forbidden.
//! - While `second` is undecided it holds the *floor*: a loss takes at least as long as the longest known loss among
//!   moves to classes with fewer pieces.
//!
//! The scan works on all words of a block with branchless arithmetic, which compilers vectorise: few words of a block
//! are due, and testing them one by one would be slower.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::engine::{BLOCK, NOTHING_DUE};
use crate::ostle::stored::Values;

/// The state of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub u32);

const IRREGULAR: u32 = 1 << 31;
/// In an irregular word, which does not use `xor`: a child was decided since the last evaluation.
pub const TOUCHED: u32 = 1 << 26;

impl Word {
    #[inline]
    fn new(best: u8, second: u8, unique: u8, open: u8, xor: u8) -> Word {
        let [best, second, unique, open, xor] = [best, second, unique, open, xor].map(u32::from);
        Word(best | second << 8 | unique << 16 | open << 21 | xor << 26)
    }

    /// The word of a board before the first level, given its shortest win and longest loss in earlier classes (0 for
    /// none), and its open moves. `None` if a ban could leave the board without a move.
    pub fn first(win: u8, floor: u8, open: u8, xor: u8) -> Option<Word> {
        if win != 0 {
            return Some(Word::new(win, 0, 0, 0, 0));
        }
        match (open, xor) {
            (0, _) => (floor != 0).then(|| Word::new(floor, 0, 0, 0, 0)),
            (1, 1..) => (floor != 0).then(|| Word::new(0, floor, xor, 1, xor)),
            _ => Some(Word::new(0, floor, 0, open, xor)),
        }
    }

    /// The word of an irregular board with these values.
    pub fn irregular(values: Values) -> Word {
        let open = u8::from(values.best == 0 && values.unique != 0);
        Word(Word::new(values.best, values.second, values.unique, open, 0).0 | IRREGULAR)
    }

    /// Whether the board is recomputed as a whole, not updated move by move.
    #[inline]
    pub fn is_irregular(self) -> bool {
        self.0 & IRREGULAR != 0
    }

    /// The level without a forbidden move, 0 while open.
    #[inline]
    pub fn best(self) -> u8 {
        self.0 as u8
    }

    /// The move that alone attains it, or the last open one.
    #[inline]
    pub fn unique(self) -> u8 {
        (self.0 >> 16 & 31) as u8
    }

    #[inline]
    fn raw_second(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline]
    fn open(self) -> u8 {
        (self.0 >> 21 & 31) as u8
    }

    #[inline]
    fn xor(self) -> u8 {
        (self.0 >> 26 & 31) as u8
    }

    /// The level if `unique` is forbidden, 0 while open.
    #[inline]
    pub fn second(self) -> u8 {
        let left = u8::from(self.best() == 0);
        let decided = self.raw_second() & 1 == 1 || self.open() == left;
        if self.unique() != 0 && decided { self.raw_second() } else { 0 }
    }

    /// Records that the move with this number (0 if it cannot be forbidden) loses at this even level.
    #[inline]
    #[must_use]
    pub fn move_lost(self, number: u8, level: u8) -> Word {
        if self.best() == 0 && self.open() > 2 {
            // By far the most frequent case: nothing else changes.
            return Word((self.0 - (1 << 21)) ^ u32::from(number) << 26);
        }
        let (best, second, unique) = (self.best(), self.raw_second(), self.unique());
        if best != 0 && (best & 1 == 0 || unique == 0 || second & 1 == 1) {
            return self;
        }
        let (open, xor) = (self.open() - 1, self.xor() ^ number);
        match (best, open) {
            (0, 0) if unique == 0 => Word::new(second.max(level), 0, 0, 0, 0),
            (0, 0) if level > second => Word::new(level, second, unique, 0, 0),
            (0, 0) => Word::new(second, 0, 0, 0, 0),
            (0, 1) if xor != 0 => Word::new(0, second.max(level), xor, 1, xor),
            (0, _) => Word::new(0, second, 0, open, xor),
            (_, 0) => Word::new(best, second.max(level), unique, 0, 0),
            _ => Word::new(best, second, unique, open, xor),
        }
    }

    /// Records that the move with this number (0 if it cannot be forbidden) wins at this odd level.
    #[inline]
    #[must_use]
    pub fn move_won(self, number: u8, level: u8) -> Word {
        let (best, second, unique) = (self.best(), self.raw_second(), self.unique());
        if best & 1 == 1 {
            return match (best.cmp(&level), unique, number) {
                (std::cmp::Ordering::Greater, _, 0) => Word::new(level, 0, 0, 0, 0),
                (std::cmp::Ordering::Greater, _, _) => Word::new(level, best, number, 0, 0),
                (_, 0, _) => self,
                (std::cmp::Ordering::Equal, _, _) => Word::new(best, 0, 0, 0, 0),
                (std::cmp::Ordering::Less, _, _) if second & 1 == 1 && second <= level => self,
                (std::cmp::Ordering::Less, _, _) => Word::new(best, level, unique, 0, 0),
            };
        }
        match (best, number) {
            (0, 0) => Word::new(level, 0, 0, 0, 0),
            (0, _) => Word::new(level, second, number, self.open() - 1, self.xor() ^ number),
            _ => self,
        }
    }

    /// [`best`](Word::best) and [`second`](Word::second) without a branch, for vectorised loops.
    #[inline(always)]
    pub fn decided(self) -> (u32, u32) {
        let (best, second, open) = (self.0 & 255, self.0 >> 8 & 255, self.0 >> 21 & 31);
        let left = u32::from(best == 0);
        let decided = (self.0 & 31 << 16 != 0) & ((second & 1 == 1) | (open == left));
        (best, if decided { second } else { 0 })
    }

    /// The first level after `level` at which a value of the board is decided, if any.
    #[inline]
    pub fn due_after(self, level: u8) -> Option<u8> {
        let (best, second) = (self.best(), self.second());
        let best = if best > level { best } else { u8::MAX };
        let second = if second > level { second } else { u8::MAX };
        let due = best.min(second);
        (due != u8::MAX).then_some(due)
    }

    /// The final values, after all levels.
    pub fn values(self) -> Values {
        let (best, unique, second) = (self.best(), self.unique(), self.second());
        if unique == 0 || second == best {
            Values { best, unique: 0, second: best }
        } else {
            Values { best, unique, second }
        }
    }
}

/// The due words of a block.
pub struct Scan {
    words: [u32; BLOCK],
    /// For each word, whether `best` (1) and `second` (2) is of this level.
    now: [u8; BLOCK],
    /// The next level at which something is due.
    pub next: u8,
}

impl Scan {
    /// An empty scan.
    pub fn new() -> Scan {
        Scan { words: [0; BLOCK], now: [0; BLOCK], next: NOTHING_DUE }
    }

    /// Scans a block; the last block of a group may be shorter.
    #[inline(always)]
    pub fn load(&mut self, block: &[AtomicU32], level: u8) {
        // Atomic loads do not vectorise, so the words are copied first.
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

    /// The due words, each with its position in the block and whether `best` and `second` are due.
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
