//! Placing classes on their own, against children whose values are drawn by lot.

use kanzen::Budget;
use kanzen::progress::Silent;
use kanzen::solve::retrograde::{self, Graph};
use kanzen::solve::{Job, MemoryStore};

use super::up_to::{Look, UpTo, children_by_lot};
use crate::morris::{Morris, MorrisGraph, MorrisIndex};

fn solved(graph: &MorrisGraph<'_>, class: usize, look: Look) -> MemoryStore {
    let store = children_by_lot(graph, class, 8).unwrap();
    let job = Job::new(&store, Budget::new(2, 4 << 30), &Silent).unwrap();
    retrograde::solve(&UpTo { graph, class, look }, &job).unwrap();
    store
}

/// Men that fly have other symmetries than men that slide: among these are children of both kinds, of one kind after a
/// quiet placement and the other after a take, and children that are lost at once.
const CLASSES: [(u32, &str); 9] = [
    (6, "3 in hand, 4-4"),
    (7, "3 in hand, 4-4"),
    (9, "1 in hand, 2-3"),
    (9, "1 in hand, 2-4"),
    (9, "1 in hand, 3-3"),
    (9, "4 in hand, 3-3"),
    (9, "9 in hand, 4-1"),
    (9, "12 in hand, 3-0"),
    (12, "18 in hand, 3-2"),
];

#[test]
fn placing_agrees_with_the_rules_wherever_it_leads() {
    for (men, name) in CLASSES {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [blocks, stretches, rules] =
            [Look::Blocks, Look::AnyStretch, Look::Rules].map(|look| solved(&graph, class, look));
        for slot in 0..graph.slots(class) {
            let value = rules.value(class, slot);
            let found = (blocks.value(class, slot), stretches.value(class, slot));
            assert_eq!(found, (value, value), "{name} of {men} men, slot {slot}");
        }
    }
}
