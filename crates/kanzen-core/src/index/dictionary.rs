//! A rank dictionary: gives dense numbers to the members of a sparse set.
//!
//! A bit for every number of a universe marks whether it is a member; counters beside the bits give in constant time
//! how many members are below a number (rank) and which number the n-th member is (select).
//!
//! ```text
//! bits    0 1 1 0 0 1 0 1        rank(5) = 2, for two members are below 5
//! dense     0 1     2   3        select(2) = 5
//! ```
//!
//! A counter is one word for 256 bits, so that a rank reads one word of counters, one of bits, and counts in that:
//!
//! ```text
//! bit      63          24 23      16 15       8 7        0
//!         [ members before | words 0..3 | words 0..2 | word 0 ]     members of the block's first words
//! ```
//!
//! A select starts at a sample, the block of every 2^k-th member, and searches the blocks up to the next sample.

use std::fmt;

/// Bits of a word.
const WORD: u64 = u64::BITS as u64;
/// Words of a block.
const BLOCK: usize = 4;
/// The largest universe: counters have 40 bits for the members before a block, samples 32 for its number.
const LARGEST: u64 = 1 << 39;
/// Bits of a counter below the members before its block.
const WITHIN: u32 = 24;
/// Bits between two samples, on average.
const SAMPLED: u64 = 8 * BLOCK as u64 * WORD;
/// So many counters are compared one by one, without a branch to guess.
const FEW: usize = 16;

/// A set of numbers below a bound, with their dense numbers.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::Dictionary;
/// let primes = Dictionary::from_sorted(20, [2, 3, 5, 7, 11, 13, 17, 19]);
/// assert_eq!((primes.len(), primes.universe()), (8, 20));
/// assert_eq!(primes.rank(7), Some(3)); // three primes are smaller
/// assert_eq!(primes.rank(8), None); // not a prime
/// assert_eq!(primes.rank_before(8), 4);
/// assert_eq!(primes.select(3), Some(7));
/// ```
#[derive(Clone)]
pub struct Dictionary {
    words: Box<[u64]>,
    universe: u64,
    members: u64,
    /// A counter for each block, and one behind the last.
    counters: Box<[u64]>,
    /// The blocks of members 0, 2^spacing, 2 * 2^spacing ...; the last block once more at the end.
    samples: Box<[u32]>,
    spacing: u32,
}

impl Dictionary {
    /// The numbers whose bits are set: number `64 w + b` is bit `b` of word `w`. Bits from `universe` on are ignored.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Dictionary;
    /// let odd = Dictionary::from_bits(vec![0xaaaa_aaaa_aaaa_aaaa, 0b1010], 66);
    /// assert_eq!(odd.len(), 33);
    /// assert_eq!(odd.select(32), Some(65));
    /// ```
    ///
    /// # Panics
    /// If there are not exactly the words that `universe` bits need, or `universe` is beyond 2^39.
    pub fn from_bits(mut words: Vec<u64>, universe: u64) -> Dictionary {
        assert_eq!(words.len() as u64, universe.div_ceil(WORD), "words for {universe} bits");
        assert!(universe <= LARGEST, "{universe} bits are more than {LARGEST}");
        if let (Some(last), used @ 1..) = (words.last_mut(), universe % WORD) {
            *last &= (1 << used) - 1;
        }
        let ones = |word: Option<&u64>| word.map_or(0, |word| u64::from(word.count_ones()));
        let mut counters = Vec::with_capacity(words.len().div_ceil(BLOCK) + 1);
        let mut members = 0;
        for block in words.chunks(BLOCK) {
            let mut counter = members << WITHIN;
            let mut within = 0;
            for place in 0..BLOCK - 1 {
                within += ones(block.get(place));
                counter |= within << (8 * place);
            }
            within += ones(block.get(BLOCK - 1));
            counters.push(counter);
            members += within;
        }
        counters.push(members << WITHIN);
        let (samples, spacing) = samples(&counters, members, universe);
        Dictionary { words: words.into(), universe, members, counters: counters.into(), samples, spacing }
    }

    /// The given numbers, which ascend and are below `universe`.
    ///
    /// # Panics
    /// If they do not ascend, or reach `universe`.
    pub fn from_sorted(universe: u64, members: impl IntoIterator<Item = u64>) -> Dictionary {
        let length = usize::try_from(universe.div_ceil(WORD)).expect("a universe that memory can address");
        let mut words = vec![0u64; length];
        let mut free = 0;
        for member in members {
            assert!(free <= member && member < universe, "{member} is out of order or not below {universe}");
            words[(member / 64) as usize] |= 1 << (member % 64);
            free = member + 1;
        }
        Dictionary::from_bits(words, universe)
    }

