//! Ranks and unranks subsets of a given size.
//!
//! A subset of at most 64 points is a bit mask. Among the masks with as many points, ascending order is the
//! colexicographic order, and the number of a mask is
//!
//! ```text
//! points  p1 < p2 < ... < pk      rank = C(p1, 1) + C(p2, 2) + ... + C(pk, k)
//! ```
//!
//! No number of points on the board enters: the numbering for 24 points continues that for 23. Reference:
//! Knuth, The Art of Computer Programming 4A, 7.2.1.3.
//!
//! ```
//! # use kanzen_core as kanzen;
//! use kanzen::index::combinations;
//! let pairs = [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100];
//! for (number, pair) in pairs.into_iter().enumerate() {
//!     assert_eq!(combinations::rank(pair), number as u64);
//!     assert_eq!(combinations::unrank(2, number as u64), pair);
//! }
//! ```

use super::binomial;
use super::binomial::{BINOMIAL, Ways, table};
use crate::machine::cpu::{pdep, pext};

/// Points that one look-up takes together.
pub(super) const TOGETHER: usize = 12;
pub(super) const MASKS: usize = 1 << TOGETHER;

table! {
/// What the first twelve points add to the rank, in the low half of a word, and how many they are, in the high half.
static FIRST: [u32; MASKS] = {
    let ranks = ranks_above(&BINOMIAL, 0, 0);
    let mut words = [0; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        words[mask] = (mask.count_ones() << 16) | ranks[mask];
        mask += 1;
    }
    words
};
}

table! {
/// What the next twelve points add, a row for each number of points among the first twelve.
static SECOND: [[u32; MASKS]; TOGETHER + 1] = {
    let mut rows = [[0; MASKS]; TOGETHER + 1];
    let mut below = 0;
    while below <= TOGETHER {
        rows[below] = ranks_above(&BINOMIAL, TOGETHER, below);
        below += 1;
    }
    rows
};
}

/// What twelve points from `first` on add to the rank, if there are `below` points before them.
pub(super) const fn ranks_above(binomial: &Ways, first: usize, below: usize) -> [u32; MASKS] {
    let mut ranks = [0; MASKS];
    let mut mask = 1usize;
    while mask < MASKS {
        let top = mask.ilog2() as usize;
        let ordinal = below + mask.count_ones() as usize;
        ranks[mask] = ranks[mask ^ (1 << top)] + binomial[ordinal][first + top] as u32;
        mask += 1;
    }
    ranks
}

/// The points of a mask, lowest first.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::points;
/// assert!(points(0b1_0110).eq([1, 2, 4]));
/// ```
#[inline(always)]
pub fn points(mask: u32) -> impl Iterator<Item = u32> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let point = left.trailing_zeros();
        (left != 0).then(|| {
            left &= left - 1;
            point
        })
    })
}

/// The number of a mask among the masks with as many points, in ascending order.
///
/// The first 24 points take two look-ups, further points one each.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::combinations::rank;
/// assert_eq!(rank(0), 0);
/// assert_eq!(rank(0b111), 0); // the first of three points
/// assert_eq!(rank(0b1011), 1); // the second
/// ```
#[inline]
pub fn rank(mask: u64) -> u64 {
    let first = FIRST[mask as usize % MASKS];
    let below = (first >> 16) as usize;
    let second = (mask >> TOGETHER) as usize % MASKS;
    let mut rank = u64::from(first & 0xffff) + u64::from(SECOND[below][second]);

    let mut further = mask >> (2 * TOGETHER);
    if further != 0 {
        let mut ordinal = below + second.count_ones() as usize;
        while further != 0 {
            ordinal += 1;
            rank += BINOMIAL[ordinal][2 * TOGETHER + further.trailing_zeros() as usize];
            further &= further - 1;
        }
    }
    rank
}

/// Visits the masks that lack one point of a mask of at most 24 points: the point, and the number of what is left.
///
/// One look-up each, where [`rank`] takes two.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::combinations::{rank, ranks_without_each};
/// let mut ranks = Vec::new();
/// ranks_without_each(0b1_0000_0000_0110, |point, rank| ranks.push((point, rank)));
/// assert_eq!(ranks, [(1, rank(0b1_0000_0000_0100)), (2, rank(0b1_0000_0000_0010)), (12, rank(0b110))]);
/// ```
#[inline(always)]
pub fn ranks_without_each(mask: u32, mut visit: impl FnMut(u32, u64)) {
    let (lower, upper) = (mask as usize % MASKS, (mask as usize >> TOGETHER) % MASKS);
    let below = (FIRST[lower] >> 16) as usize;
    let above_fewer = SECOND[below.saturating_sub(1)][upper];
    for point in points(lower as u32) {
        visit(point, u64::from((FIRST[lower ^ (1 << point)] & 0xffff) + above_fewer));
    }
    let row = &SECOND[below];
    for point in points(upper as u32) {
        visit(TOGETHER as u32 + point, u64::from((FIRST[lower] & 0xffff) + row[upper ^ (1 << point)]));
    }
}

