//! Several processes give the values of one, in whatever order their parcels arrive.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Value};
use kanzen_core::Ledger;
use kanzen_core::index::Listed;
use kanzen_solve::retrograde::{self, Earlier, Graph, Node, RulesGraph};
use kanzen_solve::{Job, RulesOnly, Solver, WorkFolder, plane_file};
use proptest::prelude::*;

use crate::drawn::{Drawn, drawn};
use crate::simulated::{BUDGET, Network, shared, together, values};

/// The values of all classes, and the keys of each, as a process alone finds them.
fn alone(game: &Drawn) -> (Vec<Vec<i16>>, Listed<u32>) {
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(1, BUDGET), &Silent).unwrap();
    RulesOnly::counting().solve(game, &job).unwrap();
    let index = Listed::list(game, &Ledger::new(Budget::new(1, BUDGET)), &Silent).unwrap();
    (values(&store, index.classes().len()), index)
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

/// A graph with parent ranges: from the first parent of a slot to the last, and some slots more.
struct WithParentRanges<G> {
    graph: G,
    more: u64,
}

impl<G: Graph> Graph for WithParentRanges<G> {
    fn classes(&self) -> usize {
        self.graph.classes()
    }
    fn name(&self, class: usize) -> String {
        self.graph.name(class)
    }
    fn slots(&self, class: usize) -> u64 {
        self.graph.slots(class)
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        self.graph.needs(class)
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        self.graph.expand(class, slot, earlier, node);
    }
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.graph.parents(class, slot, parents)
    }
    fn parents_within(&self, class: usize, slots: &[u64], mut visit: impl FnMut(u64, Range<u64>)) -> bool {
        for &slot in slots {
            let mut parents = Vec::new();
            self.parents(class, slot, &mut parents);
            let first = parents.iter().min().copied().unwrap_or(0);
            let last = parents.iter().max().map_or(0, |last| last + 1);
            visit(slot, first.saturating_sub(self.more)..(last + self.more).min(self.slots(class)));
        }
        true
    }
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.graph.endless(class, slot)
    }
}

/// Sixteen lost slots, and sixteen from which a move leads to each of those.
struct Fan;

impl Graph for Fan {
    fn classes(&self) -> usize {
        1
    }
    fn name(&self, _: usize) -> String {
        "fan".into()
    }
    fn slots(&self, _: usize) -> u64 {
        32
    }
    fn needs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
        match slot {
            0..16 => node.end(Value::loss(0)),
            _ => (0..16).for_each(|child| node.here(child)),
        }
    }
    fn parents(&self, _: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        parents.extend(if slot < 16 { 16..32 } else { 0..0 });
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
}

#[test]
fn a_block_that_arrives_with_a_flipped_bit_is_refused_by_all_before_the_plane_appears() {
    let solve = |flipped: Option<u64>| {
        let stores = [WorkFolder::in_memory(), WorkFolder::in_memory()];
        let nodes = Network::nodes(2, 3, 1);
        flipped.inspect(|&parcel| nodes[1].flip(parcel));
        let ended = together(&nodes, |me, node| {
            let job = Job::new(&stores[me], Budget::new(1, BUDGET), &Silent)?.with_mesh(Some(node));
            retrograde::solve(&Fan, &job)
        });
        (ended, stores[0].has(&plane_file(0)), nodes[1].parcels())
    };
    let (ended, has_plane, parcels) = solve(None);
    assert!(ended.iter().all(Result::is_ok) && has_plane);
    // The last ones of the second process: two blocks, their hashes, and that it is done.
    for parcel in [parcels - 4, parcels - 3] {
        let (ended, has_plane, _) = solve(Some(parcel));
        assert!(ended.iter().all(Result::is_err) && !has_plane, "{ended:?}");
    }
}

#[test]
fn a_slot_whose_parents_have_one_owner_travels_once() {
    let (each, all_bytes) = shared(&Fan, 2, 4, 1, 1);
    let (once, bytes) = shared(&WithParentRanges { graph: Fan, more: 0 }, 2, 4, 1, 1);
    assert_eq!(once, each);
    assert_eq!(once[0][16..], [Value::win(1).code(); 16]);
    // Numbers have four bytes: those of sixteen children instead of those of all their parents.
    assert_eq!(all_bytes - bytes, 4 * (16 * 16 - 16));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_number_of_processes_finds_the_values_and_keys_of_one(
        game in drawn(), peers in 1..5usize, bits in 0..4u32, threads in 1..3usize, seed: u64,
    ) {
        let (expected, index) = alone(&game);
        let stores: Vec<WorkFolder> = (0..peers).map(|_| WorkFolder::in_memory()).collect();
        let solutions = together(&Network::nodes(peers, bits, seed), |me, node| {
            let job = Job::new(&stores[me], Budget::new(threads, BUDGET), &Silent)?.with_mesh(Some(node));
            RulesOnly::counting().solve(&game, &job)
        });
        let solution = solutions.into_iter().next().unwrap().unwrap();
        prop_assert_eq!(solution.classes.len(), expected.len());
        prop_assert_eq!(values(&stores[0], expected.len()), expected);
        for (class, (_, keys)) in index.classes().iter().enumerate() {
            let mut kept = Vec::new();
            stores[0].get_keys(&kanzen_solve::keys_file(class), 4, &mut |stretch| {
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
        prop_assert_eq!(shared(&RulesGraph::new(&game, &index), peers, bits, threads, seed).0, expected);
    }

    #[test]
    fn whether_children_travel_or_parents_makes_no_difference(
        game in drawn(), more in 0..20u64, peers in 2..6usize, bits in 0..4u32, threads in 1..3usize, seed: u64,
    ) {
        let (expected, index) = alone(&game);
        let graph = WithParentRanges { graph: RulesGraph::new(&game, &index), more };
        prop_assert_eq!(shared(&graph, peers, bits, threads, seed).0, expected);
    }

    #[test]
    fn stopped_at_each_level_any_number_of_processes_goes_on(game in drawn(), bits in 0..4u32, seed: u64) {
        let (expected, _) = alone(&game);
        let store = WorkFolder::in_memory();
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
        let store = WorkFolder::in_memory();
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
