//! Un-moves as bits, checked against the plain generator.

use proptest::prelude::*;

use super::super::strip_parents::*;
use crate::ostle::tests::some_boards;
use crate::ostle::{Board, Move};

/// A parent, the move if pieces of both sides moved, and its reverse if it is reversible.
type Unmove = (Board, Option<(u8, u8)>, Option<(u8, u8)>);

fn pair(mv: Move) -> (u8, u8) {
    (mv.from, mv.direction)
}

fn plain(board: &Board) -> Vec<Unmove> {
    let mut all = Vec::new();
    board.each_quiet_parent(|before, mv, way_back| {
        if before.hole == board.hole {
            let mixed = (before.opponent != board.mover).then_some(pair(mv));
            all.push((before, mixed, way_back.map(pair)));
        }
    });
    all.sort();
    all
}

proptest! {
    #[test]
    fn all_unmoves_of_pieces_are_found_once(board in some_boards()) {
        let mut found: Vec<Unmove> = Vec::new();
        for (word, table) in jumps(board.opponent, board.opponent, board.empty()).into_iter().zip(&JUMPS) {
            for place in places(word) {
                let mover = board.opponent ^ table[place];
                found.push((Board { hole: board.hole, mover, opponent: board.mover }, None, None));
            }
        }
        for (word, table) in unpushes(&board).into_iter().zip(&UNPUSHES) {
            for place in places(word) {
                let unpush = &table[place];
                let (mover, opponent) = (unpush.before(board.opponent), unpush.before(board.mover));
                let reversible = board.mover >> unpush.last() & 1 == 1;
                let way_back = reversible.then_some((unpush.way_back >> 2, unpush.way_back & 3));
                let before = Board { hole: board.hole, mover, opponent };
                found.push((before, Some((unpush.from, unpush.direction)), way_back));
            }
        }
        found.sort();
        prop_assert_eq!(found, plain(&board));
    }

    #[test]
    fn only_those_jump_that_may_and_only_where_they_may(board in some_boards(), some in 0u32..1 << 25) {
        let (jumping, targets) = (board.opponent & some, board.empty() & some);
        let all = jumps(board.opponent, board.opponent, board.empty());
        let few = jumps(board.opponent, jumping, targets);
        for (word, table) in (0..2).zip(&JUMPS) {
            let allowed = places(all[word]).filter(|&place| {
                let squares = table[place];
                squares & board.opponent & !jumping == 0 && squares & board.empty() & !targets == 0
            });
            prop_assert_eq!(few[word], allowed.map(|place| 1u64 << place).sum::<u64>());
        }
    }
}
