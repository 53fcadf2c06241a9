//! The rules and the index of Ostle, checked against naive twins.

mod board;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::board::{NEXT, OFF};
use super::index::{ClassIndex, HOLES};
use super::moves::Effect;
use super::*;
use kanzen::{Game, Notation};
use kanzen_core::machine::cpu::Portable;

const TABLE_1: &str = include_str!("../../tests/data/ostle_boards.csv");

/// Visits all boards with these piece counts, without identifying mirror images.
fn each_board(mover: u32, opponent: u32, mut visit: impl FnMut(Board)) {
    for hole in 0..25u8 {
        for own in kanzen_core::index::Combinations::new(25, mover) {
            for other in kanzen_core::index::Combinations::new(25, opponent) {
                let (own, other) = (own as Mask, other as Mask);
                if own & other == 0 && (own | other) >> hole & 1 == 0 {
                    visit(Board { hole, mover: own, opponent: other });
                }
            }
        }
    }
}

/// A push on an array of 25 letters, step by step, as the rule book explains it.
fn plain_push(board: &Board, from: u8, direction: u8) -> (Board, i32, i32) {
    let mut cells: [char; 25] = std::array::from_fn(|square| match 1 << square {
        bit if bit & board.mover != 0 => 'm',
        bit if bit & board.opponent != 0 => 'o',
        _ => ' ',
    });
    let (mut carried, mut at) = (std::mem::replace(&mut cells[usize::from(from)], ' '), from);
    let (mut own_lost, mut other_lost) = (0, 0);
    loop {
        let to = NEXT[usize::from(direction)][usize::from(at)];
        if to == OFF || to == board.hole {
            if carried == 'm' {
                own_lost += 1
            } else {
                other_lost += 1
            }
            break;
        }
        std::mem::swap(&mut carried, &mut cells[usize::from(to)]);
        if carried == ' ' {
            break;
        }
        at = to;
    }
    let of = |letter| (0..25).filter(|&s| cells[s] == letter).map(|s| 1 << s).sum::<Mask>();
    (Board { hole: board.hole, mover: of('o'), opponent: of('m') }, own_lost, other_lost)
}

#[test]
fn pushes_follow_the_rule() {
    each_board(2, 2, |board| {
        if board.hole % 3 != 0 {
            return;
        }
        let mut reversible = 0;
        board.each_move(|mv, next, effect| {
            if mv.from != board.hole {
                let (expected, own_lost, other_lost) = plain_push(&board, mv.from, mv.direction);
                assert_eq!(next, expected);
                match effect {
                    Effect::Quiet { .. } => assert_eq!((own_lost, other_lost), (0, 0)),
                    Effect::Capture => assert_eq!((own_lost, other_lost), (0, 1)),
                    Effect::Suicide => assert_eq!((own_lost, other_lost), (1, 0)),
                }
            }
            // Reversible: some move of the other side leads back to exactly this board.
            let mut back = false;
            next.each_move(|_, again, _| back |= again == board);
            assert_eq!(effect == Effect::Quiet { reversible: true }, back);
            reversible += u32::from(back);
            assert_eq!(Move::numbered(mv.number(&board), &board), mv);
        });
        assert_eq!(board.count_reversible(), reversible);
    });
}

/// Random boards with five against five pieces, enough for every kind of line.
pub(super) fn some_boards() -> impl Strategy<Value = Board> {
    proptest::sample::subsequence((0..25u8).collect::<Vec<_>>(), 11).prop_shuffle().prop_map(|squares| {
        let mask = |squares: &[u8]| squares.iter().map(|s| 1 << s).sum::<Mask>();
        Board { hole: squares[0], mover: mask(&squares[1..6]), opponent: mask(&squares[6..11]) }
    })
}

