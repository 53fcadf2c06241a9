//! Permutations of points, applied to bit masks by table look-ups.
//!
//! A mask is permuted byte by byte: for each byte of the mask a table holds the image of all its 256 contents.

use std::fmt;

/// A permutation of at most 64 points: a symmetry of a board.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::Permutation;
/// // A quarter turn of a 3x3 board: (row, column) goes to (column, 2 - row).
/// let turn = Permutation::from_fn(9, |point| 3 * (point % 3) + 2 - point / 3);
/// assert_eq!(turn.image(0), 2);
/// assert_eq!(turn.apply(0b000_000_111), 0b100_100_100); // the first row becomes the last column
/// assert_eq!(turn.then(&turn).then(&turn), turn.inverse());
/// ```
#[derive(Clone)]
pub struct Permutation {
    images: Box<[u8]>,
    bytes: Box<[[u64; 256]]>,
}

impl Permutation {
    /// Point `p` goes to `images[p]`; none if that is not a permutation of at most 64 points.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Permutation;
    /// assert!(Permutation::new(&[1, 2, 0]).is_some());
    /// assert!(Permutation::new(&[1, 1, 0]).is_none());
    /// assert!(Permutation::new(&[1, 2, 3]).is_none());
    /// ```
    pub fn new(images: &[u8]) -> Option<Permutation> {
        let points = images.len();
        let mut hit = 0u64;
        for &image in images {
            if points > 64 || usize::from(image) >= points || hit >> image & 1 == 1 {
                return None;
            }
            hit |= 1 << image;
        }
        let bytes = images.chunks(8).map(|images| {
            let mut table = [0; 256];
            for byte in 1..256usize {
                let top = byte.ilog2() as usize;
                let image = images.get(top).map_or(0, |&image| 1 << image);
                table[byte] = table[byte ^ (1 << top)] | image;
            }
            table
        });
        Some(Permutation { images: images.into(), bytes: bytes.collect() })
    }

    /// Point `p` of `points` goes to `image(p)`.
    ///
    /// # Panics
    /// If that is not a permutation of at most 64 points.
    pub fn from_fn(points: u32, image: impl Fn(u32) -> u32) -> Permutation {
        let images: Vec<u8> = (0..points).map(|point| u8::try_from(image(point)).unwrap_or(u8::MAX)).collect();
        Permutation::new(&images).unwrap_or_else(|| panic!("{images:?} is not a permutation of at most 64 points"))
    }

    /// All points stay.
    ///
    /// # Panics
    /// If there are more than 64 points.
    pub fn identity(points: u32) -> Permutation {
        Permutation::from_fn(points, |point| point)
    }

    /// How many points there are.
    pub fn points(&self) -> u32 {
        self.images.len() as u32
    }

    /// Where each point goes.
    pub fn images(&self) -> &[u8] {
        &self.images
    }

    /// Where a point goes.
    ///
    /// # Panics
    /// If there is no such point.
    #[inline]
    pub fn image(&self, point: u32) -> u32 {
        u32::from(self.images[point as usize])
    }

    /// Where the points of a mask go. Bits beyond the points are dropped.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Permutation;
    /// let swap = Permutation::new(&[1, 0, 2]).unwrap();
    /// assert_eq!(swap.apply(0b101), 0b110);
    /// assert_eq!(swap.apply(0b1000), 0);
    /// ```
    #[inline]
    pub fn apply(&self, mask: u64) -> u64 {
        let bytes = mask.to_le_bytes();
        self.bytes.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }

    /// First this permutation, then the other.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Permutation;
    /// let (turn, swap) = (Permutation::new(&[1, 2, 0]).unwrap(), Permutation::new(&[1, 0, 2]).unwrap());
    /// assert_eq!(turn.then(&swap).image(0), swap.image(turn.image(0)));
    /// ```
    ///
    /// # Panics
    /// If the other has another number of points.
    pub fn then(&self, other: &Permutation) -> Permutation {
        assert_eq!(self.points(), other.points(), "both must permute the same points");
        Permutation::from_fn(self.points(), |point| other.image(self.image(point)))
    }

