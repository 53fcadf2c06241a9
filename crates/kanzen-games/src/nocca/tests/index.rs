//! Tests of the NOCCA index: colourings, heights, counts, and the tables for adding and removing a piece.

use kanzen::Colour;
use kanzen_core::machine::cpu::Portable;

use crate::nocca::index::colouring::*;
use crate::nocca::index::heights::{Part, columns_by_place, height, place_on, tops, *};
use crate::nocca::index::numbering;
use crate::nocca::solve::steps::*;

fn set_of(space: &Space, contains: impl Fn(u16) -> bool) -> Bits {
    let mut set = [0; MOST_WORDS];
    for place in 0..space.len() {
        set[place / 64] |= u64::from(contains(space.words()[place])) << (place % 64);
    }
    set
}

#[test]
fn rank_inverts_word() {
    let spaces = Spaces::new(10);
    for (pieces, whites) in (0..=10).flat_map(|n| (0..=n).map(move |whites| (n, whites))) {
        let space = spaces.of(pieces, whites);
        assert_eq!(space.len() as u64, kanzen_core::index::binomial(pieces, whites));
        for place in 0..space.len() {
            assert_eq!(space.rank(space.words()[place]), place);
        }
    }
}

#[test]
fn a_piece_lifted_and_put_down_elsewhere_keeps_its_colour_and_the_others_order() {
    let spaces = Spaces::new(10);
    let odd = |word: u16| u32::from(word).wrapping_mul(2_654_435_761) >> 31 == 1;
    let (from, to) = (3, 7);
    let space = spaces.of(10, 5);
    let set = set_of(space, odd);
    let lifted = space.select(1 << from, 0).gather(Portable, &set);
    let mut moved = [0; MOST_WORDS];
    space.select(1 << to, 0).spread(Portable, lifted, &mut moved);
    let expected = set_of(space, |word| {
        let others = word & 0b0111_1111 | word >> 1 & !0b0111_1111;
        let before = others & 0b111 | 1 << from | (others & !0b111) << 1;
        word >> to & 1 == 1 && odd(before)
    });
    assert_eq!(moved, expected);
}

#[test]
fn swapped_pieces_swap_their_bits() {
    let spaces = Spaces::new(10);
    let odd = |word: u16| u32::from(word).wrapping_mul(2_654_435_761) >> 31 == 1;
    for (pieces, whites) in [(2, 1), (7, 3), (10, 5)] {
        let space = spaces.of(pieces, whites);
        for piece in 0..pieces as u8 - 1 {
            let mut set = set_of(space, odd);
            space.swap(Portable, &mut set, piece);
            let exchanged = |word: u16| {
                let differ = (word >> piece ^ word >> (piece + 1)) & 1;
                word ^ (differ << piece | differ << (piece + 1))
            };
            assert_eq!(set, set_of(space, |word| odd(exchanged(word))));
        }
    }
}

#[test]
fn a_block_swap_exchanges_two_runs_of_pieces() {
    let mut pieces = ["x", "a", "b", "c", "1", "2", "y"];
    for piece in block_swap(1, 3, 2) {
        pieces.swap(piece.into(), usize::from(piece) + 1);
    }
    assert_eq!(pieces, ["x", "1", "2", "a", "b", "c", "y"]);
}

#[test]
fn own_mirror_images_are_counted_as_many_as_are_visited() {
    for (rows, columns) in [(3, 2), (6, 2), (3, 3), (4, 4), (3, 5)] {
        let mut visited = 0;
        numbering::visit_own_mirrors(rows, columns, Colour::White, &mut |_| visited += 1);
        assert_eq!(numbering::count_own_mirrors(rows, columns), visited);
    }
}

#[test]
fn numbers_and_codes_are_inverse_and_dense() {
    for (rows, columns) in [(0, 5), (1, 2), (2, 3), (1, 5), (2, 4)] {
        let part = Part::new(rows, columns, 2 * columns as u32);
        let mut codes = 0;
        for of_sum in 0..=2 * columns as u32 {
            for rank in 0..part.len(of_sum) {
                let code = part.code(of_sum, rank);
                assert_eq!((sum(code), part.rank(code)), (of_sum, rank));
                codes += 1;
            }
        }
        let few = (0..1u32 << (2 * rows * columns)).filter(|&code| sum(code) <= 2 * columns as u32).count();
        assert_eq!(codes, few);
    }
}

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
fn a_raised_cell_has_its_new_piece_at_the_returned_place() {
    let part = Part::new(2, 3, 6);
    let lifts = PartLifts::new(&part, 6);
    for of_sum in 0..6 {
        for rank in 0..part.len(of_sum) {
            let code = part.code(of_sum, rank);
            for cell in 0..part.cells() {
                let raised = lifts.raised(of_sum, cell)[rank];
                assert_eq!(raised == Raised::FULL, height(code, cell) == 3);
                if raised != Raised::FULL {
                    let place = raised.place() as u32;
                    let raised = part.code(of_sum + 1, raised.number());
                    assert_eq!(place_on(raised, cell) - 1, place);
                    assert_eq!(tops(raised, 6) >> place & 1, 1);
                }
            }
        }
    }
}
