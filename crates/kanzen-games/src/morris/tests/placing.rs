//! Placing classes on their own, against children whose values are drawn by lot.

use std::ops::Range;

use kanzen::progress::Silent;
use kanzen::solve::retrograde::{self, Earlier, Graph, Node, SlotInit};
use kanzen::solve::{Job, MemoryStore, SolveStore, plane_file};
use kanzen::{Budget, Value};

use crate::morris::{Morris, MorrisGraph, MorrisIndex};

/// How the slots of the class are looked at.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Blocks,
    AnyStretch,
    Rules,
}

/// The classes up to one, which is looked at in one way or another.
struct UpTo<'a> {
    graph: &'a MorrisGraph<'a>,
    class: usize,
    look: Look,
}

impl Graph for UpTo<'_> {
    fn classes(&self) -> usize {
        self.class + 1
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
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.graph.endless(class, slot)
    }
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        self.look != Look::Rules && self.graph.init_slots(class, slots, earlier, inits)
    }
    fn together(&self, class: usize) -> u64 {
        if self.look == Look::Blocks { self.graph.together(class) } else { 1 }
    }
    fn stays(&self, class: usize) -> bool {
        self.graph.stays(class)
    }
}

fn by_lot(slot: u64) -> Value {
    let lot = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    match lot % 8 {
        0 => Value::DRAW,
        1 => Value::loss((lot / 8 % 32 * 2) as u16),
        _ => Value::win((lot / 8 % 32 * 2 + 1) as u16),
    }
}

fn solved(graph: &MorrisGraph<'_>, class: usize, look: Look) -> MemoryStore {
    let store = MemoryStore::default();
    for other in 0..class {
        let slots = if graph.needs(class).contains(&other) { graph.slots(other) } else { 1 };
        store.put_plane(&plane_file(other), slots, &by_lot, &|_| Ok(())).unwrap();
    }
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
