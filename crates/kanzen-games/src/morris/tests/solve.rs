//! Tests of the solver: ranges of parents, and single classes against children with random (seeded) values.

use kanzen::progress::Silent;
use kanzen::{Budget, Value};
use kanzen_core::machine::Codes;
use kanzen_solve::retrograde::Graph;
use kanzen_solve::{Job, WorkFolder, plane_file, retrograde};

use super::single_class::{Method, SingleClass, one_by_one, random_children};
use crate::morris::{Morris, MorrisGraph, MorrisIndex};

/// Slots checked per class, at most.
const LOOKED_AT: u64 = 2_000;
/// Slots per block that is distributed to processes.
const BLOCK: u64 = 1 << 16;

#[test]
fn all_parents_of_a_slot_are_in_the_reported_range() {
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
                let mut reported = Vec::new();
                assert!(graph.parents_within(class, &slots, |slot, range| reported.push((slot, range))));
                assert!(reported.iter().map(|(slot, _)| slot).eq(&slots), "each slot once, in order");
                for (slot, range) in reported {
                    let mut parents = Vec::new();
                    graph.parents(class, slot, &mut parents);
                    let name = graph.name(class);
                    assert!(parents.iter().all(|parent| range.contains(parent)), "slot {slot} of {name}, {men} men");
                    assert!(range.end <= graph.slots(class), "slot {slot} of {name}, {men} men");
                    if !parents.is_empty() {
                        parents_in_all += parents.len() as u64;
                        blocks_in_all += (range.end - 1) / BLOCK - range.start / BLOCK + 1;
                    }
                }
            }
        }
        // Only then does sending the slot instead of its parents pay off.
        assert!(blocks_in_all * 2 < parents_in_all, "{men} men: {parents_in_all} parents in {blocks_in_all} blocks");
    }
}

/// The values of a class, by slot.
fn solved(graph: &MorrisGraph<'_>, class: usize, method: Method) -> Codes {
    solved_from(random_children(graph, class, 8).unwrap(), graph, class, method)
}

fn solved_from(store: WorkFolder, graph: &MorrisGraph<'_>, class: usize, method: Method) -> Codes {
    let job = Job::new(&store, Budget::new(2, 4 << 30), &Silent).unwrap();
    retrograde::solve(&SingleClass { graph, class, method }, &job).unwrap();
    store.get_plane(&plane_file(class)).unwrap()
}

/// Flying men have other symmetries than sliding men. These classes have children of both kinds, of one kind after a
/// quiet placement and of the other after a take, and children that are lost at once.
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
        let [rules, others @ ..] = [Method::Rules, Method::AtOnce, Method::Blocks, Method::AnyRange]
            .map(|method| solved(&graph, class, method));
        let portable = solved(&MorrisGraph::new(&index).portable(), class, Method::AtOnce);
        for slot in 0..graph.slots(class) as usize {
            let value = rules[slot];
            let found = others.each_ref().map(|found| found[slot]);
            assert_eq!(found, [value; 3], "{name} of {men} men, slot {slot}");
            assert_eq!(portable[slot], value, "{name} of {men} men, slot {slot}");
        }
    }
}

/// Classes that lead to or from positions with three men.
const MOVING: [(u32, &str); 8] =
    [(5, "4-3"), (5, "5-4"), (6, "5-3"), (6, "5-5"), (7, "4-3"), (7, "4-4"), (7, "6-3"), (9, "4-4")];

#[test]
fn a_moving_class_initialized_at_once_is_the_same() {
    for (men, name) in MOVING {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [by_ranges, at_once] = [Method::Blocks, Method::AtOnce].map(|method| solved(&graph, class, method));
        let portable = solved(&MorrisGraph::new(&index).portable(), class, Method::AtOnce);
        for slot in 0..graph.slots(class) as usize {
            let value = by_ranges[slot];
            let found = (at_once[slot], portable[slot]);
            assert_eq!(found, (value, value), "{name} of {men} men, slot {slot}");
        }
    }
}

#[test]
fn distances_without_a_score_are_kept() {
    for (men, name) in [(6, "3 in hand, 4-4"), (7, "4-4")] {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let class = (0..graph.classes()).find(|&class| graph.name(class) == name).unwrap();
        let [by_ranges, at_once] = [Method::Blocks, Method::AtOnce].map(|method| {
            let store = WorkFolder::in_memory();
            for other in 0..class {
                let slots = if graph.needs(class).contains(&other) { graph.slots(other) } else { 0 };
                let far = |slot: u64| match slot % 3 {
                    0 => Value::loss(300),
                    1 => Value::win((slot % 200 * 2 + 1) as u16),
                    _ => Value::loss((slot % 200 * 2) as u16),
                };
                store.put_plane(&plane_file(other), slots, &one_by_one(far), &|_| Ok(())).unwrap();
            }
            solved_from(store, &graph, class, method)
        });
        let differs = |&slot: &usize| by_ranges[slot] != at_once[slot];
        assert_eq!((0..graph.slots(class) as usize).find(differs), None, "{name} of {men} men");
    }
}
