use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn of(sets: &BTreeSet<u64>) -> Zdd {
    let mut family = Ascending::new();
    sets.iter().for_each(|&set| family.push(set));
    family.finish()
}

/// A family, against the sorted list of its sets.
fn check(zdd: &Zdd, sets: &BTreeSet<u64>) {
    assert_eq!(zdd.len(), sets.len() as u64);
    for (number, &set) in (0..).zip(sets) {
        assert_eq!(zdd.rank(set), Some(number));
        assert_eq!(zdd.unrank(number), Some(set));
        for wrong in (0..64).map(|element| set ^ 1 << element).filter(|wrong| !sets.contains(wrong)) {
            assert_eq!(zdd.rank(wrong), None);
        }
    }
    assert_eq!(zdd.unrank(zdd.len()), None);
}

/// The number of different nodes by definition: families below each prefix, those without the element left out.
fn naive_nodes(sets: &BTreeSet<u64>) -> u64 {
    fn visit(sets: &BTreeSet<u64>, level: u32, seen: &mut BTreeSet<(u32, BTreeSet<u64>)>) {
        if sets.is_empty() || level == 0 {
            return;
        }
        let element = 1u64 << (level - 1);
        let high: BTreeSet<u64> = sets.iter().filter(|&set| set & element != 0).map(|set| set ^ element).collect();
        let low: BTreeSet<u64> = sets.iter().copied().filter(|set| set & element == 0).collect();
        if high.is_empty() {
            return visit(&low, level - 1, seen);
        }
        if seen.insert((level, sets.clone())) {
            visit(&low, level - 1, seen);
            visit(&high, level - 1, seen);
        }
    }
    let mut seen = BTreeSet::new();
    visit(sets, 63, &mut seen);
    seen.len() as u64 + 1
}

#[test]
fn nothing_and_the_empty_set() {
    check(&of(&BTreeSet::new()), &BTreeSet::new());
    check(&of(&BTreeSet::from([0])), &BTreeSet::from([0]));
    assert_eq!(of(&BTreeSet::from([0])).nodes(), 1);
}

#[test]
fn both_ways_to_build_give_the_same_family() {
    let two_or_three = |levels: u32| {
        top_down(levels, 0u32, |level, taken, take| {
            let taken = taken + u32::from(take);
            (taken <= 3 && taken + level > 2).then_some(taken)
        })
    };
    for levels in [2, 3, 7, 12] {
        let sets: BTreeSet<u64> = (0..1u64 << levels).filter(|set| (2..=3).contains(&set.count_ones())).collect();
        let (above, below) = (two_or_three(levels), of(&sets));
        check(&above, &sets);
        check(&below, &sets);
        assert_eq!(above.nodes(), below.nodes());
        assert_eq!(above.nodes(), naive_nodes(&sets));
    }
}

#[test]
#[should_panic(expected = "out of order")]
fn sets_must_ascend() {
    let mut family = Ascending::new();
    family.push(5);
    family.push(5);
}

proptest! {
    #[test]
    fn any_family_is_numbered_in_order(sets in prop::collection::btree_set(0u64..1 << 14, 0..300)) {
        check(&of(&sets), &sets);
        prop_assert_eq!(of(&sets).nodes(), naive_nodes(&sets));
    }

    #[test]
    fn far_apart_sets_too(sets in prop::collection::btree_set(0u64..1 << 63, 0..40)) {
        check(&of(&sets), &sets);
    }
}
