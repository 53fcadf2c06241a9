//! The engine against the plain reference solver, on random games of every shape.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::conformance::reference;
use kanzen::index::Listed;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::solve::retrograde::{self, RulesGraph};
use kanzen::solve::{Job, MemoryStore};
use kanzen::{BadPosition, Budget, Error, Game, Ledger, Outcome, Value};
use proptest::prelude::*;

/// A game drawn by lot. Every position has a twin (the next number, if odd) with the same moves up to twins: a mirror
/// image. Moves between twins' families collapse in the quotient, as those of symmetric boards do.
#[derive(Clone, Debug)]
struct Drawn {
    /// The class of each family of twins, ascending.
    classes: Vec<u32>,
    ends: Vec<Option<Value>>,
    moves: Vec<Vec<u32>>,
    tells_unmoves: bool,
    /// Endless play is lost for the player to move at even positions' families, if so.
    black_wins_endless_play: bool,
}

impl Drawn {
    fn family(position: u32) -> usize {
        position as usize / 2
    }

    /// Families alternate sides where endless play has a winner: moves must then change the side.
    fn side(&self, position: u32) -> bool {
        Drawn::family(position).is_multiple_of(2)
    }
}

impl Game for Drawn {
    type Position = u32;
    type Move = usize;
    type Key = u32;

    fn initial(&self) -> u32 {
        0
    }

    fn roots(&self, visit: &mut impl FnMut(u32)) {
        (0..2 * self.moves.len() as u32).for_each(visit);
    }

    fn moves(&self, position: u32, play: &mut impl FnMut(usize, u32)) {
        for (number, &child) in self.moves[Drawn::family(position)].iter().enumerate() {
            // The mirror image of a position has the mirror images of its moves.
            play(number, child ^ (position & 1));
        }
    }

    fn unmoves(&self, position: u32, visit: &mut impl FnMut(u32)) -> bool {
        for parent in 0..2 * self.moves.len() as u32 {
            let family = Drawn::family(parent);
            if self.ends[family].is_none() && self.moves[family].iter().any(|child| child ^ (parent & 1) == position) {
                visit(parent);
            }
        }
        self.tells_unmoves
    }

    fn ended(&self, position: u32) -> Option<Value> {
        self.ends[Drawn::family(position)]
    }

    fn endless(&self, position: u32) -> Value {
        match (self.black_wins_endless_play, self.side(position)) {
            (false, _) => Value::DRAW,
            (true, true) => Value::UNTIMED_LOSS,
            (true, false) => Value::UNTIMED_WIN,
        }
    }

    fn canonical(&self, position: u32) -> u32 {
        position & !1
    }

    fn class(&self, position: u32) -> u32 {
        self.classes[Drawn::family(position)]
    }

    fn show(&self, position: u32) -> String {
        position.to_string()
    }

    fn read(&self, text: &str) -> Result<u32, BadPosition> {
        text.parse().map_err(|_| BadPosition::new("no number"))
    }

    fn show_move(&self, _: u32, number: usize) -> String {
        number.to_string()
    }

    fn pack(&self, position: u32) -> u32 {
        position
    }

    fn unpack(&self, key: u32) -> u32 {
        key
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let sizes = (2..60usize, 1..4u32, any::<bool>(), any::<bool>());
    sizes.prop_flat_map(|(families, classes, tells_unmoves, black_wins_endless_play)| {
        let ends = prop::sample::select(vec![
            None,
            None,
            None,
            Some(Value::loss(0)),
            Some(Value::loss(0)),
            Some(Value::win(1)),
            Some(Value::win(7)),
            Some(Value::DRAW),
        ]);
        let moves = prop::collection::vec(0..2 * families as u32, 0..6);
        (
            prop::collection::vec(0..classes, families),
            prop::collection::vec(ends, families),
            prop::collection::vec(moves, families),
        )
            .prop_map(move |(mut classes, mut ends, mut moves)| {
                classes.sort_unstable();
                for (family, moves) in moves.iter_mut().enumerate() {
                    moves.retain(|&child| {
                        let other = Drawn::family(child);
                        classes[other] <= classes[family] && (!black_wins_endless_play || (family + other) % 2 == 1)
                    });
                }
                if black_wins_endless_play {
                    // Without draws: who wins endless play wins what is not lost.
                    ends.iter_mut().for_each(|end| *end = end.filter(|value| value.outcome() != Outcome::Draw));
                }
                Drawn { classes, ends, moves, tells_unmoves, black_wins_endless_play }
            })
    })
}

fn solved(game: &Drawn, threads: usize) -> (Listed<u32>, MemoryStore) {
    let budget = Budget::new(threads, 1 << 30);
    let index = Listed::list(game, &Ledger::new(budget), &Silent).unwrap();
    let store = MemoryStore::default();
    retrograde::solve(&RulesGraph::new(game, &index), &Job::new(&store, budget, &Silent).unwrap()).unwrap();
    (index, store)
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
            let (index, store) = solved(&game, threads);
            for (&key, value) in &expected {
                let canonical = game.canonical(key as u32);
                let class = index.place_of_class(game.class(canonical)).unwrap();
                let slot = index.rank(class, canonical).unwrap();
                prop_assert_eq!(store.value(class, slot), *value, "position {}", key);
            }
        }
    }

    #[test]
    fn a_solve_stopped_at_each_level_ends_the_same(game in drawn()) {
        let (index, whole) = solved(&game, 1);
        let graph = RulesGraph::new(&game, &index);
        let store = MemoryStore::default();
        for _ in 0..10_000 {
            let impatient = Impatient(AtomicU32::new(1));
            let job = Job::new(&store, Budget::new(2, 1 << 30), &impatient).unwrap().checkpoint_every(Duration::ZERO);
            match retrograde::solve(&graph, &job) {
                Ok(()) => break,
                Err(Error::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
        }
        for (class, (_, keys)) in index.classes().iter().enumerate() {
            for slot in 0..keys.len() {
                prop_assert_eq!(store.value(class, slot), whole.value(class, slot));
            }
        }
    }
}

#[test]
fn a_budget_that_is_too_small_is_refused_with_the_figures() {
    let families = 3_000;
    let game = Drawn {
        classes: vec![0; families],
        ends: vec![None; families],
        moves: (0..families as u32).map(|family| vec![(2 * family + 2) % (2 * families as u32)]).collect(),
        tells_unmoves: false,
        black_wins_endless_play: false,
    };
    let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 30)), &Silent).unwrap();
    let store = MemoryStore::default();
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
        tells_unmoves: false,
        black_wins_endless_play: false,
    };
    let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 30)), &Silent).unwrap();
    let store = MemoryStore::default();
    let job = Job::new(&store, Budget::new(1, 1 << 20), &Silent).unwrap();
    let error = retrograde::solve(&RulesGraph::new(&game, &index), &job).unwrap_err();
    assert_eq!(error.to_string(), "the rules do not hold together: a move from 0 leads to a higher class");
}
