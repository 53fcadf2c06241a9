//! Counts positions up to symmetry without listing them, by Burnside's lemma.
//!
//! Burnside's lemma: the number of orbits is the average, over the symmetries, of how many positions each keeps.
//! A symmetry keeps a position if every cycle of points holds one kind of piece or none, so with a variable per kind
//! the kept positions are counted by a product over the cycles,
//!
//! ```text
//! cycles of length l1, l2, ...      (1 + a^l1 + b^l1) (1 + a^l2 + b^l2) ...
//! ```
//!
//! and those with x pieces of kind a and y of kind b by its coefficient at a^x b^y.

use super::{Permutation, PermutationGroup, cycles};
use std::collections::BTreeMap;

impl PermutationGroup {
    /// The ways, up to symmetry, to place pieces of several kinds, `sizes[i]` of kind i, on different points.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::{Permutation, PermutationGroup};
    /// // Necklaces of six beads: 14 with beads of two colours, of which 4 have three of each.
    /// let wheel = PermutationGroup::generated_by([Permutation::from_fn(6, |point| (point + 1) % 6)]);
    /// assert_eq!(wheel.count_orbits(&[3]), 4);
    /// assert_eq!((0..=6).map(|dark| wheel.count_orbits(&[dark])).sum::<u128>(), 14);
    /// // A red and two blue beads on six places.
    /// assert_eq!(wheel.count_orbits(&[1, 2]), 10);
    /// ```
    ///
    /// # Panics
    /// If the sum over all symmetries exceeds a `u128`; one or two kinds of pieces never do.
    pub fn count_orbits(&self, sizes: &[u32]) -> u128 {
        if sizes.iter().map(|&size| u64::from(size)).sum::<u64>() > u64::from(self.points()) {
            return 0;
        }
        let mut alike: BTreeMap<Vec<u32>, u128> = BTreeMap::new();
        for lengths in self.symmetries().iter().map(Permutation::cycle_lengths) {
            *alike.entry(lengths).or_default() += 1;
        }
        let kept = alike.iter().try_fold(0u128, |sum, (lengths, &symmetries)| {
            sum.checked_add(kept_by(lengths, sizes)?.checked_mul(symmetries)?)
        });
        kept.expect("the sum over the symmetries exceeds 128 bits") / self.order() as u128
    }
}

/// How many sets of 0, 1, ..., `most` of the points `within` a permutation with these images keeps. Such a set is a union
/// of [`cycles`].
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::sets_kept;
/// // Two points change places, a third stays: of sets of one only {2} is kept, of sets of two only {0, 1}.
/// assert_eq!(sets_kept(&[1, 0, 2], u64::MAX, 3), [1, 1, 1, 1]);
/// ```
pub fn sets_kept(images: &[u8], within: u64, most: u32) -> Vec<u64> {
    let mut ways = vec![0; most as usize + 1];
    ways[0] = 1;
    for cycle in cycles(images, within) {
        let length = cycle.count_ones() as usize;
        for size in (length..ways.len()).rev() {
            ways[size] += ways[size - length];
        }
    }
    ways
}

/// The placements that a symmetry with cycles of these lengths keeps: a coefficient of the product.
fn kept_by(lengths: &[u32], sizes: &[u32]) -> Option<u128> {
    // The coefficient at a^x b^y ... has the number x + (first size + 1) y + ...: digits of mixed radix.
    let radix = |kind: usize| sizes[kind] as usize + 1;
    let place: Vec<usize> = (0..sizes.len()).map(|kind| (0..kind).map(radix).product()).collect();
    let mut ways = vec![0u128; (0..sizes.len()).map(radix).product()];
    ways[0] = 1;
    for &length in lengths {
        // From the top down, so that a cycle is used once.
        for number in (0..ways.len()).rev() {
            for kind in 0..sizes.len() {
                if number / place[kind] % radix(kind) >= length as usize {
                    ways[number] = ways[number].checked_add(ways[number - length as usize * place[kind]])?;
                }
            }
        }
    }
    ways.last().copied()
}

#[cfg(test)]
mod tests {
    use crate::index::group::tests::{morris, square};
    use crate::index::{Combinations, PermutationGroup};
    use crate::machine::cpu::pdep;
    use std::collections::BTreeSet;

    /// Canonical forms of all pairs of disjoint masks, counted one by one.
    fn naive_pairs(group: &PermutationGroup, first: u32, second: u32) -> u128 {
        let board = (1u64 << group.points()) - 1;
        let mut orbits = BTreeSet::new();
        for white in Combinations::new(group.points(), first) {
            for black in Combinations::new(group.points() - first, second) {
                let black = pdep(black, board & !white);
                let images = group.symmetries().iter().map(|symmetry| (symmetry.apply(white), symmetry.apply(black)));
                orbits.insert(images.min());
            }
        }
        orbits.len() as u128
    }

    #[test]
    fn counts_agree_with_listing() {
        for group in [square(3), PermutationGroup::trivial(6)] {
            for first in 0..=group.points() {
                for second in 0..=group.points() - first {
                    assert_eq!(group.count_orbits(&[first, second]), naive_pairs(&group, first, second));
                }
            }
        }
        assert_eq!(morris().count_orbits(&[2, 2]), naive_pairs(&morris(), 2, 2));
    }

    #[test]
    fn the_order_of_kinds_does_not_matter() {
        let board = square(5);
        assert_eq!(board.count_orbits(&[1, 5, 4]), board.count_orbits(&[4, 1, 5]));
        assert_eq!(board.count_orbits(&[0, 5, 0]), board.count_orbits(&[5]));
        assert_eq!(board.count_orbits(&[]), 1);
        assert_eq!(board.count_orbits(&[20, 6]), 0);
        assert_eq!(board.count_orbits(&[u32::MAX, u32::MAX]), 0);
    }

    #[test]
    fn two_kinds_on_sixty_four_points_fit() {
        assert_eq!(PermutationGroup::trivial(64).count_orbits(&[32]), 1_832_624_140_942_590_534);
        assert!(square(8).count_orbits(&[21, 21]) > 1 << 90);
    }
}
