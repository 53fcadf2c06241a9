use kanzen::progress::Silent;
use kanzen::{Budget, Game, Ledger, conformance, index::Listed};

use super::TicTacToe;

#[test]
fn the_rules_hold_together() {
    let report = conformance::check(&TicTacToe, 10_000).unwrap();
    assert_eq!((report.positions, report.values_compared), (5_478, true));
}

#[test]
fn up_to_symmetry_there_are_765_positions() {
    let index = Listed::list(&TicTacToe, &Ledger::new(Budget::new(2, 1 << 20)), &Silent).unwrap();
    assert_eq!(index.positions(), 765);
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "expected three rows, a space and X or O to move"),
        (".../... X", "expected 3 rows, found 2"),
        ("..../.../... X", "row 1 has 4 cells, expected 3"),
        ("..x/.../... X", "unknown letter 'x' in row 1"),
        ("XX./.../... O", "2 X and 0 O cannot stand on the board together"),
        ("X../.../... X", "with 1 X and 0 O it is O to move"),
        ("XXX/OO./..O X", "X to move has three in a row already"),
    ] {
        assert_eq!(TicTacToe.read(text).unwrap_err().to_string(), reason);
    }
}
