//! A plain, slow solver to check the others against. It shares no code with them: no index, no un-moves, no levels
//! kept in words, only the rules and a map from positions to values.

use std::collections::HashMap;

use crate::rules::Game;
use crate::vocabulary::{Key, Value};

/// The value of every position reachable from the game's roots, by its key (mirror images apart).
///
/// Each sweep gives one more distance: first the ends of the game, then what is lost or won in one ply, in two, ...
pub fn solve<G: Game>(game: &G) -> HashMap<u128, Value> {
    let (positions, children) = explore(game);
    let mut values: Vec<Option<Value>> = vec![None; positions.len()];
    for distance in 0.. {
        let mut found = Vec::new();
        let mut waiting = false;
        for (at, &position) in positions.iter().enumerate() {
            if values[at].is_some() {
                continue;
            }
            let value = match (game.ended(position), &children[at]) {
                (Some(value), _) => Some(value),
                (None, moves) if moves.is_empty() => Some(game.stuck(position)),
                (None, moves) => best(moves, &values),
            };
            match value.map(|value| (value, value.distance())) {
                Some((value, Some(plies))) if plies == distance => found.push((at, value)),
                Some((_, Some(_))) => waiting = true,
                _ => {}
            }
        }
        if found.is_empty() && !waiting {
            break;
        }
        for (at, value) in found {
            values[at] = Some(value);
        }
    }
    let value = |at: usize| match values[at] {
        Some(value) => value,
        None => game.ended(positions[at]).unwrap_or_else(|| match children[at].is_empty() {
            true => game.stuck(positions[at]),
            false => game.endless(positions[at]),
        }),
    };
    (0..positions.len()).map(|at| (game.pack(positions[at]).wide(), value(at))).collect()
}

/// The value that the known children prove: a win if one of them is lost, a loss if all of them are won.
fn best(moves: &[Child], values: &[Option<Value>]) -> Option<Value> {
    let known: Vec<Option<Value>> = moves
        .iter()
        .map(|child| match child {
            Child::Known(value) => Some(*value),
            Child::Listed(at) => values[*at],
        })
        .collect();
    let proven = known.iter().flatten().map(|child| child.before()).max()?;
    let all_won = known.iter().all(|child| child.is_some_and(|value| value.distance().is_some()));
    (proven > Value::DRAW || all_won).then_some(proven)
}

enum Child {
    Listed(usize),
    Known(Value),
}

fn explore<G: Game>(game: &G) -> (Vec<G::Position>, Vec<Vec<Child>>) {
    let mut positions = Vec::new();
    let mut numbers: HashMap<u128, usize> = HashMap::new();
    let mut number = |positions: &mut Vec<G::Position>, position: G::Position| {
        *numbers.entry(game.pack(position).wide()).or_insert_with(|| {
            positions.push(position);
            positions.len() - 1
        })
    };
    game.roots(&mut |root| {
        number(&mut positions, root);
    });
    let mut children = Vec::new();
    while children.len() < positions.len() {
        let position = positions[children.len()];
        let mut moves = Vec::new();
        if game.ended(position).is_none() {
            game.moves(position, &mut |_, child| {
                moves.push(match game.ended(child) {
                    Some(value) if !game.counted(child) => Child::Known(value),
                    _ => Child::Listed(number(&mut positions, child)),
                });
            });
        }
        children.push(moves);
    }
    (positions, children)
}
