//! Several processes share classes of odd shapes, and large ones.

use kanzen::progress::Silent;
use kanzen::{Budget, Error, Value};
use kanzen_solve::retrograde::{self, Earlier, Graph, Node};
use kanzen_solve::{Job, WorkFolder};
use proptest::prelude::*;

use crate::simulated::{BUDGET, Network, shared, together, values};

/// Classes without quiet moves, one after the other: all moves lead to the two before. Some have no slots at all.
struct Layers(Vec<u64>);

impl Graph for Layers {
    fn classes(&self) -> usize {
        self.0.len()
    }
    fn name(&self, class: usize) -> String {
        format!("layer {class}")
    }
    fn slots(&self, class: usize) -> u64 {
        self.0[class]
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        (class.saturating_sub(2)..class).filter(|&needed| self.0[needed] > 0).collect()
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        let needs = self.needs(class);
        if needs.is_empty() || slot % 4 == 3 {
            return node.end([Value::loss(0), Value::DRAW, Value::win(1)][slot as usize % 3]);
        }
        for (needed, number) in needs.into_iter().flat_map(|needed| (0..=slot % 4).map(move |k| (needed, k))) {
            node.settled(earlier.value(needed, (7 * slot + 5 * number) % self.0[needed]));
        }
    }
    fn parents(&self, _: usize, _: u64, _: &mut Vec<u64>) -> bool {
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
    fn stays(&self, _: usize) -> bool {
        false
    }
}

/// The only move of a slot leads to the one with half its number.
struct Halving(u64);

impl Graph for Halving {
    fn classes(&self) -> usize {
        1
    }
    fn name(&self, _: usize) -> String {
        "halving".into()
    }
    fn slots(&self, _: usize) -> u64 {
        self.0
    }
    fn needs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
        match slot {
            0 => node.end(Value::loss(0)),
            _ => node.here(slot / 2),
        }
    }
    fn parents(&self, _: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        parents.extend([2 * slot, 2 * slot + 1].into_iter().filter(|&parent| parent > 0 && parent < self.0));
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
}

fn alone(graph: &impl Graph, memory: u64) -> Result<WorkFolder, Error> {
    let store = WorkFolder::in_memory();
    retrograde::solve(graph, &Job::new(&store, Budget::new(1, memory), &Silent)?)?;
    Ok(store)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn classes_without_quiet_moves_follow_each_other(
        sizes in prop::collection::vec(0..40u64, 1..9), peers in 1..5usize, bits in 0..4u32, seed: u64,
    ) {
        let layers = Layers(sizes);
        let expected = values(&alone(&layers, BUDGET).unwrap(), layers.classes());
        prop_assert_eq!(shared(&layers, peers, bits, 1, seed).0, expected);
    }
}

#[test]
fn a_class_that_no_process_may_hold_is_solved_by_four() {
    const SLOTS: u64 = 1 << 16;
    // A third of the words alone, each of four bytes.
    const LITTLE: u64 = 4 * SLOTS / 3;
    let graph = Halving(SLOTS);
    let refused = alone(&graph, LITTLE).expect_err("too little for one").to_string();
    assert!(refused.starts_with("halving needs ") && refused.ends_with(" may be used"), "{refused}");
    let stores: Vec<WorkFolder> = (0..4).map(|_| WorkFolder::in_memory()).collect();
    let ended = together(&Network::nodes(4, 10, 18), |me, node| {
        let job = Job::new(&stores[me], Budget::new(1, LITTLE), &Silent)?.with_mesh(Some(node));
        retrograde::solve(&graph, &job)
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    assert_eq!(values(&stores[0], 1), values(&alone(&graph, BUDGET).unwrap(), 1));
}
