//! The texts of `games/`: operators equal the interpreter, symmetries are found, slots are as few as recorded.

use std::collections::BTreeSet;

use kanzen_core::random::Random;
use kanzen_text::ground::Grounded;
use kanzen_text::interpreter::Interpreter;
use kanzen_text::lang::{self, TextGame};
use kanzen_text::number::Numbering;
use kanzen_text::operators::{After, Operators};
use kanzen_text::symmetry::Symmetries;

fn read(name: &str) -> TextGame {
    let path = format!("{}/../../games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    lang::compile(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Plays games at random; in every position the operators lead where the moves lead.
fn compare(name: &str, games: u32, longest: u32) {
    let game = read(name).core;
    let play = Interpreter::new(&game).unwrap();
    let grounded = Grounded::new(&game).unwrap();
    let operators = Operators::new(&grounded);
    let mut random = Random::new(7);
    for _ in 0..games {
        let mut position = play.initial().unwrap();
        for _ in 0..longest {
            let state = operators.state(&grounded, &position).unwrap();
            let moves = play.moves(&position).unwrap();
            let expected: BTreeSet<After> = moves
                .iter()
                .map(|each| match operators.state(&grounded, &each.to) {
                    Some(to) => After::State(to),
                    None => After::Over(play.score(&each.to).unwrap().unwrap()),
                })
                .collect();
            let mut found = BTreeSet::new();
            let ended = operators.checked(&state);
            if ended.is_none() {
                operators.forward(&state, &mut |after| {
                    found.insert(after);
                });
            }
            assert_eq!(found, expected, "{name} {position:?}");
            let score = ended.or(moves.is_empty().then(|| operators.stuck(&state)));
            assert_eq!(score, play.score(&position).unwrap(), "{name}");
            if moves.is_empty() {
                break;
            }
            position = moves[(random.next() % moves.len() as u64) as usize].to.clone();
        }
    }
}

#[test]
fn operators_lead_where_the_moves_lead() {
    compare("tic-tac-toe", 50, 10);
    compare("hexapawn", 50, 10);
    compare("three-mens-morris", 10, 40);
    compare("animal-shogi", 3, 60);
    compare("othello-4x4", 10, 20);
    compare("nocca-3x3", 5, 40);
    compare("musashi-25", 1, 40);
    compare("ostle-3", 2, 40);
    compare("six-mens-morris", 2, 40);
    compare("teeko", 2, 30);
    compare("breakthrough-4x5", 3, 60);
    compare("fox-and-hounds", 3, 60);
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
