//! Operators against the interpreter, on random games.

use std::collections::BTreeSet;

use kanzen_core::random::Random;
use kanzen_text::ground::Grounded;
use kanzen_text::interpreter::Interpreter;
use kanzen_text::operators::{After, Operators};
use kanzen_text::rbg;

/// Plays games at random. In every position the operators lead where the moves lead, a stuck or checked position has the
/// same score, and each move has its inverse.
fn compare(text: &str, games: u32, longest: u32) {
    let game = rbg::read(text).unwrap();
    let play = Interpreter::new(&game).unwrap();
    let grounded = Grounded::new(&game).unwrap();
    let operators = Operators::new(&grounded);
    let mut random = Random::new(7);
    for _ in 0..games {
        let mut position = play.initial().unwrap();
        for _ in 0..longest {
            let state = operators.state(&grounded, &position).unwrap();
            let moves = play.moves(&position).unwrap();
            let mut expected = BTreeSet::new();
            for each in &moves {
                expected.insert(match operators.state(&grounded, &each.to) {
                    Some(to) => After::State(to),
                    None => After::Over(play.score(&each.to).unwrap().unwrap()),
                });
            }
            let mut found = BTreeSet::new();
            operators.forward(&state, &mut |after| {
                found.insert(after);
            });
            assert_eq!(found, expected, "{position:?}");
            for after in found {
                if let After::State(after) = after {
                    let mut before = Vec::new();
                    operators.backward(&after, &mut |state| before.push(state));
                    assert!(before.contains(&state));
                    for state in before {
                        let mut forward = Vec::new();
                        operators.forward(&state, &mut |state| forward.push(state));
                        assert!(forward.contains(&After::State(after)));
                    }
                }
            }
            let score = operators.checked(&state).or(moves.is_empty().then(|| operators.stuck(&state)));
            assert_eq!(score, play.score(&position).unwrap());
            if moves.is_empty() {
                break;
            }
            position = moves[(random.next() % moves.len() as u64) as usize].to.clone();
            if position.over {
                break;
            }
        }
    }
}

#[test]
fn tic_tac_toe() {
    compare(include_str!("rbg/tic-tac-toe.rbg"), 100, 10);
}

#[test]
fn breakthrough() {
    compare(include_str!("rbg/breakthrough-4x5.rbg"), 10, 100);
}

#[test]
fn draughts() {
    compare(include_str!("rbg/draughts.rbg"), 1, 40);
}

#[test]
fn fox_and_hounds() {
    compare(include_str!("rbg/fox-and-hounds.rbg"), 10, 60);
}
