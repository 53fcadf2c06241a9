//! The conformance kit looks far enough into a game.

use crate::toy::Skirmish;
use kanzen::Game;
use kanzen::conformance::{self, MoveKind, Mutant};

/// Far fewer positions than the game has: the nearest ones are all from its first plies.
const LIMIT: usize = 400;

#[test]
fn captures_exits_ends_and_stalemates_are_met_although_they_are_far_from_the_start() {
    let report = conformance::check(&Skirmish, LIMIT).unwrap();
    assert_eq!((report.positions, report.at_random, report.values_compared), (LIMIT, LIMIT / 2, false));
    assert!(report.ends > 20 && report.stuck > 0, "{report}");
    assert_eq!(report.classes.keys().copied().collect::<Vec<u32>>(), [1, 2, 3, 4, 5, 6], "{report}");
    assert!((3..=6).all(|class| report.classes[&class] > 20), "{report}");
    for (shape, leaves_class) in [("a0-a0", false), ("a0-a0xa0", true), ("a0-off", true)] {
        let kind = MoveKind { shape: shape.to_owned(), leaves_class };
        assert!(report.kinds.get(&kind).is_some_and(|&moves| moves > 10), "{report}");
    }
    assert_eq!(report.kinds.values().sum::<usize>(), report.moves);
}

#[test]
fn a_report_counts_what_the_kit_met() {
    let text = conformance::check(&Skirmish, LIMIT).unwrap().to_string();
    assert!(text.starts_with("400 positions in 6 classes, 200 of them from random games: "), "{text}");
    assert!(text.contains(" moves\n  a0-a0: ") && text.contains("\n  a0-a0xa0 into another class: "), "{text}");
}

#[test]
fn the_same_positions_are_drawn_each_time() {
    let reports = [(); 2].map(|()| conformance::check(&Skirmish, LIMIT).unwrap());
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn a_rule_that_one_side_breaks_late_in_the_game_is_found() {
    let mut found = Vec::new();
    for mutant in Mutant::all(&Skirmish) {
        if let Err(fault) = conformance::check(&mutant, LIMIT) {
            found.push(format!("{}: {}", mutant.name(), fault.what));
        }
    }
    for expected in [
        "classes come in another order: a move leads to a higher class",
        "an end with w to move, loss(0), is worth something else: another end than its canonical form",
        "an end with b to move, loss(0), is worth something else: another end than its canonical form",
        "an end with b to move, loss(0), has another score: another end than its canonical form",
        "an end with b to move, loss(0), counts or not: not counted like its canonical form",
        "w without a move gets something else: without a move, it is worth something else than its canonical form",
        "b without a move gets something else: without a move, it is worth something else than its canonical form",
    ] {
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "not found: {expected}, only {found:#?}");
    }
}

#[test]
fn the_initial_position_is_looked_at_under_any_limit() {
    for limit in [0, 1, 2, 3] {
        let report = conformance::check(&Skirmish, limit).unwrap();
        assert!(report.positions >= 1 && report.positions <= limit.max(1), "{limit}: {report}");
        assert!(report.classes.contains_key(&Skirmish.class(Skirmish.initial())));
    }
}
