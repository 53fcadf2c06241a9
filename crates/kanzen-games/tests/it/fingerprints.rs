//! Every change of the rules changes the fingerprint, and the conformance kit reaches rare cases in every game.

use kanzen::conformance::{self, MoveKind, mutations};
use kanzen::{Board, Game};
use kanzen_core::rules;
use kanzen_games::dobutsu::Dobutsu;
use kanzen_games::morris::Morris;
use kanzen_games::musashi::Musashi;
use kanzen_games::nocca::Nocca;
use kanzen_games::ostle::{Ko, Ostle};
use kanzen_games::othello::{Othello, Start};
use kanzen_games::stones::Stones;
use kanzen_games::tictactoe::TicTacToe;

fn every_mutation_is_noticed<G: Game>(id: &str, game: &G) {
    let own = rules::fingerprint(id, game, 0);
    for (change, fingerprint) in mutations(id, game) {
        assert_ne!(fingerprint, own, "{id}: not noticed: {change}");
    }
}

#[test]
fn small_games() {
    every_mutation_is_noticed("tictactoe", &TicTacToe);
    every_mutation_is_noticed("stones-21", &Stones::new(21).unwrap());
    every_mutation_is_noticed("dobutsu", &Dobutsu);
}

#[test]
fn nocca() {
    every_mutation_is_noticed("nocca-3x3", &Nocca::new(3, 3).unwrap());
    every_mutation_is_noticed("nocca-6x5", &Nocca::new(6, 5).unwrap());
}

#[test]
fn musashi() {
    every_mutation_is_noticed("musashi-25", &Musashi::new(25).unwrap());
    every_mutation_is_noticed("musashi-33", &Musashi::new(33).unwrap());
}

#[test]
fn morris() {
    every_mutation_is_noticed("morris-5", &Morris::new(5).unwrap());
    every_mutation_is_noticed("morris-9", &Morris::new(9).unwrap());
}

#[test]
fn ostle() {
    every_mutation_is_noticed("ostle-8", &Ostle::new(8, Ko::Literal).unwrap());
    every_mutation_is_noticed("ostle", &Ostle::new(10, Ko::Literal).unwrap());
}

#[test]
fn othello() {
    every_mutation_is_noticed("othello-4x4", &Othello::new(4, 4, Start::Cross).unwrap());
}

/// A different ko rule gives a different fingerprint.
#[test]
fn variants_of_a_rule_have_different_fingerprints() {
    let [literal, symmetric] = [Ko::Literal, Ko::Symmetric].map(|ko| Ostle::new(8, ko).unwrap());
    assert_ne!(rules::fingerprint("ostle", &literal, 0), rules::fingerprint("ostle", &symmetric, 0));
    let [cross, parallel] = [Start::Cross, Start::Parallel].map(|start| Othello::new(4, 4, start).unwrap());
    assert_ne!(rules::fingerprint("othello", &cross, 0), rules::fingerprint("othello", &parallel, 0));
}

fn meets<G: Board>(id: &str, game: &G, ends: bool, stuck: bool, kinds: &[(&str, bool)]) {
    let report = conformance::check(game, 2_000).unwrap_or_else(|fault| panic!("{id}: {fault}"));
    assert!(!ends || report.ends > 0, "{id} meets no end: {report}");
    assert!(!stuck || report.stuck > 0, "{id} meets no position without a move: {report}");
    for &(shape, leaves_class) in kinds {
        let kind = MoveKind { shape: shape.to_owned(), leaves_class };
        assert!(report.kinds.contains_key(&kind), "{id} meets no {kind}: {report}");
    }
}

#[test]
fn the_kit_meets_exits_mills_captures_flights_and_stalemates() {
    meets("nocca-4x4", &Nocca::new(4, 4).unwrap(), true, true, &[("a0-a0", false), ("a0-off", false)]);
    meets("musashi-33", &Musashi::new(33).unwrap(), false, true, &[("a0-a0", false), ("a0-a0", true)]);
    let morris = [("a0", true), ("a0xa0", true), ("a0-a0", false), ("a0-a0xa0", true)];
    meets("morris-9", &Morris::new(9).unwrap(), true, true, &morris);
    let ostle = [("a0-a0", false), ("a0-a0", true), ("a0-off-down", true)];
    meets("ostle", &Ostle::new(10, Ko::Literal).unwrap(), true, false, &ostle);
    meets("othello-6x6", &Othello::new(6, 6, Start::Cross).unwrap(), true, false, &[("a0", true), ("pass", false)]);
    meets("dobutsu", &Dobutsu, true, false, &[("a0-a0", false), ("a@a0", false)]);
}
