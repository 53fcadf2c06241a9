//! The tables of lifted pieces.

use crate::nocca::index::heights::{Part, columns_by_place, height, place_on, tops};
use crate::nocca::solve::lifts::*;

#[test]
fn the_mirror_exchanges_columns_and_its_swaps_carry_each_piece_along() {
    let (rows, columns) = (2, 5);
    let part = Part::new(rows, columns, 10);
    let lifts = PartLifts::new(&part, 10);
    let by_place = columns_by_place(columns);
    assert_eq!(by_place, [0, 4, 1, 3, 2]);
    for of_sum in 0..=10 {
        for rank in 0..part.len(of_sum) {
            let code = part.code(of_sum, rank);
            let mirror = part.code(of_sum, lifts.mirrors(of_sum)[rank] as usize);
            let pieces = |code: u32, turned: bool| -> Vec<(usize, usize, u32)> {
                let cell = |cell: usize| {
                    let column = by_place[cell % columns];
                    let column = if turned { columns - 1 - column } else { column };
                    (0..height(code, cell)).map(move |level| (cell / columns, column, level))
                };
                (0..rows * columns).flat_map(cell).collect()
            };
            let mut carried = pieces(code, false);
            for &swap in lifts.swaps(of_sum, rank) {
                carried.swap(swap.into(), usize::from(swap) + 1);
            }
            assert_eq!(carried, pieces(mirror, true));
        }
    }
}

#[test]
fn a_raised_cell_has_its_new_piece_where_it_was_told() {
    let part = Part::new(2, 3, 6);
    let lifts = PartLifts::new(&part, 6);
    for of_sum in 0..6 {
        for rank in 0..part.len(of_sum) {
            let code = part.code(of_sum, rank);
            for cell in 0..part.cells() {
                let raised = lifts.raised(of_sum, cell)[rank];
                assert_eq!(raised == Raised::NO_ROOM, height(code, cell) == 3);
                if raised != Raised::NO_ROOM {
                    let place = raised.place() as u32;
                    let raised = part.code(of_sum + 1, raised.number());
                    assert_eq!(place_on(raised, cell) - 1, place);
                    assert_eq!(tops(raised, 6) >> place & 1, 1);
                }
            }
        }
    }
}
