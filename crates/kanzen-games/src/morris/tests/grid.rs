//! Tests of the steps between subsets against the plain definition.

use kanzen_core::machine::cpu::Portable;
use proptest::prelude::*;

use super::*;

/// Returns the larger of a subset's bytes.
fn both(grid: &Grid, rows: &Both, mask: u32) -> u8 {
    let [by_upper, by_lower] = grid.bytes_of(rows, mask);
    by_upper.max(by_lower)
}

/// Returns rows with the given byte per subset.
fn filled(grid: &Grid, points: u32, size: u32, byte: impl Fn(u32) -> u8) -> Both {
    let bytes: Vec<u8> = subsets(points, size).map(byte).collect();
    let mut rows = grid.filled(0);
    let [by_upper, by_lower] = &mut rows;
    grid.spread(&bytes, [&mut by_upper[..]], |byte| [byte]);
    grid.transpose_to_lower(by_upper, by_lower);
    rows
}

fn subsets(points: u32, size: u32) -> impl Iterator<Item = u32> {
    (0u32..1 << points).filter(move |mask| mask.count_ones() == size)
}

fn byte_of(mask: u32, seed: u32) -> u8 {
    ((mask ^ seed).wrapping_mul(0x9e37_79b9) >> 24) as u8
}

fn check(men: u32, blocked: u32, size: u32, seed: u32) {
    let board = Board::of(men).unwrap();
    let free = board.all() & !blocked;
    let points_free = free.count_ones();
    let spread = |mask: u32| Portable.pdep32(mask, free);
    let ladder = Ladder::new(points_free, size);
    let mills = FreeMills::new(Portable, &board, ladder.more.halved, free);
    let [quiet, taken] = [0, 1].map(|by| filled(&ladder.more, points_free, size, |mask| byte_of(mask, seed + by)));
    let after = filled(&ladder.fewer, points_free, size - 1, |mask| byte_of(mask, seed + 2));
    let (mut takes, mut best) = (ladder.more.filled(0), ladder.fewer.filled(0));
    ladder.propagate(&mills, &quiet, &taken, &mut best);
    ladder.take(&mills, &after, &mut takes);
    let in_mill = |mask: u32, point: u32| board.in_mills(spread(mask)) & spread(1 << point) != 0;
    for mask in subsets(points_free, size - 1) {
        let added = (0..points_free).filter(|point| mask >> point & 1 == 0).map(|point| (mask | 1 << point, point));
        let expected = added.map(|(more, point)| byte_of(more, if in_mill(more, point) { seed + 1 } else { seed }));
        assert_eq!(Some(both(&ladder.fewer, &best, mask)), expected.max(), "to {mask:#b} of {free:#b}");
    }
    for mask in subsets(points_free, size) {
        let loose = points(mask).filter(|&point| !in_mill(mask, point));
        let expected = loose.map(|point| byte_of(mask ^ 1 << point, seed + 2)).max().unwrap_or(0);
        assert_eq!(both(&ladder.more, &takes, mask), expected, "{mask:#b} of {free:#b}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn steps_agree_with_the_definition(
        men in prop::sample::select(vec![3u32, 6, 7, 9, 12]), blocked: u32, more: u32, size in 1u32..8, seed in 0u32..1000,
    ) {
        let board = Board::of(men).unwrap();
        // At most 15 free points: a quarter of all bits at random may leave more; then some low ones are blocked too.
        let mut blocked = blocked & more & board.all();
        while (board.all() & !blocked).count_ones() > 15 {
            blocked |= (blocked + 1) & board.all();
        }
        let free = (board.all() & !blocked).count_ones();
        check(men, blocked, size.min(free), seed);
    }
}

#[test]
fn mills_through_the_centre_are_all_found() {
    // The mover has nearly all points: several mills through the centre are complete at once.
    check(7, 0, 14, 5);
    check(7, 0b11, 10, 6);
}
