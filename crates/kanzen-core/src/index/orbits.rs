//! A table of masks up to symmetry: the orbit of each mask.
//!
//! ```text
//! mask --rank--> slot --table--> orbit (24 bits), symmetry (8 bits)      orbit --> representative, stabilizer
//! ```
//!
//! The representative is the smallest mask of its orbit and orbits are numbered in its order. One 4-byte entry a mask
//! means one cache miss a look-up.

use super::{Combinations, PermutationGroup, combinations};
use std::collections::HashMap;

/// The orbits of all masks of a given size, or of all masks, under a group of at most 256 symmetries.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::{OrbitTable, Permutation, PermutationGroup};
/// let turn = Permutation::from_fn(9, |point| 3 * (point % 3) + 2 - point / 3);
/// let flip = Permutation::from_fn(9, |point| 3 * (point / 3) + 2 - point % 3);
/// let square = PermutationGroup::generated_by([turn, flip]);
///
/// let pairs = OrbitTable::new(&square, 9, 2);
/// assert_eq!(pairs.orbits(), 8); // two noughts on a 3x3 board, of 36 ways
/// let (orbit, symmetry) = pairs.orbit_of(0b110_000_000);
/// assert_eq!(pairs.representative(orbit), 0b000_000_011);
/// assert_eq!(square.symmetry(symmetry.into()).apply(0b110_000_000), 0b000_000_011);
/// assert_eq!(pairs.stabilizer(orbit), [0]); // no symmetry but the identity keeps it
/// ```
#[derive(Clone, Debug)]
pub struct OrbitTable {
    group: PermutationGroup,
    masks: Masks,
    entries: Vec<OrbitEntry>,
    representatives: Vec<u64>,
    /// For each orbit a number into `stabilizers`: few different ones occur.
    stabilizer: Vec<u32>,
    stabilizers: Vec<Box<[u8]>>,
}

/// Which masks have an entry, and where.
#[derive(Clone, Copy, Debug)]
enum Masks {
    All { points: u32 },
    OfSize(Combinations),
}

impl Masks {
    fn len(self) -> u64 {
        match self {
            Masks::All { points } => 1 << points,
            Masks::OfSize(masks) => masks.len(),
        }
    }

    fn contains(self, mask: u64) -> bool {
        match self {
            Masks::All { points } => mask >> points == 0,
            Masks::OfSize(masks) => masks.contains(mask),
        }
    }

    #[inline]
    fn slot(self, mask: u64) -> usize {
        match self {
            Masks::All { .. } => mask as usize,
            Masks::OfSize(_) => combinations::rank(mask) as usize,
        }
    }

    fn iter(self) -> Box<dyn Iterator<Item = u64>> {
        match self {
            Masks::All { .. } => Box::new(0..self.len()),
            Masks::OfSize(masks) => Box::new(masks.iter()),
        }
    }
}

/// No orbit yet: that is why there is one orbit less than 24 bits could number.
const OPEN: OrbitEntry = OrbitEntry(u32::MAX);
const MOST_ORBITS: usize = (1 << 24) - 1;

/// The orbit and the symmetry of a mask, see [`OrbitTable::orbit_of`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrbitEntry(u32);

impl OrbitEntry {
    fn new(orbit: usize, symmetry: usize) -> OrbitEntry {
        OrbitEntry((orbit as u32) << 8 | symmetry as u32)
    }

    /// The number of the orbit, and of the first symmetry that leads from the mask to its representative.
    #[inline]
    pub fn read(self) -> (u32, u8) {
        (self.0 >> 8, self.0 as u8)
    }
}

impl OrbitTable {
    /// The orbits of the masks with `chosen` of the first `points` points.
    ///
    /// # Panics
    /// If the group has more than 256 symmetries, fewer points than `points`, or does not keep the first `points`
    /// points among themselves; or if there are 2^24 orbits or more.
    pub fn new(group: &PermutationGroup, points: u32, chosen: u32) -> OrbitTable {
        OrbitTable::build(group, points, Masks::OfSize(Combinations::new(points, chosen)))
    }