    /// How many members there are.
    pub fn len(&self) -> u64 {
        self.members
    }

    /// Are there no members?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bound that all members are below.
    pub fn universe(&self) -> u64 {
        self.universe
    }

    /// The bits, as [`Dictionary::from_bits`] takes them.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Is the number a member? Numbers beyond the universe are not.
    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        number < self.universe() && self.words()[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    /// The dense number of a member; none if the number is not a member.
    #[inline]
    pub fn rank(&self, number: u64) -> Option<u64> {
        self.contains(number).then(|| self.counted(number))
    }

    /// How many members are below a number.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Dictionary;
    /// let squares = Dictionary::from_sorted(10, [0, 1, 4, 9]);
    /// assert_eq!(squares.rank_before(0), 0);
    /// assert_eq!(squares.rank_before(9), 3);
    /// assert_eq!(squares.rank_before(1_000), 4);
    /// ```
    #[inline]
    pub fn rank_before(&self, number: u64) -> u64 {
        self.counted(number.min(self.universe))
    }

    /// The member of a dense number; none if there are no more than `dense` members.
    #[inline]
    pub fn select(&self, dense: u64) -> Option<u64> {
        if dense >= self.members {
            return None;
        }
        let sample = (dense >> self.spacing) as usize;
        let first = self.samples[sample] as usize;
        let blocks = &self.counters[first..=self.samples[sample + 1] as usize];
        let is_near = |counter: &u64| counter >> WITHIN <= dense;
        let near = match blocks.len() <= FEW {
            true => blocks.iter().filter(|counter| is_near(counter)).count(),
            false => blocks.partition_point(is_near),
        };
        let block = first + near - 1;
        let counter = self.counters[block];
        let left = (dense - (counter >> WITHIN)) as u32;
        let words = (0..BLOCK - 1).filter(|place| left >= (counter >> (8 * place)) as u32 & 0xff).count();
        let before = (counter << 8) as u32 >> (8 * words) & 0xff;
        let at = block * BLOCK + words;
        Some(at as u64 * WORD + u64::from(select_in_word(self.words[at], left - before)))
    }

    /// How many members are below a number, which is at most the universe.
    #[inline]
    fn counted(&self, number: u64) -> u64 {
        let at = (number / WORD) as usize;
        let counter = self.counters[at / BLOCK];
        let before = (counter << 8) as u32 >> (8 * (at % BLOCK)) & 0xff;
        let part = self.words.get(at).map_or(0, |word| (word & ((1 << (number % WORD)) - 1)).count_ones());
        (counter >> WITHIN) + u64::from(before + part)
    }

    /// The members in ascending order.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Dictionary;
    /// assert!(Dictionary::from_sorted(100, [3, 64, 99]).iter().eq([3, 64, 99]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.words().iter().zip(0..).flat_map(|(&word, place)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| u64::from(word.trailing_zeros()))?;
                word &= word - 1;
                Some(64 * place + bit)
            })
        })
    }

    /// Bytes of memory: the bits, the counters for ranks (a quarter of the bits), the samples for selects (a sixty-fourth).
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Dictionary;
    /// let dictionary = Dictionary::from_bits(vec![0x0123_4567_89ab_cdef; 1 << 10], 1 << 16);
    /// assert!((8_192 + 2_048..8_192 + 2_048 + 512).contains(&dictionary.memory()));
    /// ```
    pub fn memory(&self) -> u64 {
        let arrays = size_of_val(&*self.words) + size_of_val(&*self.counters) + size_of_val(&*self.samples);
        (size_of::<Dictionary>() + arrays) as u64
    }
}

/// The block of every 2^k-th member, with the largest k for which they are [`SAMPLED`] bits apart on average; and k.
fn samples(counters: &[u64], members: u64, universe: u64) -> (Box<[u32]>, u32) {
    let spacing = (u128::from(members) * u128::from(SAMPLED) / u128::from(universe.max(1))).max(1).ilog2();
    let mut samples = Vec::with_capacity((members >> spacing) as usize + 2);
    for (block, counter) in counters.iter().skip(1).enumerate() {
        while (samples.len() as u64) << spacing < counter >> WITHIN {
            samples.push(block as u32);
        }
    }
    samples.push((counters.len() - 1) as u32);
    (samples.into(), spacing)
}

