//! Positions up to symmetry.

use crate::musashi::Board;

#[test]
fn the_boards_have_the_published_number_of_positions() {
    for (points, positions) in [(25, 104_940_576), (31, 33_287_831_552), (33, 141_737_590_784u64)] {
        let board = Board::of_points(points).unwrap();
        assert_eq!(crate::musashi::positions(&board), positions);
    }
}
