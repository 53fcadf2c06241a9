//! Tests of the boards against the paper and the definition.

use crate::morris::board::*;
use kanzen_core::index::points;

#[test]
fn points_mills_and_symmetries_are_those_of_the_paper() {
    for (men, points, mills, symmetries, flying) in [
        (3, 9, 8, 8, 8),
        (5, 16, 8, 16, 16),
        (6, 16, 8, 16, 16),
        (7, 17, 14, 8, 8),
        (9, 24, 16, 16, 48),
        (11, 24, 20, 16, 48),
        (12, 24, 20, 16, 48),
    ] {
        let board = Board::of(men).unwrap();
        let found = (board.points, board.lines().count(), board.symmetries.order(), board.flying_symmetries.order());
        assert_eq!(found, (points, mills, symmetries, flying), "{men}");
    }
    assert!([0, 1, 2, 4, 8, 10, 13].into_iter().all(|men| Board::of(men).is_none()));
}

#[test]
fn symmetries_keep_lines_and_mills() {
    for men in [3, 5, 7, 9, 12] {
        let board = Board::of(men).unwrap();
        for symmetry in board.symmetries.symmetries() {
            for point in 0..board.points {
                let image = board.neighbours[symmetry.image(point) as usize];
                assert_eq!(u64::from(image), symmetry.apply(board.neighbours[point as usize].into()));
            }
        }
        for symmetry in board.symmetries.symmetries().iter().chain(board.flying_symmetries.symmetries()) {
            assert!(board.lines().all(|mill| board.lines().any(|m| u64::from(m) == symmetry.apply(mill.into()))));
        }
    }
}

#[test]
fn the_low_points_stay_among_themselves() {
    for men in [3, 5, 6, 7, 9, 11, 12] {
        let board = Board::of(men).unwrap();
        let low = (1u64 << board.low) - 1;
        assert!(board.symmetries.symmetries().iter().all(|symmetry| symmetry.apply(low) == low), "{men}");
        assert_eq!(board.low, if men >= 9 { 8 } else { 0 });
        let places = board.in_order(board.all()).map(|point| board.place_of(point));
        assert!(places.eq(0..board.points), "{men}");
        assert_eq!(board.by_place(board.by_place(0x12_3456 & board.all())), 0x12_3456 & board.all());
    }
}

#[test]
fn closers_and_mills_agree_with_the_definition() {
    for men in [3, 6, 7, 11] {
        let board = Board::of(men).unwrap();
        let mut pieces = 1u32;
        for _ in 0..5_000 {
            pieces = pieces.wrapping_mul(0x9e37_79b1).wrapping_add(0x7f4a_7c15);
            let pieces = pieces >> 7 & board.all();
            let closing: u32 = points(!pieces & board.all())
                .filter(|&point| board.lines().any(|mill| mill >> point & 1 == 1 && mill & !pieces == 1 << point))
                .map(|point| 1 << point)
                .sum();
            assert_eq!(board.closers(pieces), closing);
            assert!(points(!pieces & board.all()).all(|p| board.closes(pieces, p) == (closing >> p & 1 == 1)));
            let standing = board.lines().filter(|mill| mill & !pieces == 0).fold(0, |all, mill| all | mill);
            assert_eq!(board.in_mills(pieces), standing);
        }
    }
}

#[test]
fn points_are_named_as_the_board_draws_them() {
    let names = |men| {
        let board = Board::of(men).unwrap();
        board.in_order(board.all()).map(|point| board.name(point)).collect::<Vec<_>>()
    };
    assert_eq!(names(3).join(" "), "a3 b3 c3 c2 c1 b1 a1 a2 b2");
    assert_eq!(names(7).join(" "), "a5 c5 e5 e3 e1 c1 a1 a3 b4 c4 d4 d3 d2 c2 b2 b3 c3");
    assert_eq!(names(9).join(" "), "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 e3 d3 c3 c4");
}
