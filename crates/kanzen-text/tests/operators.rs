//! Operators against the interpreter, on random games.

use std::collections::BTreeSet;

use kanzen_core::random::Random;
use kanzen_text::core::Definition;
use kanzen_text::ground::Grounded;
use kanzen_text::interpreter::Interpreter;
use kanzen_text::lang;
use kanzen_text::operators::{After, Operators};
use kanzen_text::rbg;

/// Plays games at random. In every position the operators lead where the moves lead, a stuck or checked position has the
/// same score, and each move has its inverse.
fn compare(game: &Definition, games: u32, longest: u32) {
    let play = Interpreter::new(game).unwrap();
    let grounded = Grounded::new(game).unwrap();
    let operators = Operators::new(&grounded);
    let mut random = Random::new(7);
    for _ in 0..games {
        let mut position = play.initial().unwrap();
        for _ in 0..longest {
            let state = operators.state(&grounded, &position).unwrap();
            let moves = play.moves(&position).unwrap();
            let score = operators.checked(&state).or(moves.is_empty().then(|| operators.stuck(&state)));
            assert_eq!(score, play.score(&position).unwrap(), "{position:?}");
            if moves.is_empty() {
                break;
            }
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
            position = moves[(random.next() % moves.len() as u64) as usize].to.clone();
            if position.over {
                break;
            }
        }
    }
}

fn compare_rbg(text: &str, games: u32, longest: u32) {
    compare(&rbg::read(text).unwrap(), games, longest);
}

fn compare_text(text: &str, games: u32, longest: u32) {
    compare(&lang::compile(text).unwrap().core, games, longest);
}

#[test]
fn published_games() {
    compare_rbg(include_str!("rbg/tic-tac-toe.rbg"), 30, 10);
    compare_rbg(include_str!("rbg/breakthrough-4x5.rbg"), 3, 100);
    compare_rbg(include_str!("rbg/draughts.rbg"), 1, 20);
    compare_rbg(include_str!("rbg/fox-and-hounds.rbg"), 3, 60);
    compare_rbg(include_str!("rbg/teeko.rbg"), 3, 60);
    compare_rbg(include_str!("rbg/animal-shogi.rbg"), 3, 60);
}

#[test]
fn games_in_our_own_language() {
    compare_text(include_str!("../../../games/tic-tac-toe.game"), 10, 10);
    compare_text(include_str!("../../../games/hexapawn.game"), 10, 10);
    compare_text(include_str!("../../../games/breakthrough-4x5.game"), 2, 60);
    compare_text(include_str!("../../../games/teeko.game"), 2, 30);
    compare_text(include_str!("../../../games/three-mens-morris.game"), 3, 30);
    compare_text(include_str!("../../../games/fox-and-hounds.game"), 2, 40);
    compare_text(include_str!("../../../games/animal-shogi.game"), 3, 60);
    compare_text(include_str!("../../../games/othello-4x4.game"), 3, 20);
    compare_text(include_str!("../../../games/musashi-25.game"), 2, 30);
    compare_text(include_str!("../../../games/six-mens-morris.game"), 2, 40);
    compare_text(include_str!("../../../games/nocca-3x3.game"), 2, 40);
    compare_text(include_str!("../../../games/ostle-3.game"), 2, 30);
}

#[test]
fn a_turn_that_can_do_too_much_is_refused() {
    let rules = "#rules = (->a (any {e} [x])* ->b any {x} [e])*";
    let row = "[e,e,e,e,e,e,e,e]".repeat(8);
    let text = format!(
        "#players = a(1), b(1) #pieces = e, x #variables = #board = rectangle(u,d,l,r, {row}) #any = ((u + d + l + r)*) {rules}"
    );
    assert!(Grounded::new(&rbg::read(&text).unwrap()).unwrap_err().to_string().starts_with("too many "));
}
