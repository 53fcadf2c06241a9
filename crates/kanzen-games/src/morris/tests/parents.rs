//! Where the parents of a slot are.

use kanzen::solve::retrograde::Graph;

use crate::morris::{Morris, MorrisGraph, MorrisIndex};

/// Slots that are looked at in each class, at most.
const LOOKED_AT: u64 = 2_000;
/// Slots of a block, which are dealt to processes.
const BLOCK: u64 = 1 << 16;

#[test]
fn all_parents_of_a_slot_are_in_the_stretch_that_is_told() {
    for men in [3, 5, 6, 7, 9] {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index).moving_only();
        let (mut parents_in_all, mut blocks_in_all) = (0, 0);
        for class in 0..graph.classes() {
            let step = (graph.slots(class) / LOOKED_AT).max(1);
            let slots: Vec<u64> = (0..graph.slots(class)).step_by(step as usize).collect();
            for portable in [false, true] {
                let graph = MorrisGraph::new(&index);
                let graph = if portable { graph.portable() } else { graph };
                let mut told = Vec::new();
                assert!(graph.parents_within(class, &slots, |slot, stretch| told.push((slot, stretch))));
                assert!(told.iter().map(|(slot, _)| slot).eq(&slots), "each slot once, in order");
                for (slot, stretch) in told {
                    let mut parents = Vec::new();
                    graph.parents(class, slot, &mut parents);
                    let name = graph.name(class);
                    assert!(parents.iter().all(|parent| stretch.contains(parent)), "slot {slot} of {name}, {men} men");
                    assert!(stretch.end <= graph.slots(class), "slot {slot} of {name}, {men} men");
                    if !parents.is_empty() {
                        parents_in_all += parents.len() as u64;
                        blocks_in_all += (stretch.end - 1) / BLOCK - stretch.start / BLOCK + 1;
                    }
                }
            }
        }
        // What makes it worth while to send the slot instead of its parents.
        assert!(blocks_in_all * 2 < parents_in_all, "{men} men: {parents_in_all} parents in {blocks_in_all} blocks");
    }
}
