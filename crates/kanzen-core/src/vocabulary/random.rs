//! Pseudo-random numbers, the same on every machine and in every run.

/// Numbers drawn one after the other (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, any of 2^64.
    #[allow(clippy::should_implement_trait, reason = "the numbers never end, so there is no Option to unwrap")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let once = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let twice = (once ^ once >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        twice ^ twice >> 31
    }

    /// The next number from 0 to 1, 1 left out.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

/// The `n`-th of the numbers `0..range` in a shuffled order: each comes once.
///
/// Odd factors and shifts shuffle the numbers up to the next power of two; a number outside the range is shuffled
/// again until it is inside.
pub fn shuffled(n: u64, range: u64) -> u64 {
    debug_assert!(n < range);
    let bits = (u64::BITS - (range - 1).leading_zeros()).max(1);
    let mask = u64::MAX >> (u64::BITS - bits);
    let mut number = n;
    loop {
        for factor in [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
            number = number.wrapping_add(factor).wrapping_mul(factor) & mask;
            number ^= number >> bits.div_ceil(2);
        }
        if number < range {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_comes_once_and_not_in_order() {
        for range in (1..70).chain([1000, 4096, 4097]) {
            let mut numbers: Vec<u64> = (0..range).map(|n| shuffled(n, range)).collect();
            assert!(range < 10 || !numbers.is_sorted());
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..range), "{range}");
        }
        assert!(shuffled(0, u64::MAX) < u64::MAX);
    }

    #[test]
    fn a_sample_of_a_large_range_is_spread_evenly() {
        let range = 3_000_000_007;
        let mut quarters = [0; 4];
        (0..4000).for_each(|n| quarters[(shuffled(n, range) * 4 / range) as usize] += 1);
        assert!(quarters.iter().all(|count| (900..1100).contains(count)), "{quarters:?}");
    }

    #[test]
    fn numbers_stay_below_their_limit_and_reach_all_of_it() {
        let mut random = Random::new(7);
        let mut counts = [0; 5];
        (0..5000).for_each(|_| counts[random.below(5)] += 1);
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
