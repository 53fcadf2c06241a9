use kanzen::{Outcome, conformance};

use super::Stones;

#[test]
fn the_rules_hold_together() {
    let report = conformance::check(&Stones::new(21).unwrap(), 100).unwrap();
    assert_eq!((report.positions, report.values_compared), (22, true));
}

#[test]
fn a_multiple_of_four_is_lost() {
    for (pile, value) in conformance::reference::solve(&Stones::new(40).unwrap()) {
        assert_eq!(value.outcome() == Outcome::Loss, pile % 4 == 0, "{pile}");
    }
}
