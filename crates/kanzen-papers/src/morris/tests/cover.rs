//! Tests of the table of covers against the definition.

use super::super::cover::cover_table;
use kanzen_core::index::points;

use kanzen_games::morris::Board;

/// The definition: tries all sets of points, the smallest first.
fn naive(board: &Board, pieces: u32) -> u32 {
    let mills: Vec<u32> = board.lines().filter(|mill| pieces & mill == *mill).collect();
    let touching = (0..=pieces).filter(|set| set & !pieces == 0 && mills.iter().all(|mill| mill & set != 0));
    touching.map(u32::count_ones).min().unwrap()
}

#[test]
fn the_table_agrees_with_the_definition() {
    let three = Board::of(3).unwrap();
    let table = cover_table(&three);
    assert!((0..=three.all()).all(|pieces| u32::from(table[pieces as usize]) == naive(&three, pieces)));
    let seven = Board::of(7).unwrap();
    let table = cover_table(&seven);
    for pieces in (0..=seven.all()).step_by(1_111) {
        assert_eq!(u32::from(table[pieces as usize]), naive(&seven, pieces), "{:?}", points(pieces).count());
    }
}
