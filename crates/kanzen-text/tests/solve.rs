//! Solved games, against known values.

use kanzen_core::{Tally, Value};
use kanzen_text::core::Definition;
use kanzen_text::ground::Grounded;
use kanzen_text::lang;
use kanzen_text::number::Numbering;
use kanzen_text::operators::Operators;
use kanzen_text::rbg;
use kanzen_text::solve::{Answer, Solution};
use kanzen_text::symmetry::Symmetries;

fn solved_rbg(text: &str, symmetric: bool) -> (Answer, Tally) {
    solved(&rbg::read(text).unwrap(), symmetric)
}

fn solved_text(text: &str, symmetric: bool) -> (Answer, Tally) {
    solved(&lang::compile(text).unwrap().core, symmetric)
}

fn solved(game: &Definition, symmetric: bool) -> (Answer, Tally) {
    let game = Grounded::new(game).unwrap();
    let symmetries = if symmetric { Symmetries::find(&game) } else { Symmetries::none(&game) };
    let (operators, numbering) = (Operators::new(&game), Numbering::new(&game, &symmetries).unwrap());
    let solution = Solution::new(&operators, &numbering).unwrap();
    (solution.initial(), solution.tally())
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let text = include_str!("rbg/tic-tac-toe.rbg");
    let (value, tally) = solved_rbg(text, false);
    assert_eq!(value, Answer::Value(Value::DRAW));
    // Of the 5,478 positions 942 have a line (626 for the first side, 316 for the second): here the game is over before.
    assert_eq!(tally.positions(), 5478 - 942);
    let (value, tally) = solved_rbg(text, true);
    assert_eq!(value, Answer::Value(Value::DRAW));
    assert_eq!(tally.positions(), 765 - 91 - 44);
}

#[test]
fn the_hounds_win_however_the_fox_begins() {
    let (value, _) = solved_rbg(include_str!("rbg/fox-and-hounds.rbg"), true);
    assert!(matches!(value, Answer::Value(value) if value < Value::DRAW));
}

#[test]
fn tic_tac_toe_as_a_text_has_the_known_positions() {
    let text = include_str!("../../../games/tic-tac-toe.game");
    let (value, tally) = solved_text(text, false);
    assert_eq!((value, tally.positions()), (Answer::Value(Value::DRAW), 5478));
    assert_eq!(solved_text(text, true).1.positions(), 765);
}

#[test]
fn small_texts_have_the_known_values() {
    let value = |text| solved_text(text, true).0;
    assert!(matches!(value(include_str!("../../../games/hexapawn.game")), Answer::Value(v) if v < Value::DRAW));
    // As the engines for morris and for NOCCA x NOCCA found, and the paper on the latter.
    assert_eq!(value(include_str!("../../../games/three-mens-morris.game")), Answer::Value(Value::win(9)));
    assert_eq!(value(include_str!("../../../games/nocca-3x3.game")), Answer::Value(Value::win(9)));
    // The second side wins, by ten.
    assert!(matches!(value(include_str!("../../../games/othello-4x4.game")), Answer::Value(v) if v < Value::DRAW));
}

#[test]
fn symmetries_change_no_value() {
    for text in [
        include_str!("../../../games/hexapawn.game"),
        include_str!("../../../games/three-mens-morris.game"),
        include_str!("../../../games/othello-4x4.game"),
    ] {
        let ((plain, all), (value, fewer)) = (solved_text(text, false), solved_text(text, true));
        assert_eq!(plain, value);
        assert!(fewer.positions() <= all.positions());
        // The same values occur, each at most as often.
        for (value, positions) in all.iter() {
            assert!((1..=positions).contains(&fewer.of(value)), "{value:?}");
        }
    }
}
