//! Ranks masks of 24 points and a known size: two independent table look-ups, for the low and the high twelve points.

use super::binomial::{BINOMIAL, table};
use super::combinations::{MASKS, TOGETHER, ranks_above};

/// Sizes from 0 on.
const SIZES: usize = 8;

table! {
static LOW: [u32; MASKS] = ranks_above(&BINOMIAL, 0, 0);
}

table! {
/// By size, for the number of points below is then known too.
static HIGH: [[u32; MASKS]; SIZES] = {
    let mut above = [[0; MASKS]; SIZES];
    let mut below = 0;
    while below < SIZES {
        above[below] = ranks_above(&BINOMIAL, TOGETHER, below);
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
}

/// The number of a mask of at most 24 points among those of its size, which is below 8, as
/// [`combinations::rank`](super::combinations::rank) returns it: faster, where the size is known beforehand.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::{combinations, rank_of_size};
/// assert_eq!(u64::from(rank_of_size(3, 0b1_0110)), combinations::rank(0b1_0110));
/// ```
#[inline(always)]
pub fn rank_of_size(size: u32, mask: u32) -> u32 {
    LOW[mask as usize % MASKS] + HIGH[size as usize % SIZES][(mask >> TOGETHER) as usize % MASKS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Combinations, combinations};

    #[test]
    fn ranks_are_those_of_any_size() {
        for size in 0..SIZES as u32 {
            for mask in Combinations::new(24, size) {
                assert_eq!(u64::from(rank_of_size(size, mask as u32)), combinations::rank(mask));
            }
        }
    }
}
