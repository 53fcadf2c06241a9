//! Which layers are kept.

use crate::morris::layers::*;

#[test]
fn as_many_layers_are_kept_as_fit() {
    let kept = |layers: &[u64]| {
        let keeps = choose(layers);
        (1..layers.len() as u32).filter(|&in_hand| keeps(in_hand)).collect::<Vec<_>>()
    };
    let giga = |sizes: [u64; 6]| sizes.map(|size| size * 1_000_000_000);
    assert_eq!(kept(&giga([1, 1, 1, 1, 1, 1])), [1, 2, 3, 4, 5]);
    assert_eq!(kept(&giga([3, 3, 2, 1, 1, 1])), [2, 3, 4, 5]);
    assert_eq!(kept(&giga([3, 4, 3, 2, 1, 1])), [2, 3, 5]);
    assert_eq!(kept(&giga([5, 4, 3, 2, 1, 1])), [3, 5]);
    assert_eq!(kept(&giga([10, 4, 3, 2, 1, 1])), [3, 5], "it is a wish, not a refusal");
}

#[test]
fn what_is_left_out_is_at_most_two_plies_from_what_is_kept() {
    for keeps in CHOICES {
        let kept = |in_hand: u32| in_hand == 0 || keeps(in_hand);
        assert!((1..=24u32).all(|in_hand| (0..=2).any(|plies| kept(in_hand.saturating_sub(plies)))));
    }
}

#[test]
fn a_database_lacks_what_its_answers_depend_on() {
    let classes = |stored: [bool; 7]| [0, 0, 1, 1, 2, 3, 4].into_iter().zip(stored).collect::<Vec<_>>();
    let lacking = |stored: [u8; 7]| first_lacking(&classes(stored.map(|bit| bit == 1)));
    assert_eq!(lacking([1; 7]), None);
    assert_eq!(lacking([1, 1, 0, 0, 0, 1, 0]), None, "two plies are played");
    assert_eq!(lacking([1, 0, 1, 1, 1, 1, 1]), Some(1), "the moving classes are always needed");
    assert_eq!(lacking([1, 1, 1, 0, 1, 1, 1]), Some(3), "half a layer is not a choice");
    assert_eq!(lacking([1, 1, 0, 0, 0, 0, 1]), Some(5), "three plies are not");
    for keeps in CHOICES {
        let classes: Vec<(u32, bool)> = (0..=18).map(|in_hand| (in_hand, in_hand == 0 || keeps(in_hand))).collect();
        assert_eq!(first_lacking(&classes), None);
    }
}
