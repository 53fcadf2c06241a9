//! Ranks of masks of 24 points and a known size: the low and the high twelve add up, and neither waits for the other.

use crate::ostle::board::Mask;

const HALF: usize = 12;
const MASKS: usize = 1 << HALF;
/// Sizes from 0 on; no side has more than five pieces.
const SIZES: usize = 8;

/// `BINOMIAL[n][k]`: the ways to choose k of n points.
const BINOMIAL: [[u32; SIZES]; 2 * HALF] = {
    let mut table = [[0; SIZES]; 2 * HALF];
    let mut n = 0;
    while n < 2 * HALF {
        table[n][0] = 1;
        let mut k = 1;
        while k < SIZES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

static LOW: [u32; MASKS] = ranks_above(0, 0);

/// By size, for the number of points below is then known too.
static HIGH: [[u32; MASKS]; SIZES] = {
    let mut above = [[0; MASKS]; SIZES];
    let mut below = 0;
    while below < SIZES {
        above[below] = ranks_above(HALF, below);
        below += 1;
    }
    let mut high = [[0; MASKS]; SIZES];
    let mut size = 0;
    while size < SIZES {
        let mut mask = 0;
        while mask < MASKS {
            let points = mask.count_ones() as usize;
            if points <= size {
                high[size][mask] = above[size - points][mask];
            }
            mask += 1;
        }
        size += 1;
    }
    high
};

/// What twelve points from `first` on add to the rank, if there are `below` points before them.
const fn ranks_above(first: usize, below: usize) -> [u32; MASKS] {
    let mut ranks = [0; MASKS];
    let mut mask = 1usize;
    while mask < MASKS {
        let top = mask.ilog2() as usize;
        let ordinal = below + mask.count_ones() as usize;
        if ordinal < SIZES {
            ranks[mask] = ranks[mask ^ (1 << top)] + BINOMIAL[first + top][ordinal];
        }
        mask += 1;
    }
    ranks
}

/// The number of a mask of 24 points among those of its size.
#[inline(always)]
pub fn rank(size: u32, mask: Mask) -> u32 {
    LOW[mask as usize % MASKS] + HIGH[size as usize % SIZES][(mask >> HALF) as usize % MASKS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen::index::{Combinations, combinations};

    #[test]
    fn ranks_are_those_of_the_library() {
        for size in 0..=5 {
            for mask in Combinations::new(24, size) {
                assert_eq!(u64::from(rank(size, mask as Mask)), combinations::rank(mask));
            }
        }
    }
}
