//! From the sets of each round to one small number per position.
//!
//! The number of a position is kept as binary digits, a set each, so that a whole word of positions takes its number at
//! once; only at the end are the digits turned into bytes, eight positions at a time.

/// Numbers below 256 for so many words of positions, zero at first.
///
/// ```
/// use kanzen::solve::rounds::Numbers;
/// let mut numbers = Numbers::new(2);
/// numbers.add(5, 1, &[0b1000]); // the fourth position of word 1
/// numbers.add(7, 0, &[0b0001]);
/// let bytes = numbers.bytes(0..2);
/// assert_eq!((bytes[0], bytes[1], bytes[64 + 3]), (7, 0, 5));
/// ```
pub struct Numbers {
    digits: [Vec<u64>; 8],
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
        Numbers { digits: std::array::from_fn(|_| vec![0; words]) }
    }

    /// Gives a number to the positions of a set that begins at word `at`; none of them may have one already.
    pub fn add(&mut self, number: u8, at: usize, set: &[u64]) {
        for (digit, words) in self.digits.iter_mut().enumerate() {
            if number >> digit & 1 == 1 {
                words[at..][..set.len()].iter_mut().zip(set).for_each(|(word, new)| *word |= new);
            }
        }
    }

    /// The numbers of some words of positions, a byte each.
    pub fn bytes(&self, words: std::ops::Range<usize>) -> Vec<u8> {
        let used = self.digits.iter().rposition(|digit| digit[words.clone()].iter().any(|&word| word != 0));
        let digits = &self.digits[..used.map_or(0, |last| last + 1)];
        let mut bytes = Vec::with_capacity(words.len() * 64);
        for word in words {
            for part in 0..8 {
                let mut eight = 0;
                for (digit, set) in digits.iter().enumerate() {
                    eight |= SPREAD[usize::from((set[word] >> (8 * part)) as u8)] << digit;
                }
                bytes.extend_from_slice(&eight.to_le_bytes());
            }
        }
        bytes
    }
}
