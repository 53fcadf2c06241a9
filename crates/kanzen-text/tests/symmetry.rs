//! Symmetries that games are known to have.

use kanzen_text::ground::Grounded;
use kanzen_text::rbg;
use kanzen_text::symmetry::Symmetries;

/// The order of the group, and whether the sides can be exchanged.
fn found(text: &str) -> (usize, bool) {
    let symmetries = Symmetries::find(&Grounded::new(&rbg::read(text).unwrap()).unwrap());
    (symmetries.group.order(), symmetries.exchange.is_some())
}

#[test]
fn tic_tac_toe_has_those_of_the_square_and_an_exchange() {
    assert_eq!(found(include_str!("rbg/tic-tac-toe.rbg")), (8, true));
}

#[test]
fn breakthrough_has_a_mirror_and_an_exchange() {
    assert_eq!(found(include_str!("rbg/breakthrough-4x5.rbg")), (2, true));
}

#[test]
fn fox_and_hounds_has_none() {
    assert_eq!(found(include_str!("rbg/fox-and-hounds.rbg")), (1, false));
}