proptest! {
    #[test]
    fn unmoves_invert_moves(board in some_boards()) {
        // Forwards: each child generates this board among its parents, with the move and its reverse.
        let mut captures = false;
        board.each_move(|mv, next, effect| {
            captures |= effect == Effect::Capture;
            let mut named = 0;
            if let Effect::Quiet { reversible } = effect {
                next.each_quiet_parent(|before, by, back| {
                    if before == board {
                        named += 1;
                        assert_eq!(by, mv);
                        assert_eq!(back.is_some(), reversible);
                        if let Some(back) = back {
                            assert_eq!(next.after(back).unwrap().0, board);
                        }
                    }
                });
            } else {
                next.each_removing_parent(|before, by| named += usize::from(before == board && by == effect));
            }
            assert!(named == 1 || named > 1 && !matches!(effect, Effect::Quiet { .. }));
        });
        assert_eq!(board.can_capture(), captures);
        // Backwards: each parent has a move to this board.
        board.each_quiet_parent(|before, mv, _| assert_eq!(before.after(mv).unwrap().0, board));
        board.each_removing_parent(|before, effect| {
            let mut leads = false;
            before.each_move(|_, next, by| leads |= next == board && by == effect);
            assert!(leads);
        });
    }

    #[test]
    fn the_filters_miss_no_twisted_board(board in some_boards()) {
        let twisted = ko::is_twisted_by_definition(&board);
        prop_assert_eq!(ko::is_twisted(&board), twisted);
        prop_assert!(ko::may_be_twisted(&board) || !twisted);
    }
}

#[test]
fn twists_by_long_lines_are_found() {
    // Two pieces between two of the opponent's: three pieces jump in one ply.
    for text in [
        "00300-12210-21120-00000-00000",
        "00300-01221-21120-00000-00000",
        "00300-02112-12210-00000-00000",
        "00300-12210-00000-21120-00000",
    ] {
        let game = Ostle::new(10, Ko::Symmetric).unwrap();
        let board = game.read(text).unwrap().board;
        assert!(ko::is_twisted_by_definition(&board), "{text}");
        assert!(ko::is_twisted(&board) && ko::may_be_twisted(&board), "{text}");
    }
}

#[test]
fn all_twists_of_small_armies_are_found() {
    let mut twisted = 0;
    each_board(2, 2, |board| {
        if board.hole < 13 {
            let by_definition = ko::is_twisted_by_definition(&board);
            assert_eq!(ko::is_twisted(&board), by_definition);
            assert!(ko::may_be_twisted(&board) || !by_definition);
            twisted += usize::from(by_definition);
        }
    });
    assert!(twisted > 0);
}

#[test]
fn every_board_has_one_slot() {
    for (mover, opponent) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        let index = ClassIndex::new(mover, opponent);
        let mut slots = BTreeMap::new();
        each_board(mover, opponent, |board| {
            let place = index.place(&board);
            assert_eq!(board.under(place.symmetry), index.board(place.slot));
            let smallest = board.smallest_image();
            assert_eq!(*slots.entry(place.slot).or_insert(smallest), smallest);
        });
        assert_eq!(slots.len(), index.slots() as usize);
        assert_eq!(slots.values().collect::<BTreeSet<_>>().len(), slots.len());
        let mut next = 0;
        for (number, strip) in (0..index.strips()).map(|number| (number, index.strip(number))) {
            assert_eq!(strip.first, next, "strips follow each other");
            next += strip.len;
            for slot in strip.first..next {
                assert_eq!(index.strip_of(slot), number);
                let board = index.board_in(Portable, &strip, slot);
                assert_eq!(index.board(slot), board);
                assert_eq!(index.is_symmetric(&strip, &board), board.is_symmetric());
            }
        }
        assert_eq!(next, index.slots());
    }
}

/// Every row of the published table 1.
#[test]
fn the_numbering_has_the_published_sizes() {
    let mut rows = 0;
    for (mover, opponent) in [(4, 4), (4, 5), (5, 4), (5, 5)] {
        let index = ClassIndex::new(mover, opponent);
        for line in TABLE_1.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
            let cells: Vec<u32> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            if (cells[2], cells[3]) == (mover, opponent) {
                let hole = HOLES.iter().position(|&hole| u32::from(hole) == 5 * cells[0] + cells[1]).unwrap();
                let strips = (0..index.strips()).map(|number| index.strip(number));
                let boards: u32 = strips.filter(|s| usize::from(s.hole_number) == hole).map(|s| s.len).sum();
                assert_eq!(boards, cells[4], "{line}");
                rows += 1;
            }
        }
        let step = index.slots() / 10_007;
        for slot in (0..10_007).map(|n| n * step) {
            assert_eq!(index.place(&index.board(slot)).slot, slot);
        }
    }
    assert_eq!(rows, 24);
}

