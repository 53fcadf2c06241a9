use kanzen::{Game, conformance};

use super::*;

#[test]
fn the_rules_hold_together() {
    let report = conformance::check(&Dobutsu, 60_000).unwrap();
    assert!(report.positions >= 60_000 && report.moves > report.positions);
}

/// Moves from the initial position: the chick takes, the giraffe or the lion step. Two of the lion's are mirror images
/// on an otherwise unsymmetric board, so all four differ.
#[test]
fn the_first_player_has_four_moves() {
    let mut moves = Vec::new();
    Dobutsu.moves(Dobutsu.initial(), &mut |action, _| moves.push(Dobutsu.show_move(Dobutsu.initial(), action)));
    moves.sort();
    assert_eq!(moves, ["b1-a2", "b1-c2", "b2-b3", "c1-c2"]);
}

#[test]
fn a_lion_on_the_far_row_wins_unless_it_can_be_taken() {
    let safe = Dobutsu.read("L.e/.../..g/.l. w CCGE").unwrap();
    assert!(Dobutsu.ended(safe).is_some());
    let taken = Dobutsu.read("Lg./.../..e/.l. w CCGE").unwrap();
    assert!(Dobutsu.ended(taken).is_none());
    let mut moves = Vec::new();
    Dobutsu.moves(taken, &mut |action, next| {
        moves.push((Dobutsu.show_move(taken, action), Dobutsu.ended(next).is_some()))
    });
    assert_eq!(moves, [("b4-a4".to_owned(), true)]);
}

#[test]
fn a_taken_hen_is_a_chick_again_and_a_chick_on_the_far_row_a_hen() {
    let board = Dobutsu.read("l../..C/h../L.. b GGEE").unwrap();
    let mut texts = Vec::new();
    Dobutsu.moves(board, &mut |action, next| {
        if matches!(action, Action::Step(..)) {
            texts.push(Dobutsu.show(next));
        }
    });
    assert!(texts.contains(&"l.H/.../h../L.. w GGEE".to_owned()), "{texts:?}");
    assert!(texts.contains(&"l../..C/L../... w GGEEC".to_owned()), "{texts:?}");
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    for (text, reason) in [
        (
            "gle/.c./.C./ELG b",
            "expected rows joined by '/', the side to move and the hands, such as gle/.c./.C./ELG b -",
        ),
        ("gle/.c./.C./ELG x -", "expected b or w to move, found \"x\""),
        ("gle/.c./ELG b -", "expected 4 rows, found 3"),
        ("gle/.c./.C./EL b -", "row 4 has 2 squares, expected 3"),
        ("gle/.c./.X./ELG b -", "unknown letter 'X' in row 3"),
        ("gle/.c./.../ELG b -", "1 chicks, expected 2"),
        ("gle/.c./.C./E.G b -", "0 lions 'L', expected 1"),
        ("gle/.c./.../ELG b H", "'H' cannot be in a hand"),
        ("g.e/.c./.C./ELG b -", "0 lions 'l', expected 1"),
    ] {
        match Dobutsu.read(text) {
            Err(illegal) => assert_eq!(illegal.to_string(), reason),
            Ok(board) => assert!(Dobutsu.ended(board).is_some(), "{text}"),
        }
    }
}
