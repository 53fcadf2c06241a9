//! Several processes give what one gives, in whatever order their parcels arrive.

mod drawn;
mod simulated;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::index::Listed;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::solve::retrograde::{self, RulesGraph};
use kanzen::solve::{Job, MemoryStore, RulesOnly, SolveStore, Solver, plane_file};
use kanzen::{Budget, Error, Ledger};
use proptest::prelude::*;

use self::drawn::{Drawn, drawn};
use self::simulated::{Network, Node};

const BUDGET: u64 = 1 << 28;

/// Runs the same on every node, and tells how each ended. One that fails is lost, and the others hear of it.
fn together<T: Send>(nodes: &[Node], run: impl Fn(usize, &Node) -> Result<T, Error> + Sync) -> Vec<Result<T, Error>> {
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = nodes
            .iter()
            .enumerate()
            .map(|(me, node)| {
                scope.spawn(move || {
                    let outcome = run(me, node);
                    if outcome.is_err() {
                        node.lose();
                    }
                    outcome
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}

/// The values of all classes, and the keys of each, as a process alone finds them.
fn alone(game: &Drawn) -> (Vec<Vec<i16>>, Listed<u32>) {
    let store = MemoryStore::default();
    let job = Job::new(&store, Budget::new(1, BUDGET), &Silent).unwrap();
    RulesOnly::counting().solve(game, &job).unwrap();
    let index = Listed::list(game, &Ledger::new(Budget::new(1, BUDGET)), &Silent).unwrap();
    (values(&store, index.classes().len()), index)
}

fn values(store: &MemoryStore, classes: usize) -> Vec<Vec<i16>> {
    (0..classes).map(|class| store.get_plane(&plane_file(class)).unwrap().to_vec()).collect()
}

/// Stops a solve after some levels.
struct Impatient(AtomicU32);

impl Observer for Impatient {
    fn event(&self, event: Event<'_>) {
        if let Event::Level { .. } = event {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok();
        }
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_number_of_processes_finds_the_values_and_keys_of_one(
        game in drawn(), peers in 1..5usize, bits in 0..4u32, threads in 1..3usize, seed: u64,
    ) {
        let (expected, index) = alone(&game);
        let stores: Vec<MemoryStore> = (0..peers).map(|_| MemoryStore::default()).collect();
        let solutions = together(&Network::nodes(peers, bits, seed), |me, node| {
            let job = Job::new(&stores[me], Budget::new(threads, BUDGET), &Silent)?.with_mesh(Some(node));
            RulesOnly::counting().solve(&game, &job)
        });
        let solution = solutions.into_iter().next().unwrap().unwrap();
        prop_assert_eq!(solution.classes.len(), expected.len());
        prop_assert_eq!(values(&stores[0], expected.len()), expected);
        for (class, (_, keys)) in index.classes().iter().enumerate() {
            let mut kept = Vec::new();
            stores[0].get_keys(&kanzen::solve::keys_file(class), 4, &mut |stretch| {
                kept.extend(stretch.iter().map(|key| *key as u32));
                Ok(())
            }).unwrap();
            let mut expected = Vec::new();
            keys.visit(0..keys.len(), |key| expected.push(key));
            prop_assert_eq!(kept, expected);
        }
    }

    #[test]
    fn a_graph_that_numbers_its_slots_itself_is_shared_as_well(
        game in drawn(), peers in 1..5usize, bits in 0..4u32, threads in 1..3usize, seed: u64,
    ) {
        let (expected, index) = alone(&game);
        let stores: Vec<MemoryStore> = (0..peers).map(|_| MemoryStore::default()).collect();
        let ended = together(&Network::nodes(peers, bits, seed), |me, node| {
            let job = Job::new(&stores[me], Budget::new(threads, BUDGET), &Silent)?.with_mesh(Some(node));
            retrograde::solve(&RulesGraph::new(&game, &index), &job)
        });
        prop_assert!(ended.iter().all(Result::is_ok));
        prop_assert_eq!(values(&stores[0], expected.len()), expected);
    }

    #[test]
    fn stopped_at_each_level_any_number_of_processes_goes_on(game in drawn(), bits in 0..4u32, seed: u64) {
        let (expected, _) = alone(&game);
        let store = MemoryStore::default();
        for run in 0..10_000 {
            let peers = [4, 3, 1, 2][run % 4];
            let impatient = Impatient(AtomicU32::new(1 + run as u32 / 4));
            let ended = together(&Network::nodes(peers, bits, seed + run as u64), |_, node| {
                let job = Job::new(&store, Budget::new(1, BUDGET), &impatient)?.checkpoint_every(Duration::ZERO);
                RulesOnly::counting().solve(&game, &job.with_mesh(Some(node)))
            });
            if ended.iter().all(Result::is_ok) {
                break;
            }
        }
        prop_assert_eq!(values(&store, expected.len()), expected);
        prop_assert!(store.names().unwrap().iter().all(|name| !name.contains("shard")), "nothing is left over");
    }

    #[test]
    fn what_several_have_left_one_alone_finishes(game in drawn(), peers in 2..5usize, bits in 2..4u32, seed: u64) {
        let (expected, _) = alone(&game);
        let store = MemoryStore::default();
        let impatient = Impatient(AtomicU32::new(3));
        together(&Network::nodes(peers, bits, seed), |_, node| {
            let job = Job::new(&store, Budget::new(1, BUDGET), &impatient)?.checkpoint_every(Duration::ZERO);
            RulesOnly::counting().solve(&game, &job.with_mesh(Some(node)))
        });
        // A set of shards is read by whole blocks of the size that they were written with.
        let nodes = Network::nodes(1, bits, seed);
        let job = Job::new(&store, Budget::new(1, BUDGET), &Silent).unwrap().with_mesh(Some(&nodes[0]));
        RulesOnly::counting().solve(&game, &job).unwrap();
        prop_assert_eq!(values(&store, expected.len()), expected);
    }
}