    /// The orbits of all masks of the first `points` points.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::{OrbitTable, Permutation, PermutationGroup};
    /// let wheel = PermutationGroup::generated_by([Permutation::from_fn(6, |point| (point + 1) % 6)]);
    /// let necklaces = OrbitTable::of_all_masks(&wheel, 6);
    /// assert_eq!(necklaces.orbits(), 14);
    /// let (orbit, _) = necklaces.orbit_of(0b101010);
    /// assert_eq!(necklaces.representative(orbit), 0b010101);
    /// assert_eq!(necklaces.stabilizer(orbit).len(), 3);
    /// ```
    ///
    /// # Panics
    /// As [`OrbitTable::new`], or if there are more than 32 points.
    pub fn of_all_masks(group: &PermutationGroup, points: u32) -> OrbitTable {
        assert!(points <= 32, "a table of all masks of {points} points is too large");
        OrbitTable::build(group, points, Masks::All { points })
    }

    fn build(group: &PermutationGroup, points: u32, masks: Masks) -> OrbitTable {
        assert!(group.order() <= 256, "{} symmetries have no 8-bit numbers", group.order());
        assert!(points <= group.points(), "the group permutes {} points, not {points}", group.points());
        let board = 1u64.checked_shl(points).unwrap_or(0).wrapping_sub(1);
        let closed = group.symmetries().iter().all(|symmetry| symmetry.apply(board) == board);
        assert!(closed, "a symmetry moves one of the first {points} points beyond them");

        let mut entries = vec![OPEN; masks.len() as usize];
        let mut representatives = Vec::new();
        let mut stabilizer = Vec::new();
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut stabilizers: Vec<Box<[u8]>> = Vec::new();
        for (slot, mask) in masks.iter().enumerate() {
            if entries[slot] != OPEN {
                continue;
            }
            // In ascending order the first mask of an orbit is its smallest. A symmetry leads to it from where the
            // inverse leads; the first to come from there stays.
            let orbit = representatives.len();
            assert!(orbit < MOST_ORBITS, "2^24 orbits or more");
            representatives.push(mask);
            let mut keeping = Vec::new();
            for symmetry in 0..group.order() {
                let origin = group.symmetry(group.inverse(symmetry)).apply(mask);
                if origin == mask {
                    keeping.push(symmetry as u8);
                }
                let entry = &mut entries[masks.slot(origin)];
                if *entry == OPEN {
                    *entry = OrbitEntry::new(orbit, symmetry);
                }
            }
            let number = known.entry(keeping).or_insert_with_key(|keeping| {
                stabilizers.push(keeping.as_slice().into());
                stabilizers.len() as u32 - 1
            });
            stabilizer.push(*number);
        }
        OrbitTable { group: group.clone(), masks, entries, representatives, stabilizer, stabilizers }
    }

    /// The group whose orbits these are.
    pub fn group(&self) -> &PermutationGroup {
        &self.group
    }

    /// How many masks there are.
    pub fn masks(&self) -> u64 {
        self.masks.len()
    }

