//! The engine against the plain reference solver, on random games of every shape.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::conformance::reference;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Error, Game};
use kanzen_core::Ledger;
use kanzen_core::index::Listed;
use kanzen_solve::retrograde::{self, RulesGraph};
use kanzen_solve::{Job, WorkFolder};
use proptest::prelude::*;

use crate::drawn::{Drawn, drawn};
use crate::simulated::values;

/// The index of a game, and the values of its slots by class.
fn solved(game: &Drawn, threads: usize) -> (Listed<u32>, Vec<Vec<i16>>) {
    let budget = Budget::new(threads, 1 << 30);
    let index = Listed::list(game, &Ledger::new(budget), &Silent).unwrap();
    let store = WorkFolder::in_memory();
    retrograde::solve(&RulesGraph::new(game, &index), &Job::new(&store, budget, &Silent).unwrap()).unwrap();
    let values = values(&store, index.classes().len());
    (index, values)
}

/// Stops a solve after some levels.
struct Impatient(AtomicU32);

impl Observer for Impatient {
    fn event(&self, event: Event<'_>) {
        if let Event::Level { .. } = event {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_value_is_the_reference_solvers(game in drawn()) {
        let expected = reference::solve(&game);
        for threads in [1, 3] {
            let (index, values) = solved(&game, threads);
            for (&key, value) in &expected {
                let canonical = game.canonical(key as u32);
                let class = index.place_of_class(game.class(canonical)).unwrap();
                let slot = index.rank(class, canonical).unwrap();
                prop_assert_eq!(values[class][slot as usize], value.code(), "position {}", key);
            }
        }
    }

    #[test]
    fn a_solve_stopped_at_each_level_ends_the_same(game in drawn()) {
        let (index, whole) = solved(&game, 1);
        let graph = RulesGraph::new(&game, &index);
        let store = WorkFolder::in_memory();
        for _ in 0..10_000 {
            let impatient = Impatient(AtomicU32::new(1));
            let job = Job::new(&store, Budget::new(2, 1 << 30), &impatient).unwrap().checkpoint_every(Duration::ZERO);
            match retrograde::solve(&graph, &job) {
                Ok(()) => break,
                Err(Error::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
        }
        prop_assert_eq!(values(&store, index.classes().len()), whole);
    }
}

#[test]
fn a_budget_that_is_too_small_is_refused_with_the_figures() {
    let families = 3_000;
    let game = Drawn {
        classes: vec![0; families],
        ends: vec![None; families],
        moves: (0..families as u32).map(|family| vec![(2 * family + 2) % (2 * families as u32)]).collect(),
        has_unmoves: false,
        black_wins_endless_play: false,
    };
    let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 30)), &Silent).unwrap();
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(1, 10_000), &Silent).unwrap();
    let refusal = retrograde::solve(&RulesGraph::new(&game, &index), &job).unwrap_err();
    assert_eq!(refusal.to_string(), "all positions needs 13.6 kB of memory, 10.0 kB may be used");
    // The words fit, the parents that would be stored beside them do not: reservations add up.
    let job = Job::new(&store, Budget::new(1, 20_000), &Silent).unwrap();
    let refusal = retrograde::solve(&RulesGraph::new(&game, &index), &job).unwrap_err();
    assert_eq!(refusal.to_string(), "the parents of all positions needs 25.6 kB of memory, 20.0 kB may be used");
}

#[test]
fn rules_that_contradict_themselves_are_an_error_not_a_panic() {
    let game = Drawn {
        classes: vec![0, 1],
        ends: vec![None; 2],
        moves: vec![vec![2], vec![0]],
        has_unmoves: false,
        black_wins_endless_play: false,
    };
    let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 30)), &Silent).unwrap();
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(1, 1 << 20), &Silent).unwrap();
    let error = retrograde::solve(&RulesGraph::new(&game, &index), &job).unwrap_err();
    assert_eq!(error.to_string(), "inconsistent game rules: a move from 0 leads to a higher class");
}
