//! Classes on their own, against children whose values are drawn by lot: placing ones, and moving ones at once.

use kanzen::progress::Silent;
use kanzen::solve::retrograde::{self, Graph};
use kanzen::solve::{Job, MemoryStore, SolveStore, plane_file};
use kanzen::{Budget, Value};

use super::up_to::{Look, UpTo, children_by_lot, one_by_one};
use crate::morris::{Morris, MorrisGraph, MorrisIndex};

fn solved(graph: &MorrisGraph<'_>, class: usize, look: Look) -> MemoryStore {
    solved_from(children_by_lot(graph, class, 8).unwrap(), graph, class, look)
}

fn solved_from(store: MemoryStore, graph: &MorrisGraph<'_>, class: usize, look: Look) -> MemoryStore {
    let job = Job::new(&store, Budget::new(2, 4 << 30), &Silent).unwrap();
    retrograde::solve(&UpTo { graph, class, look }, &job).unwrap();
    store
}

/// Men that fly have other symmetries than men that slide: among these are children of both kinds, of one kind after a
/// quiet placement and the other after a take, and children that are lost at once.
const CLASSES: [(u32, &str); 14] = [
    (3, "3 in hand, 1-2"),
    (6, "3 in hand, 4-4"),
    (6, "4 in hand, 3-4"),
    (7, "3 in hand, 4-4"),
    (7, "2 in hand, 5-6"),
    (7, "5 in hand, 3-5"),
    (9, "1 in hand, 2-3"),
    (9, "1 in hand, 2-4"),
    (9, "1 in hand, 3-3"),
    (9, "4 in hand, 3-3"),
    (9, "9 in hand, 4-1"),
    (9, "12 in hand, 3-0"),
    (12, "18 in hand, 3-2"),
    (12, "17 in hand, 2-4"),
];

#[test]
fn placing_agrees_with_the_rules_wherever_it_leads() {
    for (men, name) in CLASSES {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [rules, others @ ..] =
            [Look::Rules, Look::AtOnce, Look::Blocks, Look::AnyStretch].map(|look| solved(&graph, class, look));
        let portable = solved(&MorrisGraph::new(&index).portable(), class, Look::AtOnce);
        for slot in 0..graph.slots(class) {
            let value = rules.value(class, slot);
            let found = others.each_ref().map(|found| found.value(class, slot));
            assert_eq!(found, [value; 3], "{name} of {men} men, slot {slot}");
            assert_eq!(portable.value(class, slot), value, "{name} of {men} men, slot {slot}");
        }
    }
}

/// With classes that those who have three men lead to, or lead out of.
const MOVING: [(u32, &str); 8] =
    [(5, "4-3"), (5, "5-4"), (6, "5-3"), (6, "5-5"), (7, "4-3"), (7, "4-4"), (7, "6-3"), (9, "4-4")];

#[test]
fn a_moving_class_looked_at_at_once_is_the_same() {
    for (men, name) in MOVING {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [stretches, at_once] = [Look::Blocks, Look::AtOnce].map(|look| solved(&graph, class, look));
        let portable = solved(&MorrisGraph::new(&index).portable(), class, Look::AtOnce);
        for slot in 0..graph.slots(class) {
            let value = stretches.value(class, slot);
            let found = (at_once.value(class, slot), portable.value(class, slot));
            assert_eq!(found, (value, value), "{name} of {men} men, slot {slot}");
        }
    }
}

#[test]
fn distances_that_no_byte_holds_are_kept() {
    for (men, name) in [(6, "3 in hand, 4-4"), (7, "4-4")] {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [stretches, at_once] = [Look::Blocks, Look::AtOnce].map(|look| {
            let store = MemoryStore::default();
            for other in 0..class {
                let slots = if graph.needs(class).contains(&other) { graph.slots(other) } else { 0 };
                let far = |slot: u64| match slot % 3 {
                    0 => Value::loss(300),
                    1 => Value::win((slot % 200 * 2 + 1) as u16),
                    _ => Value::loss((slot % 200 * 2) as u16),
                };
                store.put_plane(&plane_file(other), slots, &one_by_one(far), &|_| Ok(())).unwrap();
            }
            solved_from(store, &graph, class, look)
        });
        let differs = |&slot: &u64| stretches.value(class, slot) != at_once.value(class, slot);
        assert_eq!((0..graph.slots(class)).find(differs), None, "{name} of {men} men");
    }
}
