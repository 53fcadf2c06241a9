//! Boards that share the hole and the opponent, against one board at a time.

use super::*;

proptest! {
    #[test]
    fn a_desk_places_boards_where_they_are(board in some_boards(), fewer in 0usize..2) {
        // Five against five, or five against four.
        let opponent = (0..fewer).fold(board.opponent, |mask, _| mask & (mask - 1));
        let board = Board { opponent, ..board };
        let index = ClassIndex::new(5, opponent.count_ones());
        let place = index.place(&board);
        let desk = index.desk(board.hole, opponent);
        prop_assert_eq!(desk.place(Portable, board.mover), place);
        let stands = board.under(place.symmetry);
        prop_assert_eq!(index.desk(stands.hole, stands.opponent).place_turned(Portable, stands.mover).slot, place.slot);
        prop_assert_eq!(index.board(place.slot), stands);
    }
}
