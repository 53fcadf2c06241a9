//! What must be true of the rules: what a reader of the rule book would check, then what the library relies on.

use kanzen::conformance::{self, reference};
use kanzen::{Game, Notation};

use crate::rules::Hexapawn;

/// The moves of a position, by name.
fn moves(position: &str) -> Vec<String> {
    let board = Hexapawn.read(position).unwrap();
    let mut names = Vec::new();
    Hexapawn.moves(board, &mut |step, _| names.push(Hexapawn.show_move(board, step)));
    names.sort();
    names
}

fn is_over(position: &str) -> bool {
    Hexapawn.ended(Hexapawn.read(position).unwrap()).is_some()
}

#[test]
fn a_pawn_steps_ahead_or_takes_diagonally() {
    assert_eq!(Hexapawn.show(Hexapawn.initial()), "bbb/.../www w");
    assert_eq!(moves("bbb/.../www w"), ["a1-a2", "b1-b2", "c1-c2"]);
    assert_eq!(moves("bbb/.w./w.w b"), ["a3-a2", "a3-b2", "c3-b2", "c3-c2"]);
    assert_eq!(moves("b../w../... w"), [""; 0]); // blocked, and nothing to take: lost
}

#[test]
fn the_far_row_wins() {
    assert!(is_over("w../.../... b"));
    assert!(is_over(".../.../..b w"));
    assert!(!is_over("b../.../..w w")); // every pawn at home
}

#[test]
fn a_wrong_text_is_refused_with_a_reason() {
    for (text, reason) in [
        ("", "expected rows joined by '/', a space, and w or b to move"),
        ("bbb/.../www x", "expected rows joined by '/', a space, and w or b to move"),
        ("bbb/www w", "expected 3 rows of 3 squares, found \"bbb/www\""),
        ("bbb/..../www w", "expected 3 rows of 3 squares, found \"bbb/..../www\""),
        ("bbb/.q./www w", "unknown letter 'q' on the board"),
        ("bbb/w../www w", "4 pawns \"w\", at most 3"),
    ] {
        assert_eq!(Hexapawn.read(text).unwrap_err().to_string(), reason);
    }
}

/// The kit: texts and keys lead back, mirror images have the same moves and values, the view finds every move, ...
#[test]
fn the_rules_hold_together() {
    let report = conformance::check(&Hexapawn, 100_000).unwrap();
    assert!(report.moves > 0);
}

/// Solves the game in memory, and compares every position with a solver that shares no code with it.
#[test]
fn the_whole_solution_is_right() {
    let table = kanzen::solve(&Hexapawn).unwrap();
    let reference = reference::solve(&Hexapawn);
    assert!(!reference.is_empty());
    for (key, value) in reference {
        let board = Hexapawn.unpack(key as u64);
        assert_eq!(table.value(board).unwrap(), value, "{}", Hexapawn.show(board));
    }
}
