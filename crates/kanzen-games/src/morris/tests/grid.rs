//! Steps between subsets, against the plain definition.

use kanzen::machine::cpu::Portable;
use proptest::prelude::*;

use super::*;

/// What a subset has in a grid; both of its bytes must agree.
fn both(grid: &Grid, rows: &Both, mask: u32) -> u8 {
    let [upper, lower] = grid.halved.split(mask);
    let column = |part: u32| combinations::rank(part.into()) as usize;
    let (row, _) = grid.upper_row(upper).unwrap();
    let by_upper = read_at(&rows[0], row + column(lower));
    let by_lower = read_at(&rows[1], grid.lower_row(lower) as usize + column(upper));
    by_upper.max(by_lower)
}

fn put(grid: &Grid, rows: &mut Both, mask: u32, byte: u8) {
    let [upper, lower] = grid.halved.split(mask);
    let column = |part: u32| combinations::rank(part.into()) as usize;
    let (row, _) = grid.upper_row(upper).unwrap();
    *byte_at(&mut rows[0], row + column(lower)) = byte;
    *byte_at(&mut rows[1], grid.lower_row(lower) as usize + column(upper)) = byte;
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
    let [mut quiet, mut taken, mut takes] = [(); 3].map(|()| ladder.more.filled(0));
    let [mut best, mut after] = [(); 2].map(|()| ladder.fewer.filled(0));
    for mask in subsets(points_free, size) {
        put(&ladder.more, &mut quiet, mask, byte_of(mask, seed));
        put(&ladder.more, &mut taken, mask, byte_of(mask, seed + 1));
    }
    for mask in subsets(points_free, size - 1) {
        put(&ladder.fewer, &mut after, mask, byte_of(mask, seed + 2));
    }
    ladder.hand_down(&mills, &quiet, &taken, &mut best);
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
        // At most 15 free points: a quarter of all bits at random may leave more, then some low ones are blocked too.
        let mut blocked = blocked & more & board.all();
        while (board.all() & !blocked).count_ones() > 15 {
            blocked |= (blocked + 1) & board.all();
        }
        let free = (board.all() & !blocked).count_ones();
        check(men, blocked, size.min(free), seed);
    }
}

#[test]
fn mills_through_the_centre_are_all_seen() {
    // The mover has nearly all points: several mills through the centre are complete at once.
    check(7, 0, 14, 5);
    check(7, 0b11, 10, 6);
}
