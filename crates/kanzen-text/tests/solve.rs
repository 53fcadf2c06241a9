//! Solved games, against known values.

use kanzen_core::{Tally, Value};
use kanzen_text::ground::Grounded;
use kanzen_text::number::Numbering;
use kanzen_text::operators::Operators;
use kanzen_text::rbg;
use kanzen_text::solve::{Answer, Solution};
use kanzen_text::symmetry::Symmetries;

fn solved(text: &str, symmetric: bool) -> (Answer, Tally) {
    let game = Grounded::new(&rbg::read(text).unwrap()).unwrap();
    let symmetries = if symmetric { Symmetries::find(&game) } else { Symmetries::none(&game) };
    let (operators, numbering) = (Operators::new(&game), Numbering::new(&game, &symmetries).unwrap());
    let solution = Solution::new(&operators, &numbering).unwrap();
    (solution.initial(), solution.tally())
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let text = include_str!("rbg/tic-tac-toe.rbg");
    let (value, tally) = solved(text, false);
    assert_eq!(value, Answer::Value(Value::DRAW));
    // Of the 5,478 positions 942 have a line (626 for the first side, 316 for the second): here the game is over before.
    assert_eq!(tally.positions(), 5478 - 942);
    let (value, tally) = solved(text, true);
    assert_eq!(value, Answer::Value(Value::DRAW));
    assert_eq!(tally.positions(), 765 - 91 - 44);
}

#[test]
fn the_hounds_win_however_the_fox_begins() {
    let (value, _) = solved(include_str!("rbg/fox-and-hounds.rbg"), true);
    assert!(matches!(value, Answer::Value(value) if value < Value::DRAW));
}
