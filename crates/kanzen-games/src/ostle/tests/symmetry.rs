//! The symmetries against plain twins.

use proptest::prelude::*;

use crate::ostle::board::{NEXT, OFF, SQUARES, squares};
use crate::ostle::symmetry::*;

#[test]
fn the_symmetries_form_a_group_and_turn_steps_alike() {
    for first in 0..SYMMETRIES {
        assert!((0..SYMMETRIES).any(|second| THEN[first][second] == 0));
        for second in 0..SYMMETRIES {
            let both = usize::from(THEN[first][second]);
            for square in 0..SQUARES {
                assert_eq!(IMAGE[both][square], IMAGE[second][usize::from(IMAGE[first][square])]);
            }
        }
        for direction in 0..4 {
            for square in 0..SQUARES {
                let next = NEXT[direction][square];
                let turned = NEXT[usize::from(TURN[first][direction])][usize::from(IMAGE[first][square])];
                assert_eq!(turned == OFF, next == OFF);
                if next != OFF {
                    assert_eq!(turned, IMAGE[first][usize::from(next)]);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn masks_go_where_their_squares_go(mask in 0u32..1 << 25, symmetry in 0u8..8) {
        let naive = squares(mask).map(|s| 1 << IMAGE[usize::from(symmetry)][usize::from(s)]);
        prop_assert_eq!(image(symmetry, mask), naive.sum::<u32>());
    }
}
