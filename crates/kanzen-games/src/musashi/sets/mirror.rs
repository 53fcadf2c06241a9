//! A reflection of the board as a permutation of index bits: adjacent bits are swapped in pairs.
//!
//! ```text
//! index   ... 7 6 | 5 4 | 3 2 | 1 0        pairs never lie across a word's or a block's edge
//! mirror  ... 6 7 | 4 5 | 2 3 | 0 1
//! ```
//!
//! Pairs within a word are delta swaps, pairs above renumber the words.

use kanzen_core::machine::cpu::Isa;
use kanzen_core::machine::cpu::kernels;

/// Swaps of index bits `i` and `i + 1`, for each `i` of a set.
pub struct Mirror {
    pairs: u64,
    words: Vec<u16>, // for each word of a block, where its mirror image is
}

impl Mirror {
    /// The mirror that swaps bits `i` and `i + 1` for each bit `i` of `pairs`, on blocks of so many words.
    ///
    /// # Panics
    /// If pairs overlap, or one lies across the edge of a word or of a block.
    pub fn new(pairs: u64, block_words: usize) -> Mirror {
        assert_eq!(pairs & pairs << 1, 0, "pairs overlap");
        let edges = 1 << 5 | (block_words as u64) << 5;
        assert_eq!(pairs & edges, 0, "a pair lies across an edge");
        let words = (0..block_words).map(|word| swap_pairs(word as u64, pairs >> 6) as u16).collect();
        Mirror { pairs, words }
    }

    /// Where an index goes.
    pub fn of_index(&self, index: u64) -> u64 {
        swap_pairs(index, self.pairs)
    }

    /// Where a block goes.
    pub fn of_block(&self, block: usize) -> usize {
        let bits = 6 + self.words.len().trailing_zeros();
        swap_pairs(block as u64, self.pairs >> bits) as usize
    }

    /// Writes the mirror image of `source` to `target`.
    pub fn reflect(&self, isa: Isa, target: &mut [u64], source: &[u64]) {
        assert!(target.len() == self.words.len() && source.len() == self.words.len());
        renumber(isa, target, source, &self.words, self.pairs & 0b11111);
    }
}

/// A number with bits `i` and `i + 1` swapped for each `i` of `pairs`.
fn swap_pairs(number: u64, pairs: u64) -> u64 {
    let differ = (number ^ number >> 1) & pairs;
    number ^ differ ^ differ << 1
}

kernels! {
    fn renumber(isa, target: &mut [u64], source: &[u64], words: &[u16], pairs: u64) {
        for (word, &from) in target.iter_mut().zip(words) {
            *word = source[usize::from(from) % source.len()];
        }
        // Places with bits i, i + 1 = 1, 0 change with those 2^i places further on, which have 0, 1.
        for (bit, places) in LOWER.iter().enumerate() {
            if pairs >> bit & 1 == 1 {
                let by = 1 << bit;
                for word in target.iter_mut() {
                    let differ = (*word ^ *word >> by) & places;
                    *word ^= differ ^ differ << by;
                }
            }
        }
    }
}

/// For each bit i below 5, the places of a word with bit i set and bit i + 1 not.
const LOWER: [u64; 5] = {
    let mut lower = [0; 5];
    let mut place = 0u32;
    while place < 64 {
        let mut bit = 0;
        while bit < 5 {
            if place >> bit & 3 == 1 {
                lower[bit] |= 1 << place;
            }
            bit += 1;
        }
        place += 1;
    }
    lower
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflection_moves_each_position_to_its_mirror_image() {
        for (pairs, words) in [
            (0b0001_0101u64 | 1 << 8 | 1 << 13, 512),
            (0b1010, 512),
            (0b100, 4),
            (0b10010, 1),
            (0b101 | 1 << 6, 8),
            (0, 16),
        ] {
            let mirror = Mirror::new(pairs, words);
            let source: Vec<u64> = (1..=words as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            for isa in Isa::available() {
                let mut target = vec![0; words];
                mirror.reflect(isa, &mut target, &source);
                for index in 0..words as u64 * 64 {
                    let there = mirror.of_index(index);
                    let bit = |set: &[u64], at: u64| set[(at / 64) as usize] >> (at % 64) & 1;
                    assert_eq!(bit(&target, there), bit(&source, index), "{isa:?}");
                    assert_eq!(mirror.of_index(there), index);
                }
            }
        }
    }
}
