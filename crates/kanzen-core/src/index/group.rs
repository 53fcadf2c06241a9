//! Permutation groups: all symmetries of a board, from a few generators.

use super::Permutation;
use std::collections::BTreeSet;

/// All symmetries of a board, numbered from 0, which is the identity.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::{Permutation, PermutationGroup};
/// let turn = Permutation::from_fn(9, |point| 3 * (point % 3) + 2 - point / 3);
/// let flip = Permutation::from_fn(9, |point| 3 * (point / 3) + 2 - point % 3);
/// let square = PermutationGroup::generated_by([turn, flip]);
/// assert_eq!(square.order(), 8);
/// assert_eq!(square.orbits(), [0b101_000_101, 0b010_101_010, 0b000_010_000]); // corners, edges, centre
///
/// // Of the corners the first has the smallest mask.
/// let (smallest, symmetry) = square.canonical(0b100_000_000);
/// assert_eq!(smallest, 1);
/// assert_eq!(square.symmetry(symmetry).apply(0b100_000_000), 1);
/// ```
///
/// The numbers do not depend on the generators: symmetries are in lexicographic order of their images. Each takes
/// 256 numbers for every 8 points, so this is for the symmetries of boards, not for large groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PermutationGroup {
    points: u32,
    symmetries: Vec<Permutation>,
    inverses: Vec<usize>,
}

impl PermutationGroup {
    /// The group of the identity alone.
    ///
    /// # Panics
    /// If there are more than 64 points.
    pub fn trivial(points: u32) -> PermutationGroup {
        PermutationGroup::of(points, vec![Permutation::identity(points)])
    }

    /// The smallest group with these permutations.
    ///
    /// # Panics
    /// If there are none (see [`PermutationGroup::trivial`]), or if they permute different numbers of points.
    pub fn generated_by(generators: impl IntoIterator<Item = Permutation>) -> PermutationGroup {
        let generators: Vec<Permutation> = generators.into_iter().collect();
        let points = generators.first().expect("a group needs a generator").points();
        assert!(generators.iter().all(|generator| generator.points() == points), "generators of different sizes");

        let identity: Vec<u8> = (0..points as u8).collect();
        let mut all = BTreeSet::from([identity.clone()]);
        let mut open = vec![identity];
        while let Some(images) = open.pop() {
            for generator in &generators {
                let product: Vec<u8> = images.iter().map(|&image| generator.image(u32::from(image)) as u8).collect();
                if all.insert(product.clone()) {
                    open.push(product);
                }
            }
        }
        let symmetries = all.iter().map(|images| Permutation::new(images).expect("products are permutations"));
        PermutationGroup::of(points, symmetries.collect())
    }

    /// The symmetries of a board of rows and columns, its squares numbered row by row: eight of a square, else four.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::PermutationGroup;
    /// assert_eq!(PermutationGroup::of_rectangle(3, 3).order(), 8);
    /// assert_eq!(PermutationGroup::of_rectangle(3, 4).order(), 4);
    /// ```
    ///
    /// # Panics
    /// If there are more than 64 squares.
    pub fn of_rectangle(rows: u32, columns: u32) -> PermutationGroup {
        let image = |to: &dyn Fn(u32, u32) -> (u32, u32)| {
            Permutation::from_fn(rows * columns, |square| {
                let (row, column) = to(square / columns, square % columns);
                row * columns + column
            })
        };
        let mut generators =
            vec![image(&|row, column| (rows - 1 - row, column)), image(&|row, column| (row, columns - 1 - column))];
        if rows == columns {
            generators.push(image(&|row, column| (column, row)));
        }
        PermutationGroup::generated_by(generators)
    }

    /// From all symmetries in lexicographic order.
    fn of(points: u32, symmetries: Vec<Permutation>) -> PermutationGroup {
        let number = |wanted: &Permutation| {
            symmetries
                .binary_search_by(|symmetry| symmetry.images().cmp(wanted.images()))
                .expect("a group has inverses")
        };
        let inverses = symmetries.iter().map(|symmetry| number(&symmetry.inverse())).collect();
        PermutationGroup { points, symmetries, inverses }
    }

    /// How many points there are.
    pub fn points(&self) -> u32 {
        self.points
    }

    /// How many symmetries there are.
    pub fn order(&self) -> usize {
        self.symmetries.len()
    }

    /// All symmetries in order of their numbers.
    pub fn symmetries(&self) -> &[Permutation] {
        &self.symmetries
    }

    /// The symmetry of a number.
    ///
    /// # Panics
    /// If `number >= self.order()`.
    #[inline]
    pub fn symmetry(&self, number: usize) -> &Permutation {
        &self.symmetries[number]
    }

    /// The number of the inverse of a symmetry.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::{Permutation, PermutationGroup};
    /// let wheel = PermutationGroup::generated_by([Permutation::from_fn(5, |point| (point + 1) % 5)]);
    /// assert_eq!(wheel.inverse(2), 3); // two on and three on make a full turn
    /// ```
    ///
    /// # Panics
    /// If `number >= self.order()`.
    #[inline]
    pub fn inverse(&self, number: usize) -> usize {
        self.inverses[number]
    }

