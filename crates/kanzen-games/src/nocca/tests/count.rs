//! The counts against visits.

use kanzen::Colour;

use crate::nocca::index::{count, own_mirror};

#[test]
fn positions_that_are_their_own_mirror_image_are_as_many_as_can_be_visited() {
    for (rows, columns) in [(3, 2), (6, 2), (3, 3), (4, 4), (3, 5)] {
        let mut visited = 0;
        own_mirror::own_mirrors(rows, columns, Colour::White, &mut |_| visited += 1);
        assert_eq!(count::own_mirrors(rows, columns), visited);
    }
}
