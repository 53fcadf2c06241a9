//! Counts the positions of a block by the number of set low index bits.
//!
//! With one index bit for each point of a board, that is the number of pieces. The words of a block fall into classes by
//! the ones in their number, the bytes of a word into four by the ones in theirs, and so do the bits of a byte:
//!
//! ```text
//! bit of a byte   7 6 5 4 3 2 1 0
//! ones            3 2 2 1 2 1 1 0      four sums of bits, each within its byte: all bytes of a word are counted at once
//! ```
//!
//! The sums of words of one class are added up as they are: no byte gets as far as 255.

use super::{BLOCK_BITS, BLOCK_WORDS};
use kanzen_core::machine::cpu::kernels;

/// Counts by number of ones among a block's index bits.
pub type Ones = [u16; BLOCK_BITS as usize + 1];

/// The lowest bit of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;
/// Every other byte.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// The numbers of a block's eights of words, by their ones; and where those with so many ones begin.
const BY_ONES: ([u8; EIGHTS], [usize; 8]) = {
    let (mut order, mut begin) = ([0; EIGHTS], [0; 8]);
    let (mut at, mut ones) = (0, 0);
    while ones < 7 {
        begin[ones] = at;
        let mut number = 0;
        while number < EIGHTS {
            if number.count_ones() as usize == ones {
                order[at] = number as u8;
                at += 1;
            }
            number += 1;
        }
        ones += 1;
    }
    begin[7] = at;
    (order, begin)
};

/// Eights of words in a whole block.
const EIGHTS: usize = BLOCK_WORDS / 8;

/// The bits of each byte of a word, summed by the ones in their place: at most 1, 3, 3 and 1.
#[inline(always)]
fn sums(word: u64) -> [u64; 4] {
    let bit = |place: u32| word >> place & LOWEST;
    [bit(0), bit(1) + bit(2) + bit(4), bit(3) + bit(5) + bit(6), bit(7)]
}

/// Sums of bytes, by the ones in the word's number and in the bit's place; bytes apart, so that they can grow.
type Apart = [[[u64; 2]; 4]; 10];

#[inline(always)]
fn add_apart(apart: &mut Apart, ones: usize, sums: [u64; 4]) {
    for (apart, sums) in apart[ones].iter_mut().zip(sums) {
        apart[0] += sums & EVEN;
        apart[1] += sums >> 8 & EVEN;
    }
}

/// All counts together.
fn joined(apart: &Apart) -> Ones {
    let mut counts = [0; BLOCK_BITS as usize + 1];
    for (ones, by_place) in apart.iter().enumerate() {
        for (place, bytes) in by_place.iter().enumerate() {
            for byte in 0..8usize {
                let count = bytes[byte % 2] >> (16 * (byte / 2)) & 0xffff;
                counts[(ones + place + byte.count_ones() as usize).min(BLOCK_BITS as usize)] += count as u16;
            }
        }
    }
    counts
}

kernels! {
    /// Counts the positions of a block by the ones in their number.
    ///
    /// ```
    /// use kanzen_core::machine::cpu::Isa;
    /// use kanzen_games::musashi::sets::count_by_ones;
    /// let counts = count_by_ones(Isa::best(), &[1 << 0b110 | 1 << 0b101 | 1 << 0]);
    /// assert_eq!(counts[..4], [1, 0, 2, 0]);
    /// ```
    pub fn count_by_ones(isa, block: &[u64]) -> Ones {
        let mut apart: Apart = Default::default();
        let (eights, _) = block.as_chunks::<8>();
        let Ok(eights) = <&[[u64; 8]; EIGHTS]>::try_from(eights) else {
            for (number, &word) in block.iter().enumerate() {
                add_apart(&mut apart, number.count_ones() as usize, sums(word));
            }
            return joined(&apart);
        };
        let (order, begin) = &BY_ONES;
        for ones in 0..7 {
            // By the ones in the place, and the lane: at most twenty words, so at most sixty in a byte.
            let mut lanes = [[0u64; 8]; 4];
            for &number in &order[begin[ones]..begin[ones + 1]] {
                let eight = &eights[usize::from(number) % EIGHTS];
                for lane in 0..8 {
                    let sums = sums(eight[lane]);
                    for place in 0..4 {
                        lanes[place][lane] += sums[place];
                    }
                }
            }
            add_apart(&mut apart, ones, lanes.map(|of| of[0]));
            add_apart(&mut apart, ones + 1, lanes.map(|of| of[1] + of[2] + of[4]));
            add_apart(&mut apart, ones + 2, lanes.map(|of| of[3] + of[5] + of[6]));
            add_apart(&mut apart, ones + 3, lanes.map(|of| of[7]));
        }
        joined(&apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::machine::cpu::Isa;

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
