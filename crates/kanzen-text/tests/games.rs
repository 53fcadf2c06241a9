//! The texts of `games/`: symmetries are found, slots are as few as recorded, values are those of other programs.

use kanzen_core::{Tally, Value};
use kanzen_text::ground::Grounded;
use kanzen_text::lang::{self, TextGame};
use kanzen_text::number::Numbering;
use kanzen_text::operators::Operators;
use kanzen_text::solve::{Answer, Solution};
use kanzen_text::symmetry::Symmetries;

fn read(name: &str) -> TextGame {
    let path = format!("{}/../../games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    lang::compile(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Slots, symmetries of the board, and whether the sides can be exchanged.
fn numbered(name: &str) -> (u64, usize, bool) {
    let grounded = Grounded::new(&read(name).core).unwrap();
    let symmetries = Symmetries::find(&grounded);
    let numbering = Numbering::new(&grounded, &symmetries).unwrap();
    (numbering.slots(), symmetries.group.symmetries().len(), symmetries.exchange.is_some())
}

#[test]
fn symmetries_of_rules_are_found() {
    for (name, most_slots, symmetries, exchange) in [
        ("tic-tac-toe", 1180, 8, true),
        ("hexapawn", 3771, 2, true),
        ("teeko", 12_765_414, 8, true),
        ("three-mens-morris", 1215, 8, true),
        ("six-mens-morris", 3_579_157, 16, true),
        ("animal-shogi", 1_115_206_944, 2, true),
        ("othello-4x4", 1_169_414, 8, true),
        ("nocca-3x3", 7_107_000, 2, true),
        ("ostle-3", 10_807_720, 8, true),
        ("fox-and-hounds", 3_056_600, 1, false),
    ] {
        let (slots, order, exchanged) = numbered(name);
        assert!(slots <= most_slots, "{name}: {slots} slots");
        assert_eq!((order, exchanged), (symmetries, exchange), "{name}");
    }
}

fn solved(name: &str) -> (Answer, Tally) {
    let game = Grounded::new(&read(name).core).unwrap();
    let (operators, numbering) = (Operators::new(&game), Numbering::new(&game, &Symmetries::find(&game)).unwrap());
    let solution = Solution::new(&operators, &numbering).unwrap();
    (solution.initial(), solution.tally())
}

/// Wins, losses, draws.
fn counts(tally: &Tally) -> (u64, u64, u64) {
    (tally.wins(), tally.losses(), tally.draws())
}

#[test]
fn tic_tac_toe_has_the_census_of_the_rules_in_rust() {
    let (value, tally) = solved("tic-tac-toe");
    assert_eq!(value, Answer::Value(Value::DRAW));
    assert_eq!(counts(&tally), (390, 224, 151)); // results/rules-only-tictactoe.json
    assert_eq!(tally.longest(), Some((5, 18)));
}

#[test]
fn othello_has_the_census_of_its_own_engine() {
    let (value, tally) = solved("othello-4x4");
    assert!(matches!(value, Answer::Value(value) if value < Value::DRAW));
    assert_eq!(counts(&tally), (6021, 5344, 986)); // results/othello-4x4.json
}

#[test]
fn nocca_has_the_longest_wins_of_its_own_engine() {
    let (_, tally) = solved("nocca-3x3");
    assert_eq!(tally.longest(), Some((12, 14))); // results/nocca-3x3.json, which has positions out of reach too
}
