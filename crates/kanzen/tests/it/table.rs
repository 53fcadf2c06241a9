//! The front door: whole solves in memory and in a folder, by typed positions.

use std::collections::HashMap;

use crate::toy::Skirmish;
use kanzen::conformance::reference;
use kanzen::progress::StopFlag;
use kanzen::{Error, Game, Key, Solve, Table, Value};

/// The game of the README.
#[derive(Clone)]
struct Nim;

impl Game for Nim {
    type Position = u32;
    type Move = u32;
    type Key = u32;

    fn initial(&self) -> u32 {
        21
    }
    fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
        (1..=pile.min(3)).for_each(|take| play(take, pile - take));
    }
    fn pack(&self, pile: u32) -> u32 {
        pile
    }
    fn unpack(&self, key: u32) -> u32 {
        key
    }
}

/// Every value is that of the plain solver, every move's value follows, and a line of best play has the length of the
/// depth to win.
fn is_right<G: Game>(table: &Table<G>, expected: &HashMap<u128, Value>) {
    let game = table.game();
    for (&key, &value) in expected {
        let position = game.unpack(G::Key::from_wide(key));
        assert_eq!(table.value(position).unwrap(), value, "{position:?}");
        let moves = table.moves(position).unwrap();
        assert!(moves.is_sorted_by(|(_, one), (_, next)| one >= next), "{position:?}: {moves:?}");
        match moves.first() {
            Some((_, best)) => assert_eq!(*best, value, "{position:?}"),
            None => assert_eq!(value.distance(), Some(0).filter(|_| value != Value::DRAW), "{position:?}"),
        }
        if let Some(plies) = value.distance() {
            assert_eq!(table.line(position).unwrap().len(), usize::from(plies), "{position:?}");
        }
    }
}

#[test]
fn every_value_of_the_game_of_the_readme_is_that_of_the_plain_solver() {
    let expected = reference::solve(&Nim);
    assert_eq!(expected.len(), 22);
    let table = kanzen::solve(&Nim).unwrap();
    is_right(&table, &expected);
    assert_eq!(table.census().total().positions(), 22);
    assert_eq!(
        (table.value(21).unwrap().to_string(), table.moves(20).unwrap()[0].1),
        ("win in 11".into(), Value::loss(10))
    );
}

#[test]
fn a_position_that_the_solve_did_not_meet_is_an_error() {
    let table = kanzen::solve(&Nim).unwrap();
    assert!(matches!(table.value(22), Err(Error::NotStored { position, .. }) if position == "22"));
}

#[test]
fn what_is_saved_is_opened_with_the_same_values_and_never_overwritten() {
    let data = tempfile::tempdir().unwrap();
    let expected = reference::solve(&Skirmish);
    let table = kanzen::solve(&Skirmish).unwrap();
    is_right(&table, &expected);
    table.save(data.path()).unwrap();
    assert!(matches!(table.save(data.path()), Err(Error::AlreadySolved { .. })));
    is_right(&kanzen::open(&Skirmish, data.path()).unwrap(), &expected);
    // The same rules under another name, and other rules under this one.
    let named = Solve::new(&Skirmish).name("skirmish").data(data.path()).open();
    assert!(matches!(named, Err(Error::NotSolved { .. })));
    assert!(matches!(kanzen::open(&Nim, data.path()), Err(Error::OtherRules { .. })));
}

#[test]
fn a_solve_in_a_folder_that_was_stopped_resumes() {
    let data = tempfile::tempdir().unwrap();
    let solve = || Solve::new(&Skirmish).threads(2).memory(1 << 30).data(data.path());
    let stop = StopFlag::default();
    stop.raise();
    assert!(matches!(solve().observer(&stop).run(), Err(Error::Stopped)));
    assert!(matches!(solve().open(), Err(Error::NotSolved { .. })));
    let expected = reference::solve(&Skirmish);
    is_right(&solve().run().unwrap(), &expected);
    // Solved, it is only opened.
    is_right(&solve().observer(&stop).run().unwrap(), &expected);
}

#[test]
fn a_solve_that_does_not_fit_into_its_memory_is_refused() {
    let refused = Solve::new(&Skirmish).threads(1).memory(1 << 10).run();
    assert!(matches!(refused, Err(Error::Memory { .. })));
}
