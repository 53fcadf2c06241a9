//! Stable discs are never flipped, in any continuation.

use super::{Random, every_shape, naive};
use crate::othello::Shape;
use crate::othello::shape::stable;

/// Whether the discs keep their colour in every continuation.
fn stay(shape: &Shape, own: u64, others: u64, [own_kept, others_kept]: [u64; 2], passed: bool) -> bool {
    if own_kept & !own != 0 || others_kept & !others != 0 {
        return false;
    }
    let moves = naive::moves(shape, own, others);
    if moves == 0 {
        return passed || stay(shape, others, own, [others_kept, own_kept], true);
    }
    let squares = (0..shape.squares()).filter(|square| moves >> square & 1 == 1);
    squares.into_iter().all(|square| {
        let flips = naive::flips(shape, own, others, square);
        stay(shape, others & !flips, own | flips | 1 << square, [others_kept, own_kept], false)
    })
}

#[test]
fn stable_discs_are_never_flipped() {
    let (mut random, mut seen) = (Random(5), 0);
    for shape in every_shape() {
        for empties in 0..=5 {
            for _ in 0..4 {
                let mut discs = shape.all;
                while shape.squares() - discs.count_ones() < empties {
                    discs &= !(1 << (random.next() % 64));
                }
                // Large areas of one colour: scattered discs are rarely stable.
                let own = discs & random.next() & (random.next() | random.next() << 1 | random.next() << shape.columns);
                let others = discs & !own;
                let kept = [own, others].map(|side| stable(&shape, side, shape.empties(own, others)));
                seen += (kept[0] | kept[1]).count_ones();
                let (rows, columns) = (shape.rows, shape.columns);
                assert!(stay(&shape, own, others, kept, false), "{rows}x{columns} {own:x} {others:x} {kept:x?}");
            }
        }
    }
    assert!(seen > 10_000, "{seen} stable discs");
}

#[test]
fn discs_connected_to_a_corner_are_stable() {
    let shape = Shape::new(6, 6).unwrap();
    let square = |row: u32, column: u32| 1u64 << (6 * row + column);
    let discs = square(0, 0) | square(0, 1) | square(1, 0) | square(3, 3) | square(0, 3);
    let empties = shape.all & !(discs | square(1, 1));
    assert_eq!(stable(&shape, discs, empties), square(0, 0) | square(0, 1) | square(1, 0));
    assert_eq!(stable(&shape, shape.all, 0), shape.all);
}