    /// How many orbits there are.
    pub fn orbits(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The orbit of a mask, and the number of the first symmetry that leads from the mask to its representative.
    ///
    /// For a mask outside the table the result is unspecified.
    ///
    /// # Panics
    /// In a debug build, for such a mask; otherwise perhaps.
    #[inline]
    pub fn orbit_of(&self, mask: u64) -> (u32, u8) {
        self.entry(mask).read()
    }

    /// The entry that [`orbit_of`](OrbitTable::orbit_of) reads, to be fetched into the cache and read later.
    #[inline]
    pub fn entry(&self, mask: u64) -> &OrbitEntry {
        debug_assert!(self.masks.contains(mask), "{mask:#b} is not one of {:?}", self.masks);
        &self.entries[self.masks.slot(mask)]
    }

    /// The smallest mask of an orbit.
    ///
    /// # Panics
    /// If `orbit >= self.orbits()`.
    #[inline]
    pub fn representative(&self, orbit: u32) -> u64 {
        self.representatives[orbit as usize]
    }

    /// The numbers of the symmetries that keep the representative of an orbit, in ascending order from 0, the identity.
    ///
    /// # Panics
    /// If `orbit >= self.orbits()`.
    #[inline]
    pub fn stabilizer(&self, orbit: u32) -> &[u8] {
        &self.stabilizers[self.stabilizer[orbit as usize] as usize]
    }

    /// A mask together with other pieces, up to symmetry: the orbit of the mask, and the smallest image of the others
    /// that goes with its representative.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::{OrbitTable, Permutation, PermutationGroup};
    /// let wheel = PermutationGroup::generated_by([Permutation::from_fn(6, |point| (point + 1) % 6)]);
    /// let white = OrbitTable::new(&wheel, 6, 2);
    /// // White keeps its place under a half turn, so black's two places are the same.
    /// assert_eq!(white.canonical_pair(0b001001, 0b000010), white.canonical_pair(0b001001, 0b010000));
    /// ```
    ///
    /// # Panics
    /// As [`OrbitTable::orbit_of`].
    #[inline]
    pub fn canonical_pair(&self, mask: u64, others: u64) -> (u32, u64) {
        let (orbit, symmetry) = self.orbit_of(mask);
        let others = self.group.symmetry(symmetry.into()).apply(others);
        let keeping = &self.stabilizer(orbit)[1..];
        let images = keeping.iter().map(|&symmetry| self.group.symmetry(symmetry.into()).apply(others));
        (orbit, images.fold(others, u64::min))
    }

    /// Bytes of memory the tables take, without the group's.
    pub fn memory(&self) -> u64 {
        let stabilizers: usize = self.stabilizers.iter().map(|symmetries| symmetries.len() + 16).sum();
        (4 * self.entries.len() + (8 + 4) * self.representatives.len() + stabilizers) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::group::tests::{morris, square};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// Every entry against a search over the whole group.
    fn check(table: &OrbitTable) {
        let group = table.group();
        let mut representatives = Vec::new();
        for mask in table.masks.iter() {
            let (smallest, _) = group.canonical(mask);
            if smallest == mask {
                representatives.push(mask);
            }
            let (orbit, symmetry) = table.orbit_of(mask);
            assert_eq!(table.representative(orbit), smallest);
            let first = group.symmetries().iter().position(|symmetry| symmetry.apply(mask) == smallest);
            assert_eq!(first, Some(symmetry.into()));
        }
        assert_eq!(table.representatives, representatives);
        for orbit in 0..table.orbits() {
            let mask = table.representative(orbit);
            let keeping: Vec<u8> =
                (0..group.order()).filter(|&s| group.symmetry(s).apply(mask) == mask).map(|s| s as u8).collect();
            assert_eq!(table.stabilizer(orbit), keeping);
        }
    }

    #[test]
    fn small_tables_agree_with_a_search() {
        for group in [square(3), PermutationGroup::trivial(7)] {
            check(&OrbitTable::of_all_masks(&group, group.points()));
            for chosen in 0..=group.points() + 1 {
                check(&OrbitTable::new(&group, group.points(), chosen));
            }
        }
        check(&OrbitTable::new(&square(5), 25, 5));
        check(&OrbitTable::new(&morris(), 24, 4));
    }

    #[test]
    fn as_many_orbits_as_burnside_counts() {
        for chosen in 0..=6 {
            let table = OrbitTable::new(&morris(), 24, chosen);
            assert_eq!(u128::from(table.orbits()), morris().count_orbits(&[chosen]));
        }
    }

    #[test]
    fn part_of_the_points() {
        // Two wheels, of 3 and of 2 points.
        let wheels = crate::index::Permutation::new(&[1, 2, 0, 4, 3]).unwrap();
        let group = PermutationGroup::generated_by([wheels]);
        let table = OrbitTable::of_all_masks(&group, 3);
        assert_eq!((table.masks(), table.orbits()), (8, 4));
        check(&table);
    }

    #[test]
    #[should_panic(expected = "beyond them")]
    fn points_that_leave_are_refused() {
        OrbitTable::new(&square(3), 8, 2);
    }

    proptest! {
        #[test]
        fn pairs_are_canonical(mask in 0u64..1 << 25, others in 0u64..1 << 25) {
            static TABLE: LazyLock<OrbitTable> = LazyLock::new(|| OrbitTable::new(&square(5), 25, 5));
            let mask = combinations::unrank(5, mask % TABLE.masks());
            let (orbit, image) = TABLE.canonical_pair(mask, others);
            let images = TABLE.group().symmetries().iter().map(|symmetry| (symmetry.apply(mask), symmetry.apply(others)));
            prop_assert_eq!(Some((TABLE.representative(orbit), image)), images.min());
        }
    }
}
