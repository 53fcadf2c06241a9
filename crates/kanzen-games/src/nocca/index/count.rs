//! How many placements a board has, without visiting them.

use super::heights::Part;
use crate::nocca::board::Stack;

/// All placements of both sides' pieces, both sides to move, mirror images apart.
///
/// A cell with h pieces has one way to hold them for each colouring, so heights and colours separate: the ways to
/// choose heights of at most 3 that sum to all pieces, times the ways to colour half of the pieces.
///
/// ```
/// use kanzen_games::nocca::placements;
/// assert_eq!(placements(3, 2), 1_440);
/// assert_eq!(placements(6, 5), 295_975_446_984);
/// ```
pub fn placements(rows: usize, columns: usize) -> u64 {
    let pieces = 2 * columns;
    let heights = Part::new(rows, columns, pieces as u32).len(pieces as u32) as u64;
    2 * heights * kanzen::index::binomial(pieces as u32, columns as u32)
}

/// How many placements with one side to move there are up to mirror images.
pub fn up_to_mirror(rows: usize, columns: usize) -> u64 {
    (placements(rows, columns) / 2 + own_mirrors(rows, columns)) / 2
}

/// How many placements with one side to move are their own mirror image.
pub fn own_mirrors(rows: usize, columns: usize) -> u64 {
    // ways[b][w]: equal stacks on the pairs of cells so far, and any in the middle column, with b black and w white.
    let mut ways = vec![vec![0u64; columns + 1]; columns + 1];
    ways[0][0] = 1;
    for column in 0..columns.div_ceil(2) {
        let each = if 2 * column + 1 == columns { 1 } else { 2 };
        for _ in 0..rows {
            let mut next = vec![vec![0; columns + 1]; columns + 1];
            for stack in (1..16).map(Stack::from_code) {
                let [black, white] = stack.by_colour().map(|pieces| each * pieces);
                for (b, w) in (black..=columns).flat_map(|b| (white..=columns).map(move |w| (b, w))) {
                    next[b][w] += ways[b - black][w - white];
                }
            }
            ways = next;
        }
    }
    ways[columns][columns]
}
