//! A game's rules and its list of positions as a graph for the engine.

use std::ops::Range;

use super::state::MAX_CHILDREN;
use super::{Earlier, Graph, Node, Prospects, SlotInit};
use crate::index::Listed;
use crate::rules::Game;
use crate::vocabulary::{Key, Value};

/// Moves whose slots are looked up together.
const BATCH: usize = 32;
/// One slot of so many is looked at more closely where its children are only counted: are they listed?
const CHECKED: u64 = 64;

struct Batch<K> {
    keys: [K; BATCH],
    filled: usize,
}

/// The graph of a game that brings rules only.
pub struct RulesGraph<'a, G: Game> {
    game: &'a G,
    index: &'a Listed<G::Key>,
    tells_unmoves: bool,
}

impl<'a, G: Game> RulesGraph<'a, G> {
    /// The positions of `index` with the moves of `game`.
    pub fn new(game: &'a G, index: &'a Listed<G::Key>) -> RulesGraph<'a, G> {
        RulesGraph { game, index, tells_unmoves: game.unmoves(game.initial(), &mut |_| {}) }
    }

    /// The first word of the position with this key; nothing if something is wrong with its moves.
    fn init(
        &self,
        class: usize,
        key: G::Key,
        check: bool,
        earlier: &Earlier,
        children: &mut Vec<G::Key>,
    ) -> Option<SlotInit> {
        let position = self.game.unpack(key);
        if let Some(value) = self.game.ended(position) {
            return Some(SlotInit::ended(value));
        }
        let (mut stuck, mut sound) = (true, true);
        let mut settled = Prospects::default();
        children.clear();
        self.game.moves(position, &mut |_, child| {
            stuck = false;
            let value = if self.game.counted(child) {
                let child = self.game.canonical(child);
                let key = self.game.pack(child);
                match self.index.place_of_class(self.game.class(child)) {
                    Some(here) if here == class => return children.push(key),
                    Some(there) if there < class => self.index.rank(there, key).map(|slot| earlier.value(there, slot)),
                    _ => None,
                }
            } else {
                self.game.ended(child)
            };
            match value {
                Some(value) => settled.add(value),
                None => sound = false,
            }
        });
        if stuck {
            return Some(SlotInit::ended(self.game.stuck(position)));
        }
        drop_repeats(children, 0);
        if check {
            self.index.keys(class).rank_all(children, &mut |_, slot| sound &= slot.is_some());
        }
        let edges = u32::try_from(children.len()).ok().filter(|edges| sound && *edges <= MAX_CHILDREN)?;
        Some(SlotInit::open(edges, settled))
    }
}

/// Sorts the keys from a place on, and leaves each once.
fn drop_repeats<K: Key>(keys: &mut Vec<K>, start: usize) {
    keys[start..].sort_unstable();
    let mut kept = start;
    for at in start..keys.len() {
        if kept == start || keys[kept - 1] != keys[at] {
            keys[kept] = keys[at];
            kept += 1;
        }
    }
    keys.truncate(kept);
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
            self.index.keys(class).rank_all(keys, &mut |number, slot| match slot {
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

    /// Counts edges by the keys of children: their slots are not wanted where parents are told.
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        if !self.tells_unmoves {
            return false;
        }
        let mut children = Vec::new();
        let mut sound = true;
        let mut slot = slots.start;
        self.index.keys(class).visit(slots, |key| {
            match self.init(class, key, slot.is_multiple_of(CHECKED), earlier, &mut children) {
                Some(init) if sound => inits.push(init),
                _ => sound = false, // and `expand` will say what is wrong
            }
            slot += 1;
        });
        sound
    }

    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        if self.tells_unmoves {
            self.parents_of(class, &[slot], |parent| parents.push(parent));
        }
        self.tells_unmoves
    }

    fn parents_of(&self, class: usize, slots: &[u64], mut visit: impl FnMut(u64)) {
        let keys = self.index.keys(class);
        slots.iter().for_each(|slot| keys.fetch(*slot));
        let mut parents = Vec::with_capacity(16 * slots.len());
        for &slot in slots {
            let start = parents.len();
            self.game.unmoves(self.game.unpack(keys.key(slot)), &mut |parent| {
                if self.game.counted(parent) {
                    let parent = self.game.canonical(parent);
                    if self.index.place_of_class(self.game.class(parent)) == Some(class) {
                        parents.push(self.game.pack(parent));
                    }
                }
            });
            drop_repeats(&mut parents, start);
        }
        keys.rank_all(&parents, &mut |_, slot| slot.into_iter().for_each(&mut visit));
    }

    fn endless(&self, class: usize, slot: u64) -> Value {
        self.game.endless(self.game.unpack(self.index.key(class, slot)))
    }
}
