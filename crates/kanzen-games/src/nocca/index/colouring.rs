//! Ranks the colourings of pieces, and stores sets of colourings as bit-vectors.
//!
//! Pieces have a fixed order; a colouring is a word with a bit per piece, set if the piece is white. All colourings
//! with the same number of white pieces, in numeric order, form a *space*. A set of them has a bit for each:
//!
//! ```text
//! space of 4 pieces, 2 white:   0011 0101 0110 1001 1010 1100
//! a set of colourings:             1    0    0    1    1    0
//! piece 0 is white:                1    1    0    1    0    0   a selection
//! the set without piece 0:         1    0         1             over the space of 3 pieces, 1 white
//! ```
//!
//! Colourings with some pieces fixed stay in numeric order when those pieces are removed. So a piece is lifted from a
//! set by gathering the bits of a selection, and put down anywhere by spreading them under another selection.

use kanzen_core::machine::cpu::Gather;

/// The largest number of words in a set: 252 colourings of ten pieces.
pub const MOST_WORDS: usize = 4;

/// A set of colourings.
pub type Bits = [u64; MOST_WORDS];

/// Some colourings of a space, as masks to gather from and spread to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The selected bits.
    pub mask: Bits,
    /// The number of selected bits in the words before each.
    pub shift: [u8; MOST_WORDS],
}

impl Selection {
    fn new(mask: Bits) -> Selection {
        let mut shift = [0; MOST_WORDS];
        for word in 1..MOST_WORDS {
            shift[word] = shift[word - 1] + mask[word - 1].count_ones() as u8;
        }
        Selection { mask, shift }
    }

    /// Gathers the selected bits of a set.
    #[inline(always)]
    pub fn gather<C: Gather>(&self, cpu: C, set: &[u64]) -> u128 {
        let mut gathered = 0;
        for ((&word, &mask), &shift) in set.iter().zip(&self.mask).zip(&self.shift) {
            gathered |= u128::from(cpu.pext(word, mask)) << shift;
        }
        gathered
    }

    /// Spreads bits to the selected places and adds them to a set.
    #[inline(always)]
    pub fn spread<C: Gather>(&self, cpu: C, bits: u128, set: &mut [u64]) {
        for ((word, &mask), &shift) in set.iter_mut().zip(&self.mask).zip(&self.shift) {
            *word |= cpu.pdep((bits >> shift) as u64, mask);
        }
    }
}

/// All colourings of some pieces with a fixed number of white ones.
pub struct Space {
    pieces: u32,
    words: Vec<u16>,
    rank: Vec<u8>,
    white: Vec<Bits>,
    swaps: Vec<[Selection; 2]>,
}

impl Space {
    fn new(pieces: u32, whites: u32) -> Space {
        let words: Vec<u16> = (0..1 << pieces).filter(|word: &u16| word.count_ones() == whites).collect();
        let mut rank = vec![u8::MAX; 1 << pieces];
        let mut white = vec![[0; MOST_WORDS]; pieces as usize];
        for (place, &word) in words.iter().enumerate() {
            rank[usize::from(word)] = place as u8;
            for (piece, set) in white.iter_mut().enumerate() {
                set[place / 64] |= u64::from(word >> piece & 1) << (place % 64);
            }
        }
        let mut space = Space { pieces, words, rank, white, swaps: Vec::new() };
        space.swaps = (1..pieces)
            .map(|upper| {
                let (lower, upper) = (1 << (upper - 1), 1 << upper);
                [space.select(lower, upper), space.select(upper, lower)]
            })
            .collect();
        space
    }

    /// Returns the number of colourings.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of words in a set, at least one.
    pub fn width(&self) -> usize {
        self.len().div_ceil(64).max(1)
    }

    /// Returns the set of all colourings.
    pub fn all(&self) -> Bits {
        self.select(0, 0).mask
    }

    /// Returns all colourings, in numeric order.
    pub fn words(&self) -> &[u16] {
        &self.words
    }

    /// Returns the rank of a colouring, which must have the right number of white pieces.
    pub fn rank(&self, word: u16) -> usize {
        usize::from(self.rank[usize::from(word)])
    }

    /// Selects the colourings in which the pieces of `white` are white and those of `black` black.
    pub fn select(&self, white: u32, black: u32) -> Selection {
        let mut mask = [0; MOST_WORDS];
        for (word, left) in mask.iter_mut().zip((0..MOST_WORDS).map(|word| self.len().saturating_sub(64 * word))) {
            *word = if left >= 64 { !0 } else { (1 << left) - 1 };
        }
        for piece in 0..self.pieces {
            let is_white = &self.white[piece as usize];
            for (word, is_white) in mask.iter_mut().zip(is_white) {
                *word &= if white >> piece & 1 == 1 { *is_white } else { !0 };
                *word &= if black >> piece & 1 == 1 { !*is_white } else { !0 };
            }
        }
        Selection::new(mask)
    }

    /// Swaps a piece and the next one in all colourings of a set.
    #[inline(always)]
    pub fn swap<C: Gather, const W: usize>(&self, cpu: C, set: &mut [u64; W], piece: u8) {
        let [lower, upper] = &self.swaps[usize::from(piece)];
        if W == 1 {
            let (from_lower, from_upper) = (cpu.pext(set[0], lower.mask[0]), cpu.pext(set[0], upper.mask[0]));
            let stay = set[0] & !(lower.mask[0] | upper.mask[0]);
            set[0] = stay | cpu.pdep(from_upper, lower.mask[0]) | cpu.pdep(from_lower, upper.mask[0]);
            return;
        }
        let (from_lower, from_upper) = (lower.gather(cpu, set), upper.gather(cpu, set));
        for (word, (lower, upper)) in set.iter_mut().zip(lower.mask.iter().zip(&upper.mask)) {
            *word &= !(lower | upper);
        }
        lower.spread(cpu, from_upper, set);
        upper.spread(cpu, from_lower, set);
    }
}

/// The spaces of up to a number of pieces.
pub struct Spaces(Vec<Vec<Space>>);

impl Spaces {
    /// Builds all spaces of up to `pieces` pieces.
    pub fn new(pieces: u32) -> Spaces {
        Spaces((0..=pieces).map(|n| (0..=n).map(|whites| Space::new(n, whites)).collect()).collect())
    }

    /// Returns the space of a number of pieces, `whites` of them white.
    pub fn of(&self, pieces: u32, whites: u32) -> &Space {
        &self.0[pieces as usize][whites as usize]
    }
}

/// Lists the swaps of adjacent pieces that carry `first` pieces over the `second` pieces after them, from `start` on.
pub fn block_swap(start: usize, first: usize, second: usize) -> impl Iterator<Item = u8> {
    (0..first).rev().flat_map(move |i| (0..second).map(move |j| (start + i + j) as u8))
}
