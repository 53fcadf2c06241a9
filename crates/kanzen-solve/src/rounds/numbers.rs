//! Turns the sets of each round into one small number per position.
//!
//! The number of a position is kept as binary digits, a set each, so that a whole word of positions takes its number at
//! once; only at the end are the digits turned into bytes, eight positions at a time, or 64 with AVX2:
//!
//! ```text
//! a word of a digit   a byte of it  b7 b6 .. b0      for each place: the byte, cut down to the place's bit,
//! 64 bytes            8 places     [b0 b1 .. b7]     compared with that bit, is the digit or nothing
//! ```

use kanzen_core::machine::cpu::Isa;

/// Numbers below 256 for so many words of positions, zero at first.
///
/// ```
/// use kanzen_solve::rounds::Numbers;
/// let mut numbers = Numbers::new(2);
/// numbers.add(5, 1, &[0b1000]); // the fourth position of word 1
/// numbers.add(7, 0, &[0b0001]);
/// let bytes = numbers.bytes(0..2);
/// assert_eq!((bytes[0], bytes[1], bytes[64 + 3]), (7, 0, 5));
/// numbers.renew(1);
/// assert_eq!(numbers.bytes(0..1), [0; 64]);
/// ```
pub struct Numbers {
    words: usize,
    digits: [Vec<u64>; 8],
    /// So many digits are in use; the others may hold anything.
    used: usize,
}

/// The bits of a byte as the lowest bits of eight bytes.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

impl Numbers {
    /// Zeros for `words * 64` positions.
    pub fn new(words: usize) -> Numbers {
        Numbers { words, digits: Default::default(), used: 0 }
    }

    /// Zeros again, for so many words: in the same memory, which costs less than new one.
    pub fn renew(&mut self, words: usize) {
        (self.words, self.used) = (words, 0);
    }

    /// Gives a number to the positions of a set that begins at word `at`; none of them may have one already.
    pub fn add(&mut self, number: u8, at: usize, set: &[u64]) {
        while u32::from(number) >> self.used != 0 {
            self.digits[self.used].clear();
            self.digits[self.used].resize(self.words, 0);
            self.used += 1;
        }
        for (digit, words) in self.digits[..self.used].iter_mut().enumerate() {
            if number >> digit & 1 == 1 {
                words[at..][..set.len()].iter_mut().zip(set).for_each(|(word, new)| *word |= new);
            }
        }
    }

    /// The numbers of some words of positions, a byte each.
    pub fn bytes(&self, words: std::ops::Range<usize>) -> Vec<u8> {
        self.bytes_on(Isa::best(), words)
    }

    fn bytes_on(&self, isa: Isa, words: std::ops::Range<usize>) -> Vec<u8> {
        assert!(words.end <= self.words, "within the numbers");
        let mut bytes = vec![0; words.len() * 64];
        let mut digits: [&[u64]; 8] = [&[]; 8];
        for (digit, set) in digits.iter_mut().zip(&self.digits[..self.used]) {
            *digit = &set[words.clone()];
        }
        let used = digits.iter().rposition(|digit| digit.iter().any(|&word| word != 0));
        let digits = &digits[..used.map_or(0, |last| last + 1)];
        if digits.is_empty() {
            return bytes;
        }
        let (places, _) = bytes.as_chunks_mut::<64>();
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = isa.avx2() {
            vector::spread(avx2, digits, places);
            return bytes;
        }
        let _ = isa;
        spread(digits, places);
        bytes
    }
}

/// Writes the numbers of each word of the digits: of any machine, and what the vectors are compared with.
fn spread(digits: &[&[u64]], places: &mut [[u8; 64]]) {
    for (at, places) in places.iter_mut().enumerate() {
        for (part, eight_places) in places.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut eight = 0;
            for (digit, set) in digits.iter().enumerate() {
                eight |= SPREAD[usize::from((set[at] >> (8 * part)) as u8)] << digit;
            }
            *eight_places = eight.to_le_bytes();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi32,
        _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
    };

    use kanzen_core::machine::cpu::Avx2;

    /// The same as [`spread`](super::spread).
    pub fn spread(_: Avx2, digits: &[&[u64]], places: &mut [[u8; 64]]) {
        // SAFETY: the processor has AVX2, which the proof token shows.
        unsafe { spread_halves(digits, places) }
    }

    #[target_feature(enable = "avx2")]
    fn spread_halves(digits: &[&[u64]], places: &mut [[u8; 64]]) {
        for (at, places) in places.iter_mut().enumerate() {
            let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for (digit, set) in digits.iter().enumerate() {
                let value = _mm256_set1_epi8((1u8 << digit) as i8);
                let word = set[at];
                low = _mm256_or_si256(low, _mm256_and_si256(of_half(word as u32), value));
                high = _mm256_or_si256(high, _mm256_and_si256(of_half((word >> 32) as u32), value));
            }
            let (first, second) = places.split_at_mut(32);
            // SAFETY: both halves have 32 bytes; the store asks for no alignment.
            unsafe {
                _mm256_storeu_si256(first.as_mut_ptr().cast::<__m256i>(), low);
                _mm256_storeu_si256(second.as_mut_ptr().cast::<__m256i>(), high);
            }
        }
    }

    /// For each bit a byte: all ones where it is set.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of_half(bits: u32) -> __m256i {
        let own_byte = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
        );
        let own_bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), own_byte);
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own_bit), own_bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_its_number_on_any_machine() {
        let scattered =
            |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut numbers = Numbers::new(0);
        for (words, highest) in [(5usize, 255u32), (9, 31), (3, 1), (4, 0), (7, 128)] {
            let number = |place: usize| (scattered(place as u64) >> 40) as u32 % (highest + 1);
            numbers.renew(words);
            for of_set in 1..=highest {
                let set =
                    |word: usize| (0..64).filter(|bit| number(64 * word + bit) == of_set).map(|bit| 1 << bit).sum();
                let words: Vec<u64> = (1..words).map(set).collect();
                numbers.add(of_set as u8, 1, &words);
            }
            let expected: Vec<u8> = (64..64 * words).map(|place| number(place) as u8).collect();
            for isa in Isa::available() {
                assert!(numbers.bytes_on(isa, 1..words) == expected, "{isa:?}, numbers up to {highest}");
                assert!(numbers.bytes_on(isa, 0..1) == [0; 64], "{isa:?}");
            }
        }
    }
}