#[test]
fn positions_are_read_and_refused() {
    let game = Ostle::new(10, Ko::Literal).unwrap();
    let start = "11111-00000-00300-00000-22222";
    assert_eq!(game.show(game.initial()), start);
    assert_eq!(game.read(start), Ok(game.initial()));
    assert_eq!(game.read(&start.replace('-', "")), Ok(game.initial()));
    let refused = |text: &str| game.read(text).unwrap_err().to_string();
    assert_eq!(refused("11111-00000-00330-00000-22222"), "2 holes, expected 1");
    assert_eq!(refused("11111-10000-00300-00000-22222"), "the mover has 6 pieces, expected 4 to 5");
    assert_eq!(refused("11111-00000-00300-00000-2222"), "24 squares, expected 25");
    assert_eq!(refused("11111-00000-00400-00000-22222"), "'4' at square 13 is none of 0, 1, 2, 3");
    assert_eq!(
        refused("11111-00000-00300-00000-22222/11111-00000-00300-00000-22222"),
        "no move leads from the previous board 11111-00000-00300-00000-22222 to 11111-00000-00300-00000-22222"
    );
    assert!(refused("11111-00000-00300-00000-22222/3").starts_with("the previous board: 1 squares"));
    // After a hole move, moving it back is forbidden. After a step nothing is, and the text drops the previous board.
    let hole = "22222-00000-00000-00300-11111/11111-00000-00300-00000-22222";
    assert_eq!(game.show(game.read(hole).unwrap()), hole);
    let stepped = "02222-20000-00300-00000-11111";
    assert_eq!(game.show(game.read(&format!("{stepped}/{start}")).unwrap()), stepped);
    // A finished position is read as such.
    let over = game.read("11100-00000-00300-00000-22222").unwrap();
    assert_eq!(game.ended(over), Some(kanzen::Value::loss(0)));
    assert!(Ostle::new(8, Ko::Literal).unwrap().read(start).is_err());
}

#[test]
fn the_rules_conform() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        for pieces in [8, 9, 10] {
            kanzen::conformance::check(&Ostle::new(pieces, ko).unwrap(), 800).unwrap();
        }
    }
}

/// The published program stops at the first match: if two moves lead to copies of the previous board, the second is
/// legal. With both forbidden, 3,853 more positions of the real game would be lost in two plies.
#[test]
fn one_move_is_forbidden_at_a_time() {
    let game = Ostle::with_army(Army { least: 2, most: 2 }, 4, Ko::Symmetric).unwrap();
    let mut two = 0;
    each_board(2, 2, |board| {
        if board.hole < 13 && (board.is_symmetric() || ko::may_be_twisted(&board)) {
            game.each_ban(&board, |position| {
                let previous = position.previous.unwrap();
                let (mut all, mut copies, mut left) = (0, 0, 0);
                game.board_moves(&board, |_, next, effect| {
                    all += 1;
                    let quiet = matches!(effect, Effect::Quiet { .. });
                    copies += usize::from(quiet && game.ko().recreates(&previous, &next));
                });
                game.moves(position, &mut |_, _| left += 1);
                assert_eq!(left, all - 1);
                two += usize::from(copies > 1);
            });
        }
    });
    assert!(two > 0);
}

proptest! {
    #[test]
    fn boards_with_a_fixed_opponent_get_their_slots(board in some_boards(), fewer in 0usize..2) {
        // Five against five, or five against four.
        let opponent = (0..fewer).fold(board.opponent, |mask, _| mask & (mask - 1));
        let board = Board { opponent, ..board };
        let index = ClassIndex::new(5, opponent.count_ones());
        let place = index.place(&board);
        let fixed_opponent = index.fixed_opponent(board.hole, opponent);
        prop_assert_eq!(fixed_opponent.place(Portable, board.mover), place);
        let canonical = board.under(place.symmetry);
        prop_assert_eq!(index.fixed_opponent(canonical.hole, canonical.opponent).place_turned(Portable, canonical.mover).slot, place.slot);
        prop_assert_eq!(index.board(place.slot), canonical);
    }
}