    /// Back to where the points came from.
    pub fn inverse(&self) -> Permutation {
        let mut origins = vec![0; self.images.len()];
        for (point, &image) in self.images.iter().enumerate() {
            origins[usize::from(image)] = point as u8;
        }
        Permutation::from_fn(self.points(), |point| u32::from(origins[point as usize]))
    }

    /// Does every point stay?
    pub fn is_identity(&self) -> bool {
        self.images.iter().enumerate().all(|(point, &image)| point == usize::from(image))
    }

    /// The lengths of the cycles in ascending order: what Burnside's lemma needs to know of a permutation.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::Permutation;
    /// let turn = Permutation::from_fn(9, |point| 3 * (point % 3) + 2 - point / 3);
    /// assert_eq!(turn.cycle_lengths(), [1, 4, 4]); // centre, corners, edges
    /// ```
    pub fn cycle_lengths(&self) -> Vec<u32> {
        let mut lengths: Vec<u32> = cycles(&self.images, u64::MAX).map(u64::count_ones).collect();
        lengths.sort_unstable();
        lengths
    }
}

/// The cycles of the permutation with these images, each as a mask of its points, in the order of their lowest ones:
/// those among the points `within`, which the permutation keeps among themselves.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::cycles;
/// let images = [1, 0, 3, 4, 2];
/// assert!(cycles(&images, u64::MAX).eq([0b00011, 0b11100]));
/// assert!(cycles(&images, 0b11100).eq([0b11100]));
/// ```
pub fn cycles(images: &[u8], within: u64) -> impl Iterator<Item = u64> {
    let mut left = within;
    (0..images.len()).filter_map(move |start| {
        let (mut point, mut cycle) = (start, 0);
        while left >> point & 1 == 1 {
            left ^= 1 << point;
            cycle |= 1 << point;
            point = images[point].into();
        }
        (cycle != 0).then_some(cycle)
    })
}

impl PartialEq for Permutation {
    fn eq(&self, other: &Permutation) -> bool {
        self.images == other.images
    }
}

impl Eq for Permutation {}

impl fmt::Debug for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Permutation").field(&self.images).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutations() -> impl Strategy<Value = Permutation> {
        (0u8..=64)
            .prop_flat_map(|points| Just((0..points).collect::<Vec<u8>>()).prop_shuffle())
            .prop_map(|images| Permutation::new(&images).unwrap())
    }

    fn naive_apply(permutation: &Permutation, mask: u64) -> u64 {
        let points = (0..permutation.points()).filter(|point| mask >> point & 1 == 1);
        points.map(|point| 1u64 << permutation.image(point)).sum()
    }

    #[test]
    fn sixty_five_points_are_too_many() {
        assert!(Permutation::new(&(0..65).collect::<Vec<u8>>()).is_none());
        assert!(Permutation::new(&[]).is_some_and(|none| none.is_identity()));
    }

    proptest! {
        #[test]
        fn masks_go_where_their_points_go(permutation in permutations(), mask: u64) {
            prop_assert_eq!(permutation.apply(mask), naive_apply(&permutation, mask));
        }

        #[test]
        fn the_inverse_comes_back(permutation in permutations()) {
            prop_assert!(permutation.then(&permutation.inverse()).is_identity());
            prop_assert!(permutation.inverse().then(&permutation).is_identity());
        }

        #[test]
        fn cycles_close(permutation in permutations()) {
            let lengths = permutation.cycle_lengths();
            prop_assert_eq!(lengths.iter().sum::<u32>(), permutation.points());
            let fixed = permutation.images().iter().zip(0..).filter(|&(&image, point)| image == point).count();
            prop_assert_eq!(lengths.iter().filter(|&&length| length == 1).count(), fixed);
        }
    }
}