/// The mask of a number: the inverse of [`rank`] among the masks of `chosen` points.
///
/// # Panics
/// If 64 points have no such subset: `rank >= binomial(64, chosen)`.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::combinations::{rank, unrank};
/// let mask = unrank(9, 1_000_000);
/// assert_eq!((mask.count_ones(), rank(mask)), (9, 1_000_000));
/// ```
pub fn unrank(chosen: u32, rank: u64) -> u64 {
    assert!(rank < binomial(64, chosen), "there is no subset of {chosen} points with number {rank}");
    let points = BINOMIAL[chosen as usize].partition_point(|&first| first <= rank);
    unrank_below(points, chosen as usize, rank)
}

/// The mask of a number, of which `points` points are known to be enough.
#[inline]
fn unrank_below(points: usize, chosen: usize, rank: u64) -> u64 {
    // The highest point is the last whose binomial is not above the rank, and so on down. Written without branches:
    // which points are taken is not predictable. When all are taken, the rank is 0 and every binomial is 1.
    let (mut mask, mut rank, mut chosen) = (0, rank, chosen);
    for point in (0..points).rev() {
        let first = BINOMIAL[chosen][point];
        let taken = u64::from(rank >= first);
        rank -= first & taken.wrapping_neg();
        chosen -= taken as usize;
        mask |= taken << point;
    }
    mask
}

/// The rank of a mask among the subsets of the points `within`, as many as it has.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::combinations::{rank_within, unrank_within};
/// // Black on what white leaves free.
/// let (white, black) = (0b0110, 0b1001);
/// assert_eq!(rank_within(black, !white), 0);
/// assert_eq!(unrank_within(2, 0, !white), black);
/// ```
#[inline]
pub fn rank_within(mask: u64, within: u64) -> u64 {
    rank(pext(mask, within))
}

/// The mask of a number among the subsets of `chosen` of the points `within`: the inverse of [`rank_within`].
///
/// # Panics
/// If `rank >= binomial(64, chosen)`. A rank that only `within` is too small for loses points.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::combinations::unrank_within;
/// assert_eq!(unrank_within(1, 2, 0b111000), 0b100000);
/// ```
pub fn unrank_within(chosen: u32, rank: u64, within: u64) -> u64 {
    pdep(unrank(chosen, rank), within)
}

/// All subsets of `chosen` of the first `points` points.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::Combinations;
/// let hands = Combinations::new(52, 5);
/// assert_eq!(hands.len(), 2_598_960);
/// assert_eq!(hands.rank(hands.unrank(1_234_567)), 1_234_567);
/// assert!(Combinations::new(4, 2).iter().eq([0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Combinations {
    points: u32,
    chosen: u32,
}

impl Combinations {
    /// Subsets of `chosen` of `points` points; none if there are fewer points.
    ///
    /// # Panics
    /// If there are more than 64 points.
    pub const fn new(points: u32, chosen: u32) -> Combinations {
        assert!(points <= 64, "a mask has at most 64 points");
        Combinations { points, chosen }
    }

    /// How many points there are.
    pub const fn points(self) -> u32 {
        self.points
    }

    /// How many points a subset has.
    pub const fn chosen(self) -> u32 {
        self.chosen
    }

    /// How many subsets there are.
    pub fn len(self) -> u64 {
        binomial(self.points, self.chosen)
    }

    /// Are there more points to choose than points?
    pub const fn is_empty(self) -> bool {
        self.chosen > self.points
    }

    /// Is the mask one of the subsets?
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Combinations;
    /// let pairs = Combinations::new(4, 2);
    /// assert!(pairs.contains(0b1001));
    /// assert!(!pairs.contains(0b10001) && !pairs.contains(0b111));
    /// ```
    pub const fn contains(self, mask: u64) -> bool {
        mask.count_ones() == self.chosen && mask.leading_zeros() >= 64 - self.points
    }

    /// The number of a subset; of a mask that is none, a number without meaning. See [`rank`].
    #[inline]
    pub fn rank(self, mask: u64) -> u64 {
        debug_assert!(self.contains(mask), "{mask:#b} is not {} of {} points", self.chosen, self.points);
        rank(mask)
    }

