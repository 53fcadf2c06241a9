//! Bits with counters, in a few plain lines: where the crate `sux` is not there, and what the tests hold it against.
//!
//! A count for every 512 bits; a rank adds the bits of at most eight words, a select searches the counts first.

/// Words between two counts.
const WORDS: usize = 8;

/// Bits, and how many of them are set before each stretch.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    words: Box<[u64]>,
    len: usize,
    /// Set bits before each stretch, and all of them at the end.
    before: Vec<u32>,
}

impl Plain {
    /// Counts these bits; those from `len` on must not be set.
    pub fn new(words: Vec<u64>, len: usize) -> Plain {
        let mut before = vec![0];
        for stretch in words.chunks(WORDS) {
            let set: u32 = stretch.iter().map(|word| word.count_ones()).sum();
            before.push(before[before.len() - 1] + set);
        }
        Plain { words: words.into(), len, before }
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn num_ones(&self) -> usize {
        self.before[self.before.len() - 1] as usize
    }

    /// How many bits before this one are set.
    pub fn rank(&self, at: usize) -> usize {
        let word = at / 64;
        let whole: u32 = self.words[word / WORDS * WORDS..word].iter().map(|word| word.count_ones()).sum();
        let part = self.words.get(word).map_or(0, |bits| (bits & ((1 << (at % 64)) - 1)).count_ones());
        (self.before[word / WORDS] + whole + part) as usize
    }

    /// The set bit with so many before it.
    pub fn select(&self, rank: usize) -> Option<usize> {
        let mut left = u32::try_from(rank).ok().filter(|_| rank < self.num_ones())?;
        let stretch = self.before.partition_point(|&before| before <= left) - 1;
        left -= self.before[stretch];
        for (at, &word) in self.words.iter().enumerate().skip(stretch * WORDS) {
            let set = word.count_ones();
            if left < set {
                let rest = (0..left).fold(word, |word, _| word & (word - 1));
                return Some(64 * at + rest.trailing_zeros() as usize);
            }
            left -= set;
        }
        None
    }

    /// Bytes of the counters.
    pub fn memory(&self) -> u64 {
        size_of_val(&self.before[..]) as u64
    }
}
