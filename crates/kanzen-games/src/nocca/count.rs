//! How many placements a board has, without visiting them.

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
    // ways[n]: heights of the cells so far that sum to n.
    let mut ways = vec![0u64; pieces + 1];
    ways[0] = 1;
    for _ in 0..rows * columns {
        for sum in (1..=pieces).rev() {
            ways[sum] += (1..=sum.min(3)).map(|height| ways[sum - height]).sum::<u64>();
        }
    }
    2 * ways[pieces] * kanzen::index::binomial(pieces as u32, columns as u32)
}
