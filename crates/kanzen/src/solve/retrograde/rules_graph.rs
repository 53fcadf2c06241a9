//! A game's rules and its list of positions as a graph for the engine.

use super::{Earlier, Graph, Node};
use crate::index::Listed;
use crate::rules::Game;
use crate::vocabulary::Value;

/// Moves whose slots are looked up together.
const BATCH: usize = 32;

struct Batch<K> {
    keys: [K; BATCH],
    filled: usize,
}

/// The graph of a game that brings rules only.
pub struct RulesGraph<'a, G: Game> {
    game: &'a G,
    index: &'a Listed<G::Key>,
}

impl<'a, G: Game> RulesGraph<'a, G> {
    /// The positions of `index` with the moves of `game`.
    pub fn new(game: &'a G, index: &'a Listed<G::Key>) -> RulesGraph<'a, G> {
        RulesGraph { game, index }
    }

    /// The class and slot of a position, if it is listed.
    fn find(&self, position: G::Position) -> Option<(usize, u64)> {
        let canonical = self.game.canonical(position);
        let class = self.index.place_of_class(self.game.class(canonical))?;
        Some((class, self.index.rank(class, self.game.pack(canonical))?))
    }
}

impl<G: Game> Graph for RulesGraph<'_, G> {
    fn classes(&self) -> usize {
        self.index.classes().len()
    }

    fn name(&self, class: usize) -> String {
        if self.classes() == 1 {
            return "all positions".to_owned();
        }
        let label = self.game.class_label(self.index.classes()[class].0);
        label.iter().map(|(name, number)| format!("{name} {number}")).collect::<Vec<_>>().join(", ")
    }

    fn slots(&self, class: usize) -> u64 {
        self.index.classes()[class].1.len()
    }

    fn needs(&self, class: usize) -> Vec<usize> {
        (0..class).collect()
    }

    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        let position = self.game.unpack(self.index.key(class, slot));
        if let Some(value) = self.game.ended(position) {
            return node.end(value);
        }
        let mut stuck = true;
        // Nearly all moves stay in the class: their slots are looked up together.
        let mut batch = Batch { keys: [self.index.key(class, slot); BATCH], filled: 0 };
        let flush = |batch: &mut Batch<G::Key>, node: &mut Node| {
            let keys = &batch.keys[..batch.filled];
            self.index.rank_all(class, keys, &mut |number, slot| match slot {
                Some(slot) => node.here(slot),
                None => node.fault(format!("{} is not listed", self.game.show(self.game.unpack(keys[number])))),
            });
            batch.filled = 0;
        };
        self.game.moves(position, &mut |_, child| {
            stuck = false;
            if !self.game.counted(child) {
                match self.game.ended(child) {
                    Some(value) => node.settled(value),
                    None => node.fault(format!("{} is not counted and not ended", self.game.show(child))),
                }
                return;
            }
            let child = self.game.canonical(child);
            let key = self.game.pack(child);
            match self.index.place_of_class(self.game.class(child)) {
                Some(here) if here == class => {
                    batch.keys[batch.filled] = key;
                    batch.filled += 1;
                    if batch.filled == BATCH {
                        flush(&mut batch, node);
                    }
                }
                Some(there) if there < class => match self.index.rank(there, key) {
                    Some(slot) => node.settled(earlier.value(there, slot)),
                    None => node.fault(format!("{} is not listed", self.game.show(child))),
                },
                Some(_) => node.fault(format!("a move from {} leads to a higher class", self.game.show(position))),
                None => node.fault(format!("{} is not listed", self.game.show(child))),
            }
        });
        flush(&mut batch, node);
        if stuck {
            node.end(self.game.stuck(position));
        }
    }

    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        let position = self.game.unpack(self.index.key(class, slot));
        let start = parents.len();
        let told = self.game.unmoves(position, &mut |parent| {
            if self.game.counted(parent)
                && let Some((here, slot)) = self.find(parent)
                && here == class
            {
                parents.push(slot);
            }
        });
        parents[start..].sort_unstable();
        let mut kept = start;
        for at in start..parents.len() {
            if kept == start || parents[kept - 1] != parents[at] {
                parents[kept] = parents[at];
                kept += 1;
            }
        }
        parents.truncate(kept);
        told
    }

    fn endless(&self, class: usize, slot: u64) -> Value {
        self.game.endless(self.game.unpack(self.index.key(class, slot)))
    }
}
