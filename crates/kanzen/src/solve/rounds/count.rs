//! Positions of a block by how many of their low index bits are set.
//!
//! With one index bit for each point of a board, that is the number of pieces. The words of a block fall into classes by
//! the ones in their number, the places of a word into seven classes by the ones in theirs.

use super::{BLOCK_BITS, BLOCK_WORDS};
use crate::machine::cpu::kernels;

/// Counts by number of ones among a block's index bits.
pub type Ones = [u16; BLOCK_BITS as usize + 1];

/// The places in a word whose number has so many ones.
const PLACES: [u64; 7] = {
    let mut places = [0; 7];
    let mut place = 0u32;
    while place < 64 {
        places[place.count_ones() as usize] |= 1 << place;
        place += 1;
    }
    places
};

kernels! {
    /// Counts the positions of a block by the ones in their number.
    ///
    /// ```
    /// use kanzen::machine::cpu::Isa;
/// use kanzen::solve::rounds::{count_by_ones};
    /// let counts = count_by_ones(Isa::best(), &[1 << 0b110 | 1 << 0b101 | 1 << 0]);
    /// assert_eq!(counts[..4], [1, 0, 2, 0]);
    /// ```
    pub fn count_by_ones(isa, block: &[u64]) -> Ones {
        let mut counts = [0; BLOCK_BITS as usize + 1];
        let (eights, rest) = block.as_chunks::<8>();
        // By the ones in the number of the eight words, the ones in the place, and the lane.
        let mut by_class = [[[0u64; 8]; 7]; (BLOCK_WORDS / 8).ilog2() as usize + 1];
        for (number, eight) in eights.iter().enumerate() {
            let class = &mut by_class[number.count_ones() as usize];
            for (places, lanes) in PLACES.iter().zip(class) {
                for lane in 0..8 {
                    lanes[lane] += u64::from((eight[lane] & places).count_ones());
                }
            }
        }
        for (high, class) in by_class.iter().enumerate() {
            for (low, lanes) in class.iter().enumerate() {
                for (lane, &count) in lanes.iter().enumerate() {
                    counts[(high + low + lane.count_ones() as usize).min(BLOCK_BITS as usize)] += count as u16;
                }
            }
        }
        for (number, word) in rest.iter().enumerate() {
            for (low, places) in PLACES.iter().enumerate() {
                counts[low + number.count_ones() as usize] += (word & places).count_ones() as u16;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::cpu::Isa;

    #[test]
    fn all_positions_are_counted_once() {
        for words in [1, 4, 8, 128, BLOCK_WORDS] {
            let block: Vec<u64> = (1..=words as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & n << 31).collect();
            let mut expected = [0; BLOCK_BITS as usize + 1];
            for index in (0..words * 64).filter(|index| block[index / 64] >> (index % 64) & 1 == 1) {
                expected[index.count_ones() as usize] += 1;
            }
            for isa in Isa::available() {
                assert_eq!(count_by_ones(isa, &block), expected, "{isa:?}");
            }
        }
    }

    #[test]
    fn a_full_block_fits_the_counters() {
        let full = count_by_ones(Isa::best(), &[u64::MAX; BLOCK_WORDS]);
        assert_eq!((full[0], full[7], full[15]), (1, 6435, 1));
    }
}