    /// The points that go to each other, as masks, by their smallest point.
    pub fn orbits(&self) -> Vec<u64> {
        let mut orbits = Vec::new();
        let mut seen = 0u64;
        for point in 0..self.points {
            if seen >> point & 1 == 0 {
                let orbit = self.symmetries.iter().fold(0, |orbit, symmetry| orbit | 1u64 << symmetry.image(point));
                orbits.push(orbit);
                seen |= orbit;
            }
        }
        orbits
    }

    /// The smallest image of a mask, and the first symmetry that gets there.
    pub fn canonical(&self, mask: u64) -> (u64, usize) {
        let mut smallest = (self.symmetries[0].apply(mask), 0);
        for (number, symmetry) in self.symmetries.iter().enumerate().skip(1) {
            let image = symmetry.apply(mask);
            if image < smallest.0 {
                smallest = (image, number);
            }
        }
        smallest
    }

    /// The symmetries that keep a mask, as a group of their own.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::{Permutation, PermutationGroup};
    /// let wheel = PermutationGroup::generated_by([Permutation::from_fn(6, |point| (point + 1) % 6)]);
    /// assert_eq!(wheel.stabilizer(0b010101).order(), 3);
    /// assert_eq!(wheel.stabilizer(0b001001).order(), 2);
    /// assert_eq!(wheel.stabilizer(0b000011).order(), 1);
    /// ```
    pub fn stabilizer(&self, mask: u64) -> PermutationGroup {
        let mask = self.symmetries[0].apply(mask);
        let keeping = self.symmetries.iter().filter(|symmetry| symmetry.apply(mask) == mask);
        PermutationGroup::of(self.points, keeping.cloned().collect())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The symmetries of a square board.
    pub(crate) fn square(side: u32) -> PermutationGroup {
        let turn = Permutation::from_fn(side * side, |point| side * (point % side) + side - 1 - point / side);
        let flip = Permutation::from_fn(side * side, |point| side * (point / side) + side - 1 - point % side);
        PermutationGroup::generated_by([turn, flip])
    }

    /// The symmetries of the morris board: ring r of 3 and place p of 8 is point 8r + p; rings turn and flip together,
    /// and the inner ring changes with the outer.
    pub(crate) fn morris() -> PermutationGroup {
        let on_rings = |place: fn(u32) -> u32| Permutation::from_fn(24, move |point| point / 8 * 8 + place(point % 8));
        let turn = on_rings(|place| (place + 2) % 8);
        let flip = on_rings(|place| (8 - place) % 8);
        let inside_out = Permutation::from_fn(24, |point| 16 - point / 8 * 8 + point % 8);
        PermutationGroup::generated_by([turn, flip, inside_out])
    }

    #[test]
    fn known_orders() {
        assert_eq!(PermutationGroup::trivial(5).order(), 1);
        assert_eq!(square(1).order(), 1);
        assert_eq!(square(5).order(), 8);
        assert_eq!(morris().order(), 16);
        let swap = Permutation::new(&[1, 0, 2, 3, 4]).unwrap();
        let turn = Permutation::new(&[1, 2, 3, 4, 0]).unwrap();
        assert_eq!(PermutationGroup::generated_by([swap, turn]).order(), 120);
    }

    #[test]
    fn the_morris_board_has_four_kinds_of_points() {
        let sizes: Vec<u32> = morris().orbits().iter().map(|orbit| orbit.count_ones()).collect();
        assert_eq!(sizes, [8, 8, 4, 4]);
    }

    #[test]
    fn a_group_is_closed() {
        for group in [square(3), morris(), PermutationGroup::trivial(7)] {
            assert!(group.symmetry(0).is_identity());
            for (number, symmetry) in group.symmetries().iter().enumerate() {
                assert_eq!(group.symmetry(group.inverse(number)), &symmetry.inverse());
                assert!(group.symmetries().iter().all(|other| group.symmetries().contains(&symmetry.then(other))));
            }
        }
    }

    proptest! {
        #[test]
        fn canonical_is_the_smallest_image(mask in 0u64..1 << 24) {
            let group = morris();
            let (smallest, symmetry) = group.canonical(mask);
            let images: Vec<u64> = group.symmetries().iter().map(|symmetry| symmetry.apply(mask)).collect();
            prop_assert_eq!(Some(&smallest), images.iter().min());
            prop_assert_eq!(images.iter().position(|&image| image == smallest), Some(symmetry));
            prop_assert!(images.iter().all(|&image| group.canonical(image).0 == smallest));

            // As many symmetries lead to each image as keep the mask.
            let distinct: BTreeSet<u64> = images.iter().copied().collect();
            prop_assert_eq!(distinct.len() * group.stabilizer(mask).order(), group.order());
        }
    }
}
