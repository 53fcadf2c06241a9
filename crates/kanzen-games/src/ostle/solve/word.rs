//! What the engine knows of one board, in 32 bits.
//!
//! ```text
//!   31         30..26   25..21   20..16   15..8    7..0
//!   irregular  xor      open     unique   second   best
//! ```
//!
//! Levels are plies to the end: odd where the mover wins, even where he loses, 0 while open.
//!
//! - `best` is the value of the board when no move is forbidden. It can be of a later level than the one at hand: a
//!   win in a class with fewer pieces waits for its turn.
//! - `unique` is the reversible move that alone gives it, or the only one that is still open; `second` is the value of
//!   the board when that move is forbidden. Any other forbidden move changes nothing.
//! - `open` counts the moves that are not decided and `xor` combines the numbers of the reversible ones among them:
//!   when one is left, it is its number, or 0 if it cannot be forbidden.
//! - While `second` is not decided it holds the *floor*: a loss takes at least as long as the longest of the moves
//!   that are known to lose in classes with fewer pieces.

use crate::ostle::stored::Values;

/// The word of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub u32);

const IRREGULAR: u32 = 1 << 31;
/// In an irregular word, which has no use for `xor`: some child was decided since the last look.
pub const TOUCHED: u32 = 1 << 26;

impl Word {
    #[inline]
    fn new(best: u8, second: u8, unique: u8, open: u8, xor: u8) -> Word {
        let [best, second, unique, open, xor] = [best, second, unique, open, xor].map(u32::from);
        Word(best | second << 8 | unique << 16 | open << 21 | xor << 26)
    }

    /// The word of a board before the first level: its nearest win and its longest loss in earlier classes (0 for
    /// none), and its open moves. `None` if there is a way to be without a move.
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

    /// Whether the board is looked at as a whole, not move by move.
    #[inline]
    pub fn is_irregular(self) -> bool {
        self.0 & IRREGULAR != 0
    }

    /// The level without a forbidden move, 0 if it is open.
    #[inline]
    pub fn best(self) -> u8 {
        self.0 as u8
    }

    /// The move that alone gives it, or is the last one open.
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

    /// The level when `unique` is forbidden, 0 if it is open.
    #[inline]
    pub fn second(self) -> u8 {
        let left = u8::from(self.best() == 0);
        let decided = self.raw_second() & 1 == 1 || self.open() == left;
        if self.unique() != 0 && decided { self.raw_second() } else { 0 }
    }

    /// A move with this number (0 if it cannot be forbidden) turned out to lose, at this even level.
    #[inline]
    #[must_use]
    pub fn move_lost(self, number: u8, level: u8) -> Word {
        if self.best() == 0 && self.open() > 2 {
            // The most frequent by far, and nothing else changes.
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

    /// A move with this number (0 if it cannot be forbidden) turned out to win, at this odd level.
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

    /// [`best`](Word::best) and [`second`](Word::second) without a branch, for loops over many words.
    #[inline(always)]
    pub fn decided(self) -> (u32, u32) {
        let (best, second, open) = (self.0 & 255, self.0 >> 8 & 255, self.0 >> 21 & 31);
        let left = u32::from(best == 0);
        let decided = (self.0 & 31 << 16 != 0) & ((second & 1 == 1) | (open == left));
        (best, if decided { second } else { 0 })
    }

    /// The first level after `level` at which something about the board is decided, if any.
    #[inline]
    pub fn due_after(self, level: u8) -> Option<u8> {
        let (best, second) = (self.best(), self.second());
        let best = if best > level { best } else { u8::MAX };
        let second = if second > level { second } else { u8::MAX };
        let due = best.min(second);
        (due != u8::MAX).then_some(due)
    }

    /// What is known once all levels are done.
    pub fn values(self) -> Values {
        let (best, unique, second) = (self.best(), self.unique(), self.second());
        if unique == 0 || second == best {
            Values { best, unique: 0, second: best }
        } else {
            Values { best, unique, second }
        }
    }
}
