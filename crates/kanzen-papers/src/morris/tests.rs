//! Tests of the paper's numbers: counts, printed tables and ZDDs against each other and against plain listing.

mod cover;

use std::collections::BTreeMap;

use kanzen::Budget;
use kanzen::progress::Silent;

use super::cover::cover_table;
use super::*;
use kanzen_games::morris::Morris;

/// The naive twin: lists every placement.
fn listed(game: &Morris) -> BTreeMap<(u32, u32), u64> {
    let board = game.board();
    let cover = cover_table(board);
    let mut cells = BTreeMap::new();
    for white in 0..=board.all() {
        let free = board.all() & !white;
        let mut black = free;
        loop {
            let (x, y) = (white.count_ones(), black.count_ones());
            let (wc, bc) = (u32::from(cover[white as usize]), u32::from(cover[black as usize]));
            let within = x.min(y) >= 3 && y + wc <= game.men() && x + bc <= game.men();
            let map = |s: &kanzen_core::index::Permutation| (s.apply(white.into()), s.apply(black.into()));
            if within && board.symmetries.symmetries().iter().map(map).min() == Some((white.into(), black.into())) {
                *cells.entry((x.max(y), x.min(y))).or_default() += 1;
            }
            if black == 0 {
                break;
            }
            black = (black - 1) & free;
        }
    }
    cells
}

#[test]
fn counting_agrees_with_listing() {
    for men in [3, 5] {
        let game = Morris::new(men).unwrap();
        assert_eq!(Placements::new(&game).pseudo_reachable(), listed(&game));
    }
}

#[test]
fn the_printed_tables_up_to_nine_men_and_their_slips() {
    let mut slips = Vec::new();
    for (men, total) in [(3, 183), (5, 470_793), (6, 1_107_656), (7, 9_043_341), (9, 7_673_755_215)] {
        let game = Morris::new(men).unwrap();
        let counted = Placements::new(&game);
        let cells = counted.pseudo_reachable();
        assert_eq!(cells.values().sum::<u64>(), total);
        assert_eq!(printed(men).iter().filter(|cell| cell.pair.is_some()).count(), cells.len());
        slips.extend(
            differences(&game, &cells, &counted.all())
                .into_iter()
                .map(|slip| (slip.table, slip.cell, slip.printed, slip.computed, slip.why)),
        );
    }
    let slip =
        |table, cell: &str, printed, computed, why: &str| (table, cell.to_owned(), printed, computed, why.to_owned());
    assert_eq!(
        slips,
        [
            slip(6, "5-3", 89_218, 90_540, "the number of cell 5-3 of table 5"),
            slip(
                7,
                "3-3",
                30_494,
                31_360,
                "no count up to symmetry: all placements divided by the symmetries are 30940 already"
            ),
            slip(7, "total", 9_042_475, 9_043_341, "the sum of the printed cells, with the one that differs"),
            slip(8, "8-6", 73_588_174, 735_881_740, "a digit lost or added in print or in reading"),
        ]
    );
}

#[test]
fn the_first_numbering_has_the_known_sizes() {
    for (men, universe) in [(3, 1_680), (5, 8_204_196), (6, 19_207_188), (7, 79_605_084)] {
        assert_eq!(Placements::new(&Morris::new(men).unwrap()).universe(), universe);
    }
}

#[test]
fn both_zdds_are_as_large_as_printed_and_inverse() {
    let budget = Budget::new(1, 1 << 30);
    for (men, total) in [(3, 183), (5, 470_793), (6, 1_107_656)] {
        let game = Morris::new(men).unwrap();
        let hash = PlacementHash::new(&game, &budget, &Silent).unwrap();
        assert_eq!(hash.first().len(), Placements::new(&game).universe());
        assert_eq!(hash.second().len(), total);
        if men != 3 {
            assert_eq!(Some(hash.second().nodes()), printed_second_nodes(men));
        }
        for number in (0..total).step_by(if men == 6 { 13 } else { 1 }) {
            let (white, black) = hash.unrank(number).unwrap();
            assert_eq!(hash.rank(white, black), Some(number));
        }
        assert_eq!(hash.unrank(total), None);
    }
}

/// The order of strings equals that of the notation, whatever the order of points in a mask: the first numbers of nine
/// men, members and others, against the definition.
#[test]
fn the_first_members_of_nine_men_are_those_of_the_definition() {
    let game = Morris::new(9).unwrap();
    let (board, first, cover) = (game.board(), super::zdds::first_zdd(&game), cover_table(game.board()));
    let mut members = Vec::new();
    super::strings::Strings::new(&game).members(&mut |number| {
        members.push(number);
        members.len() < 3000
    });
    let word = |white: u32, black: u32| {
        let [white, black] = [white, black].map(|men| board.by_place(men));
        (0..24).fold(0u64, |word, place| word << 2 | u64::from(2 * (white >> place & 1) + (black >> place & 1)))
    };
    let is_member = |number: u64| {
        let found = first.unrank(number).unwrap();
        let of =
            |bit: u32| (0..24).filter(|place| found >> (2 * (23 - place) + bit) & 1 == 1).map(|place| 1 << place).sum();
        let [white, black] = [of(1), of(0)].map(|men: u32| board.by_place(men));
        assert_eq!(word(white, black), found);
        let (x, y) = (white.count_ones(), black.count_ones());
        let group = if (x, y) == (3, 3) { &board.flying_symmetries } else { &board.symmetries };
        let image =
            |s: &kanzen_core::index::Permutation| word(s.apply(white.into()) as u32, s.apply(black.into()) as u32);
        let closed = |men: u32| u32::from(cover[men as usize]);
        y + closed(white) <= 9 && x + closed(black) <= 9 && group.symmetries().iter().all(|s| image(s) >= found)
    };
    let last = *members.last().unwrap();
    let expected: Vec<u64> = (0..=last).filter(|&number| is_member(number)).collect();
    assert_eq!(members, expected);
}
