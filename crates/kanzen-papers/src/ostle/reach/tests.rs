//! The layers, checked against a search with the rules alone.

use std::collections::HashSet;

use kanzen::progress::Silent;

use super::*;
use kanzen_games::ostle::{Army, Position};

const TABLE_3: &str = include_str!("../../../tests/data/ostle_bfs.csv");

/// Counts canonical positions by the rules alone.
fn plain(game: &Ostle, depth: usize) -> Reached {
    let [honoured, ignored] = [false, true].map(|ignored| layers(game, ignored, depth));
    Reached { honoured, ignored }
}

fn layers(game: &Ostle, ban_ignored: bool, depth: usize) -> Vec<u64> {
    let start = game.canonical(game.initial());
    let (mut seen, mut layer) = (HashSet::from([start]), vec![start]);
    let mut layers = vec![1];
    while layers.len() <= depth {
        let mut next = Vec::new();
        for &position in &layer {
            let from = if ban_ignored { Position { previous: None, ..position } } else { position };
            game.moves(from, &mut |_, to| {
                let to = game.canonical(to);
                if game.ended(to).is_none() && seen.insert(to) {
                    next.push(to);
                }
            });
        }
        if next.is_empty() {
            break;
        }
        layers.push(next.len() as u64);
        layer = next;
    }
    layers
}

#[test]
fn small_games_are_reached_as_the_rules_say() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        for pieces in [2, 3] {
            let game = Ostle::with_army(Army { least: 1, most: 2 }, pieces, ko).unwrap();
            let expected = plain(&game, 99);
            // Dense from the start, a table that is outgrown on the way, and a table throughout.
            for few in [0, 10, 100, 1000, usize::MAX] {
                let found = reach_with(&game, None, few, &Budget::new(2, 1 << 30), &Silent).unwrap();
                assert_eq!(found, expected, "{ko:?} {pieces} {few}");
            }
            let found = reach_with(&game, Some(5), 100, &Budget::new(2, 1 << 30), &Silent).unwrap();
            assert_eq!(found, plain(&game, 5), "{ko:?} {pieces}");
            assert_ne!(expected.honoured, expected.ignored);
        }
    }
}

#[test]
fn a_few_plies_of_the_real_game_take_little_memory() {
    let game = Ostle::new(10, Ko::Literal).unwrap();
    let budget = Budget::new(2, 4 << 20);
    assert_eq!(reach(&game, Some(3), &budget, &Silent).unwrap(), plain(&game, 3));
    let refusal = reach(&game, Some(20), &budget, &Silent).unwrap_err();
    assert_eq!(refusal.kind(), kanzen::ErrorKind::TooLarge);
    assert!(refusal.to_string().starts_with("layer "), "{refusal}");
}

#[test]
fn the_first_layers_of_the_real_game() {
    let table: Vec<u64> = TABLE_3
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| line.split_once(',').unwrap().1.parse().unwrap())
        .collect();
    let [literal, symmetric] = [Ko::Literal, Ko::Symmetric].map(|ko| plain(&Ostle::new(10, ko).unwrap(), 3));
    // Only the symmetric rule with the ban ignored matches the published table.
    assert_eq!(symmetric.ignored, table[..4]);
    for other in [symmetric.honoured, literal.honoured, literal.ignored] {
        assert_ne!(other, table[..4]);
    }
}
