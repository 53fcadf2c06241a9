//! Sparse numbers made dense: a fully indexable dictionary.
//!
//! A bit for every number of a universe says whether it is a member; counters beside the bits give in constant time
//! how many members are below a number (rank) and which number the n-th member is (select).
//!
//! ```text
//! bits    0 1 1 0 0 1 0 1        rank(5) = 2, for two members are below 5
//! dense     0 1     2   3        select(2) = 5
//! ```
//!
//! The counters are those of the crate `sux` (`dictionary/fast.rs`), or plain ones where it is not there
//! (`dictionary/plain.rs`).

#[cfg(not(target_family = "wasm"))]
mod fast;
#[cfg(any(test, target_family = "wasm"))]
mod plain;

use std::fmt;

#[cfg(not(target_family = "wasm"))]
use fast::Fast as Counted;
#[cfg(target_family = "wasm")]
use plain::Plain as Counted;

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
    bits: Counted,
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
    /// If there are not exactly the words that `universe` bits need.
    pub fn from_bits(mut words: Vec<u64>, universe: u64) -> Dictionary {
        assert_eq!(words.len() as u64, universe.div_ceil(64), "words for {universe} bits");
        let length = usize::try_from(universe).expect("a universe that memory can address");
        if let (Some(last), used @ 1..) = (words.last_mut(), universe % 64) {
            *last &= (1 << used) - 1;
        }
        Dictionary { bits: Counted::new(words, length) }
    }

    /// The given numbers, which ascend and are below `universe`.
    ///
    /// # Panics
    /// If they do not ascend, or reach `universe`.
    pub fn from_sorted(universe: u64, members: impl IntoIterator<Item = u64>) -> Dictionary {
        let length = usize::try_from(universe.div_ceil(64)).expect("a universe that memory can address");
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
        self.bits.num_ones() as u64
    }

    /// Are there no members?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bound that all members are below.
    pub fn universe(&self) -> u64 {
        self.bits.len() as u64
    }

    /// The bits, as [`Dictionary::from_bits`] takes them.
    pub fn words(&self) -> &[u64] {
        self.bits.words()
    }

    /// Is the number a member? Numbers beyond the universe are not.
    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        number < self.universe() && self.words()[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    /// The dense number of a member; none if the number is not a member.
    #[inline]
    pub fn rank(&self, number: u64) -> Option<u64> {
        self.contains(number).then(|| self.bits.rank(number as usize) as u64)
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
        self.bits.rank(number.min(self.universe()) as usize) as u64
    }

    /// The member of a dense number; none if there are no more than `dense` members.
    #[inline]
    pub fn select(&self, dense: u64) -> Option<u64> {
        let dense = usize::try_from(dense).ok()?;
        self.bits.select(dense).map(|number| number as u64)
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

    /// Bytes of memory: the bits, the counters for ranks (3/16 of the bits), the inventory for selects.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Dictionary;
    /// let dictionary = Dictionary::from_bits(vec![0x0123_4567_89ab_cdef; 1 << 10], 1 << 16);
    /// assert!((8_192 + 1_536..8_192 + 1_536 + 512).contains(&dictionary.memory()));
    /// ```
    pub fn memory(&self) -> u64 {
        (size_of::<Dictionary>() + size_of_val(self.words())) as u64 + self.bits.memory()
    }
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
        check_plain(&dictionary);
    }

    /// The plain counters say the same.
    fn check_plain(dictionary: &Dictionary) {
        let bits = plain::Plain::new(dictionary.words().to_vec(), dictionary.universe() as usize);
        assert_eq!((bits.len(), bits.num_ones()), (dictionary.bits.len(), dictionary.bits.num_ones()));
        assert_eq!(bits.words(), dictionary.words());
        assert!((0..=bits.len()).all(|at| bits.rank(at) == dictionary.bits.rank(at)));
        assert!((0..=bits.num_ones()).all(|rank| bits.select(rank) == dictionary.bits.select(rank)));
        assert!(bits.memory() <= 4 + 4 * (bits.len().div_ceil(512) as u64));
    }

    /// The length of an array in what `sux` prints of itself.
    fn printed_length(dictionary: &Dictionary, name: &str) -> u64 {
        let text = format!("{:?}", dictionary.bits);
        let (_, array) = text.split_once(&format!(" {name}: [")).expect("sux still has that array");
        let (array, _) = array.split_once(']').expect("arrays end");
        array.split_terminator(", ").count() as u64
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
    fn the_inventory_is_as_large_as_forecast() {
        for (universe, step) in [(0, 1), (1, 1), (5_000, 1), (5_000, 7), (100_000, 1_000), (100_000, 100_000)] {
            let dictionary = Dictionary::from_sorted(universe, (0..universe).step_by(step));
            let printed =
                4 * printed_length(&dictionary, "inventory") + 8 * printed_length(&dictionary, "inventory_begin");
            assert_eq!(dictionary.bits.inventory(), printed, "{universe} by {step}");
        }
    }

    #[test]
    fn thirty_million_bits_of_uneven_density() {
        // Dense, then sparse, then empty, then dense again.
        let member = |number: u64| match number / 10_000_000 {
            0 => number % 3 != 1,
            1 => number.is_multiple_of(9_973),
            _ => number >= 29_000_000 && number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1,
        };
        let dictionary = Dictionary::from_sorted(30_000_000, (0..30_000_000).filter(|&number| member(number)));
        let mut below = 0;
        for number in 0..30_000_000 {
            if member(number) {
                assert_eq!(dictionary.rank(number), Some(below));
                assert_eq!(dictionary.select(below), Some(number));
                below += 1;
            } else if number % 64 == 0 {
                assert_eq!(dictionary.rank(number), None);
                assert_eq!(dictionary.rank_before(number), below);
            }
        }
        assert_eq!(dictionary.len(), below);
    }

    #[test]
    fn more_than_32_bits_of_universe() {
        // Nearly all words stay untouched zeros, so this costs address space rather than memory.
        let universe = (1 << 32) + 1_000_000;
        let members = [0, 77, (1 << 32) - 1, 1 << 32, (1 << 32) + 500, universe - 1];
        let dictionary = Dictionary::from_sorted(universe, members);
        assert_eq!((dictionary.len(), dictionary.universe()), (6, universe));
        for (dense, member) in (0..).zip(members) {
            assert_eq!(dictionary.rank(member), Some(dense));
            assert_eq!(dictionary.rank_before(member + 1), dense + 1);
            assert_eq!(dictionary.select(dense), Some(member));
        }
        assert_eq!(dictionary.rank((1 << 32) + 1), None);
        assert_eq!(dictionary.select(6), None);
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
