//! Board geometry, symmetries and codes against naive twins.

use proptest::prelude::*;

use crate::ostle::board::{NEXT, OFF, SQUARES, squares, *};

#[test]
fn steps_go_where_rows_and_columns_say() {
    let naive = |square: u8, direction: u8| {
        let (row, column) = (i32::from(square) / 5, i32::from(square) % 5);
        let (row, column) =
            [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)][usize::from(direction)];
        ((0..5).contains(&row) && (0..5).contains(&column)).then_some((row * 5 + column) as u8)
    };
    for direction in 0..4 {
        for square in 0..25 {
            let next = NEXT[usize::from(direction)][usize::from(square)];
            assert_eq!((next != OFF).then_some(next), naive(square, direction));
            let beyond = std::iter::successors(naive(square, direction), |&next| naive(next, direction));
            assert_eq!(RAY[usize::from(direction)][usize::from(square)], beyond.map(|s| 1 << s).sum::<u32>());
            if next != OFF {
                assert_eq!(NEXT[usize::from(back(direction))][usize::from(next)], square);
            }
        }
    }
}

#[test]
fn a_code_leads_back() {
    let board = Board { hole: 24, mover: 0b11111, opponent: 0b11111 << 19 };
    assert_eq!(Board::from_code(board.code()), board);
    assert_eq!(squares(0b10010).collect::<Vec<_>>(), [1, 4]);
}

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
