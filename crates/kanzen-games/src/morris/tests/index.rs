//! Tests of the index: the choice of stored placing layers, and two numberings of the same positions.

use kanzen_core::index::OrbitTable;

use crate::morris::Morris;
use crate::morris::index::numbering::*;
use crate::morris::index::phases::{CHOICES, choose_layers, first_missing};

#[test]
fn as_many_layers_are_kept_as_fit() {
    let kept = |layers: &[u64]| {
        let keeps = choose_layers(layers);
        (1..layers.len() as u32).filter(|&in_hand| keeps(in_hand)).collect::<Vec<_>>()
    };
    let giga = |sizes: [u64; 6]| sizes.map(|size| size * 1_000_000_000);
    assert_eq!(kept(&giga([1, 1, 1, 1, 1, 1])), [1, 2, 3, 4, 5]);
    assert_eq!(kept(&giga([3, 3, 2, 1, 1, 1])), [2, 3, 4, 5]);
    assert_eq!(kept(&giga([3, 4, 3, 2, 1, 1])), [2, 3, 5]);
    assert_eq!(kept(&giga([5, 4, 3, 2, 1, 1])), [3, 5]);
    assert_eq!(kept(&giga([10, 4, 3, 2, 1, 1])), [3, 5], "the limit is best effort");
}

#[test]
fn an_omitted_layer_is_at_most_two_plies_from_a_stored_one() {
    for keeps in CHOICES {
        let kept = |in_hand: u32| in_hand == 0 || keeps(in_hand);
        assert!((1..=24u32).all(|in_hand| (0..=2).any(|plies| kept(in_hand.saturating_sub(plies)))));
    }
}

#[test]
fn a_database_lacks_what_its_answers_depend_on() {
    let classes = |stored: [bool; 7]| [0, 0, 1, 1, 2, 3, 4].into_iter().zip(stored).collect::<Vec<_>>();
    let lacking = |stored: [u8; 7]| first_missing(&classes(stored.map(|bit| bit == 1)));
    assert_eq!(lacking([1; 7]), None);
    assert_eq!(lacking([1, 1, 0, 0, 0, 1, 0]), None, "a probe plays two plies");
    assert_eq!(lacking([1, 0, 1, 1, 1, 1, 1]), Some(1), "the moving classes are always needed");
    assert_eq!(lacking([1, 1, 1, 0, 1, 1, 1]), Some(3), "a layer is stored whole");
    assert_eq!(lacking([1, 1, 0, 0, 0, 0, 1]), Some(5), "a probe does not play three plies");
    for keeps in CHOICES {
        let classes: Vec<(u32, bool)> = (0..=18).map(|in_hand| (in_hand, in_hand == 0 || keeps(in_hand))).collect();
        assert_eq!(first_missing(&classes), None);
    }
}

#[test]
fn the_lists_are_those_of_a_table_of_all_masks() {
    for men in Morris::MEN {
        let game = Morris::new(men).unwrap();
        let numbering = Numbering::new(&game);
        for opponent in 0..=men.min(6) {
            let half = numbering.half(0, opponent, game.flies(opponent));
            let table = OrbitTable::new(half.group(&game), game.board().points, opponent);
            let expected: Vec<u32> = (0..table.orbits()).map(|orbit| table.representative(orbit) as u32).collect();
            assert_eq!(numbering.representatives(&game, half), expected, "{men} men, {opponent} on the board");
            assert_eq!(half.slots, expected.len() as u64);
        }
    }
}