    /// The subset of a number.
    ///
    /// # Panics
    /// If `rank >= self.len()`.
    pub fn unrank(self, rank: u64) -> u64 {
        assert!(rank < self.len(), "{} of {} points have no subset {rank}", self.chosen, self.points);
        unrank_below(self.points as usize, self.chosen as usize, rank)
    }

    /// The subsets in order of their numbers.
    pub fn iter(self) -> Subsets {
        self.iter_from(0)
    }

    /// The subsets from number `rank` on: a thread's share starts anywhere.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Combinations;
    /// assert!(Combinations::new(4, 2).iter_from(4).eq([0b1010, 0b1100]));
    /// assert_eq!(Combinations::new(4, 2).iter_from(6).next(), None);
    /// ```
    pub fn iter_from(self, rank: u64) -> Subsets {
        let left = self.len().saturating_sub(rank);
        Subsets { next: if left == 0 { 0 } else { unrank(self.chosen, rank) }, left }
    }
}

impl IntoIterator for Combinations {
    type Item = u64;
    type IntoIter = Subsets;

    fn into_iter(self) -> Subsets {
        self.iter()
    }
}

/// The masks of [`Combinations`] in ascending order, each from the one before in a few instructions.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::Combinations;
/// let all: u64 = Combinations::new(5, 2).iter().fold(0, |seen, pair| seen | pair);
/// assert_eq!(all, 0b11111);
/// ```
#[derive(Clone, Debug)]
pub struct Subsets {
    next: u64,
    left: u64,
}

impl Iterator for Subsets {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let mask = self.next;
        if self.left > 0 {
            self.next = successor(mask);
        }
        Some(mask)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

/// The next mask with as many points (Gosper): the lowest run's top point goes up one, the others go to the bottom.
/// There must be one, so the mask is not empty.
#[inline]
fn successor(mask: u64) -> u64 {
    let low = mask & mask.wrapping_neg();
    let ripple = mask + low;
    (((mask ^ ripple) >> 2) >> low.trailing_zeros()) | ripple
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::checked_binomial;
    use proptest::prelude::*;

    fn naive_rank(mask: u64) -> u64 {
        let points = (0..64).filter(|point| mask >> point & 1 == 1);
        points.zip(1..).map(|(point, ordinal)| checked_binomial(point, ordinal).unwrap()).sum()
    }

    #[test]
    fn numbers_follow_ascending_masks() {
        for points in 0..=12 {
            for chosen in 0..=points + 1 {
                let all = Combinations::new(points, chosen);
                let naive: Vec<u64> = (0..1 << points).filter(|&mask| all.contains(mask)).collect();
                assert!(all.iter().eq(naive.iter().copied()));
                assert_eq!(all.len(), naive.len() as u64);
                assert_eq!(all.is_empty(), naive.is_empty());
                for (number, mask) in naive.into_iter().enumerate() {
                    assert_eq!(all.rank(mask), number as u64);
                    assert_eq!(all.unrank(number as u64), mask);
                    assert_eq!(all.iter_from(number as u64).next(), Some(mask));
                }
            }
        }
    }

    #[test]
    fn sixty_four_points_reach_the_ends() {
        assert_eq!(rank(!0), 0);
        assert_eq!(unrank(64, 0), !0);
        assert!(Combinations::new(64, 64).iter().eq([!0]));
        assert!(Combinations::new(64, 0).iter().eq([0]));
        assert_eq!(Combinations::new(64, 1).iter().last(), Some(1 << 63));
        assert_eq!(Combinations::new(64, 63).iter().last(), Some(!1));
        let halves = Combinations::new(64, 32);
        assert_eq!(halves.unrank(halves.len() - 1), !0 << 32);
        assert!(halves.iter_from(halves.len() - 1).eq([!0 << 32]));
    }

    proptest! {
        #[test]
        fn rank_by_bytes_is_the_sum_of_binomials(mask: u64, points in 0u32..=64) {
            let mask = mask & 1u64.checked_shl(points).unwrap_or(0).wrapping_sub(1);
            prop_assert_eq!(rank(mask), naive_rank(mask));
            prop_assert_eq!(unrank(mask.count_ones(), rank(mask)), mask);
        }

        #[test]
        fn ranks_within_free_points_are_dense(white: u32, black: u32) {
            let (white, black) = (u64::from(white & 0xff_ffff), u64::from(black & !white & 0xff_ffff));
            let free = !white & 0xff_ffff;
            let number = rank_within(black, free);
            prop_assert!(number < binomial(free.count_ones(), black.count_ones()));
            prop_assert_eq!(unrank_within(black.count_ones(), number, free), black);
        }
    }
}
