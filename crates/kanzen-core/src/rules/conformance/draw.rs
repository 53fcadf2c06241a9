//! Samples the positions that the kit checks.

use std::collections::{BTreeMap, HashSet};

use crate::rules::Game;
use crate::rules::playouts::playouts;
use crate::vocabulary::Key;

/// A game that does not end is given up after so many plies.
const PLIES: usize = 200;
/// Positions that the games reach, at least: so that rare ones are not missed.
const LOOKED_AT: usize = 20_000;
const SEED: u64 = 0x006b_6974;

/// Positions to check.
pub struct Drawn<P> {
    pub positions: Vec<P>,
    /// How many of them, at the end, come from random games.
    pub at_random: usize,
    /// Whether these are all positions that can be reached.
    pub complete: bool,
}

/// At most `limit` positions: all that can be reached from the initial one, if they are so few; else the nearest, and
/// half of them from random games with a fixed seed.
pub fn draw<G: Game>(game: &G, limit: usize) -> Drawn<G::Position> {
    let (mut positions, known, complete) = nearest(game, limit);
    if complete {
        return Drawn { positions, at_random: 0, complete };
    }
    let far = at_random(game, known, limit / 2);
    positions.truncate(limit.saturating_sub(far.len()).max(1));
    let at_random = far.len();
    positions.extend(far);
    Drawn { positions, at_random, complete }
}

/// The first positions breadth first, their keys, and whether there are no more.
fn nearest<G: Game>(game: &G, limit: usize) -> (Vec<G::Position>, HashSet<u128>, bool) {
    let mut positions = vec![game.initial()];
    let mut known = HashSet::from([game.pack(game.initial()).wide()]);
    let mut complete = true;
    let mut next = 0;
    while next < positions.len() && complete {
        let position = positions[next];
        next += 1;
        if game.ended(position).is_none() {
            game.moves(position, &mut |_, child| {
                let key = game.pack(child).wide();
                if known.contains(&key) {
                } else if positions.len() < limit {
                    known.insert(key);
                    positions.push(child);
                } else {
                    complete = false;
                }
            });
        }
    }
    (positions, known, complete)
}

/// The groups of a sample: rare ones get as many positions as others, where there are so many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lot {
    Stuck,
    Ended,
    Open(u32),
}

/// So many positions that are not `known`, if there are: from every class that the games meet, from their ends, and
/// from where the mover has no move.
fn at_random<G: Game>(game: &G, mut known: HashSet<u128>, count: usize) -> Vec<G::Position> {
    let mut lots: BTreeMap<Lot, Vec<G::Position>> = BTreeMap::new();
    let mut left = LOOKED_AT.max(8 * count);
    playouts(game, SEED, left, PLIES, |seen| {
        let lot = match seen.played {
            Some(_) => Lot::Open(game.class(seen.position)),
            None if game.ended(seen.position).is_some() => Lot::Ended,
            None => Lot::Stuck,
        };
        let end = seen.steps.iter().map(|(_, child)| (Lot::Ended, *child)).find(|(_, end)| game.ended(*end).is_some());
        for (lot, position) in [(lot, seen.position)].into_iter().chain(end) {
            if known.insert(game.pack(position).wide()) {
                lots.entry(lot).or_default().push(position);
            }
        }
        left -= 1;
        left > 0
    });
    shares(lots.into_values().collect(), count)
}

/// `count` of the items, as many of each lot as of the others where it has so many, from all over the lot.
fn shares<T: Copy>(mut lots: Vec<Vec<T>>, count: usize) -> Vec<T> {
    lots.sort_by_key(Vec::len);
    let mut taken = Vec::new();
    for (done, lot) in lots.iter().enumerate() {
        let share = lot.len().min((count - taken.len()) / (lots.len() - done));
        taken.extend((0..share).map(|nth| lot[nth * lot.len() / share]));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_lots_are_taken_whole_and_the_rest_is_shared() {
        let lots = vec![(0..100).collect(), vec![100], (200..250).collect()];
        let taken = shares(lots, 31);
        assert_eq!(taken.len(), 31);
        assert_eq!(taken.iter().filter(|&&item| item < 100).count(), 15);
        assert_eq!(taken.iter().filter(|&&item| item >= 200).count(), 15);
        assert!(taken.contains(&100) && taken.contains(&93) && !taken.contains(&99));
    }

    #[test]
    fn no_more_is_taken_than_there_is() {
        assert_eq!(shares(vec![vec![1, 2], vec![]], 10), [1, 2]);
        assert!(shares::<u8>(vec![], 10).is_empty());
    }
}