/// The bit of a word that has so many set bits below it, where there is one.
fn select_in_word(word: u64, left: u32) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    // Byte i of the sums counts the set bits of bytes 0 to i.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(LOW);
    // The bytes before the one that is looked for are those whose sum is at most `left`.
    let before = ((((u64::from(left) * LOW) | HIGH) - sums) & HIGH).count_ones() * 8;
    let skipped = (sums << 8) >> before & 0xff;
    let mut byte = word >> before & 0xff;
    for _ in 0..left - skipped as u32 {
        byte &= byte - 1;
    }
    before + byte.trailing_zeros()
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dictionary({} of {})", self.len(), self.universe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything a dictionary answers, against a list of its bits.
    fn check(bits: &[bool]) {
        let members: Vec<u64> = (0..).zip(bits).filter(|&(_, &bit)| bit).map(|(number, _)| number).collect();
        let dictionary = Dictionary::from_sorted(bits.len() as u64, members.iter().copied());
        assert_eq!(dictionary.universe(), bits.len() as u64);
        assert_eq!(dictionary.len(), members.len() as u64);
        assert_eq!(dictionary.is_empty(), members.is_empty());
        assert!(dictionary.iter().eq(members.iter().copied()));
        let mut below = 0;
        for (number, &bit) in (0..).zip(bits) {
            assert_eq!(dictionary.contains(number), bit);
            assert_eq!(dictionary.rank(number), bit.then_some(below));
            assert_eq!(dictionary.rank_before(number), below);
            below += u64::from(bit);
        }
        for (dense, &member) in (0..).zip(&members) {
            assert_eq!(dictionary.select(dense), Some(member));
        }
        for beyond in [bits.len() as u64, bits.len() as u64 + 1, u64::MAX] {
            assert!(!dictionary.contains(beyond));
            assert_eq!(dictionary.rank(beyond), None);
            assert_eq!(dictionary.rank_before(beyond), below);
            assert_eq!(dictionary.select(beyond), None);
        }
        assert_eq!(dictionary.select(below), None);
    }

    #[test]
    fn lengths_around_words_and_blocks() {
        for length in [0, 1, 63, 64, 65, 511, 512, 513, 2047, 2048, 2049, 4096] {
            check(&vec![false; length]);
            check(&vec![true; length]);
            check(&(0..length).map(|number| number % 3 == 0).collect::<Vec<bool>>());
            check(&(0..length).map(|number| number + 1 == length).collect::<Vec<bool>>());
        }
    }

    #[test]
    fn bits_beyond_the_universe_are_ignored() {
        let dictionary = Dictionary::from_bits(vec![!0, !0], 70);
        assert_eq!((dictionary.len(), dictionary.rank_before(1_000)), (70, 70));
        assert!(dictionary.iter().eq(0..70));
    }

    #[test]
    fn stretches_of_uneven_density() {
        // Dense, then sparse, then empty, then dense again: samples lie in every one of them.
        let member = |number: u64| match number / 100_000 {
            0 => number % 3 != 1,
            1 => number.is_multiple_of(997),
            _ => number >= 290_000 && number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1,
        };
        check(&(0..300_000).map(member).collect::<Vec<bool>>());
    }

    #[test]
    fn samples_take_four_bytes_for_2048_bits_at_least() {
        for (universe, step) in [(1 << 20, 1), (1 << 20, 7), (1 << 20, 1_000), (1 << 20, 100_000)] {
            let dictionary = Dictionary::from_sorted(universe, (0..universe).step_by(step));
            assert!(dictionary.samples.len() as u64 <= 2 * universe / SAMPLED + 2, "every {step}th of {universe}");
        }
    }

    #[test]
    fn every_set_bit_of_a_word_is_found() {
        for word in [1, 1 << 63, !0, 0x8000_0000_0000_0001, 0x00ff_00f0_1234_5678, 0xaaaa_aaaa_aaaa_aaaa] {
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            assert!((0..).zip(bits).all(|(left, bit)| select_in_word(word, left) == bit), "{word:016x}");
        }
    }

    #[test]
    fn more_than_32_bits_of_members_are_counted() {
        // A counter of 2^32 members and more, without the memory for them.
        let (mut dictionary, more) = (Dictionary::from_bits(vec![0b1010; 5], 300), 1 << 33);
        dictionary.members += more;
        dictionary.counters.iter_mut().for_each(|counter| *counter += more << WITHIN);
        assert_eq!(dictionary.rank(257), Some(more + 8));
        assert_eq!((dictionary.rank(64), dictionary.rank_before(u64::MAX)), (None, more + 10));
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn unsorted_numbers_are_refused() {
        Dictionary::from_sorted(10, [3, 3]);
    }

    proptest! {
        #[test]
        fn agrees_with_a_list_of_bits(bits in prop::collection::vec(any::<bool>(), 0..3_000)) {
            check(&bits);
        }

        #[test]
        fn agrees_when_sparse(gaps in prop::collection::vec(1usize..2_000, 0..40)) {
            let mut bits = Vec::new();
            for gap in gaps {
                bits.resize(bits.len() + gap, false);
                bits.push(true);
            }
            check(&bits);
        }
    }
}
