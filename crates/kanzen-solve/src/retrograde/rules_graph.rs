//! Makes a [`Graph`] of a game's rules and its list of positions.

use std::ops::Range;

use super::repeats::Repeats;
use super::state::MAX_CHILDREN;
use super::{Earlier, Graph, Node, Prospects, SlotInit};
use crate::Job;
use crate::mesh::Share;
use crate::shared_keys::SharedKeys;
use kanzen_core::index::{KeyTable, Listed};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Key, Reservation, Value};

/// Moves whose slots are looked up together.
const BATCH: usize = 32;
/// Classes of fewer positions have no table: the list stays in the cache.
const FEW: u64 = 1 << 16;
/// One slot of so many is looked at more closely where its children are only counted: are they listed?
const CHECKED: u64 = 64;

struct Batch<K> {
    keys: [K; BATCH],
    filled: usize,
}

/// What a thread counts children with.
struct Scratch<K> {
    children: Vec<K>,
    repeats: Repeats,
}

impl<K> Default for Scratch<K> {
    fn default() -> Self {
        Scratch { children: Vec::new(), repeats: Repeats::default() }
    }
}

/// The graph of a game that brings rules only.
pub struct RulesGraph<'a, G: Game> {
    game: &'a G,
    index: &'a Listed<G::Key>,
    /// Which process owns the keys that are not in the index, where several processes share them.
    shared: Option<&'a SharedKeys<G::Key>>,
    has_unmoves: bool,
    /// By class, where there is memory to spare: see [`with_tables`](RulesGraph::with_tables).
    tables: Vec<Option<(KeyTable<G::Key>, Reservation)>>,
}

impl<'a, G: Game> RulesGraph<'a, G> {
    /// The positions of `index` with the moves of `game`.
    pub fn new(game: &'a G, index: &'a Listed<G::Key>) -> RulesGraph<'a, G> {
        let has_unmoves = game.unmoves(game.initial(), &mut |_| {});
        RulesGraph { game, index, shared: None, has_unmoves, tables: Vec::new() }
    }

    /// The same with a table of the keys of each class, as far as the job's memory has room for them beside what the
    /// solve takes without: so many bytes at the most. A look-up then reads a line of a table instead of searching the
    /// list.
    pub(crate) fn with_tables(mut self, job: &Job<'_>, solving: u64) -> Result<RulesGraph<'a, G>, Error> {
        for (_, keys) in self.index.classes() {
            let left = job.ledger().budget().memory.saturating_sub(job.ledger().held()).saturating_sub(solving);
            let bytes = KeyTable::bytes_for(keys).filter(|bytes| keys.len() >= FEW && *bytes <= left);
            self.tables.push(match bytes {
                None => None,
                Some(bytes) => {
                    let memory = job.reserve("the table of positions", bytes)?;
                    job.install(|| KeyTable::new(keys))?.map(|table| (table, memory))
                }
            });
        }
        Ok(self)
    }

    /// The places of some keys of a class.
    #[inline]
    fn rank_all(&self, class: usize, keys: &[G::Key], found: &mut impl FnMut(usize, Option<u64>)) {
        match self.tables.get(class) {
            Some(Some((table, _))) => table.rank_all(keys, found),
            _ => self.index.keys(class).rank_all(keys, found),
        }
    }

    /// The same where the index has a share of the positions, and `shared` knows the owners of the others.
    pub(crate) fn of_share(
        game: &'a G,
        index: &'a Listed<G::Key>,
        shared: &'a SharedKeys<G::Key>,
    ) -> RulesGraph<'a, G> {
        RulesGraph { shared: Some(shared), ..RulesGraph::new(game, index) }
    }

    /// The place in the index of a slot that is here.
    fn here(&self, slot: u64) -> u64 {
        self.shared.map_or(slot, |shared| shared.share().local(slot))
    }

    /// The slot of a place in the index.
    fn slot(&self, here: u64) -> u64 {
        self.shared.map_or(here, |shared| shared.share().global(here))
    }

    /// The process that would have a key, if it is another one.
    fn elsewhere(&self, class: usize, key: G::Key) -> Option<usize> {
        let shared = self.shared?;
        Some(shared.owner(class, key)).filter(|&owner| owner != shared.share().me)
    }

    /// The value of a position of an earlier class; nothing if it is not listed.
    fn value_before(&self, class: usize, key: G::Key, earlier: &Earlier) -> Option<Value> {
        match self.elsewhere(class, key) {
            None => self.index.rank(class, key).map(|here| earlier.value(class, self.slot(here))),
            Some(owner) => earlier.value_by_name(class, owner, key.wide()),
        }
    }

    /// The first word of the position with this key; nothing if something is wrong with its moves.
    fn init(
        &self,
        class: usize,
        key: G::Key,
        check: bool,
        earlier: &Earlier,
        scratch: &mut Scratch<G::Key>,
    ) -> Option<SlotInit> {
        let Scratch { children, repeats } = scratch;
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
                    Some(there) if there < class => self.value_before(there, key, earlier),
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
        repeats.drop_from(children, 0);
        if check && self.shared.is_none() {
            self.rank_all(class, children, &mut |_, slot| sound &= slot.is_some());
        }
        let edges = u32::try_from(children.len()).ok().filter(|edges| sound && *edges <= MAX_CHILDREN)?;
        Some(SlotInit::open(edges, settled))
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
        self.shared.map_or_else(|| self.index.classes()[class].1.len(), |shared| shared.slots(class))
    }

    fn needs(&self, class: usize) -> Vec<usize> {
        (0..class).collect()
    }

    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        let here = self.here(slot);
        let position = self.game.unpack(self.index.key(class, here));
        if let Some(value) = self.game.ended(position) {
            return node.end(value);
        }
        let mut stuck = true;
        // Nearly all moves stay in the class: their slots are looked up together.
        let mut batch = Batch { keys: [self.index.key(class, here); BATCH], filled: 0 };
        let flush = |batch: &mut Batch<G::Key>, node: &mut Node| {
            let keys = &batch.keys[..batch.filled];
            self.rank_all(class, keys, &mut |number, slot| match slot {
                Some(here) => node.here(self.slot(here)),
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
                    if let Some(owner) = self.elsewhere(class, key) {
                        return node.there(owner, key.wide());
                    }
                    batch.keys[batch.filled] = key;
                    batch.filled += 1;
                    if batch.filled == BATCH {
                        flush(&mut batch, node);
                    }
                }
                Some(there) if there < class => match self.value_before(there, key, earlier) {
                    Some(value) => node.settled(value),
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

    /// Counts edges by the keys of children: their slots are not needed where parents are generated.
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        if !self.has_unmoves {
            return false;
        }
        let mut scratch = Scratch::default();
        let mut sound = true;
        let mut slot = slots.start;
        let here = self.here(slots.start);
        self.index.keys(class).visit(here..here + (slots.end - slots.start), |key| {
            match self.init(class, key, slot.is_multiple_of(CHECKED), earlier, &mut scratch) {
                Some(init) if sound => inits.push(init),
                _ => sound = false, // and `expand` returns the error
            }
            slot += 1;
        });
        sound
    }

    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        if self.has_unmoves {
            self.parents_of(class, &[slot], |parent| parents.push(parent));
        }
        self.has_unmoves
    }

    fn generates_parents(&self, _: usize) -> bool {
        self.has_unmoves
    }

    fn parents_of(&self, class: usize, slots: &[u64], visit: impl FnMut(u64)) {
        self.parents_by_name(class, slots, visit, |_, _| {});
    }

    fn endless(&self, class: usize, slot: u64) -> Value {
        self.game.endless(self.game.unpack(self.index.key(class, self.here(slot))))
    }

    fn name_bytes(&self) -> Option<usize> {
        self.shared.map(|_| size_of::<G::Key>())
    }

    fn parents_by_name(
        &self,
        class: usize,
        slots: &[u64],
        mut here: impl FnMut(u64),
        mut there: impl FnMut(usize, u128),
    ) {
        let keys = self.index.keys(class);
        slots.iter().for_each(|slot| keys.fetch(self.here(*slot)));
        let (mut parents, mut repeats) = (Vec::with_capacity(16 * slots.len()), Repeats::default());
        for &slot in slots {
            let start = parents.len();
            self.game.unmoves(self.game.unpack(keys.key(self.here(slot))), &mut |parent| {
                if self.game.counted(parent) {
                    let parent = self.game.canonical(parent);
                    if self.index.place_of_class(self.game.class(parent)) == Some(class) {
                        parents.push(self.game.pack(parent));
                    }
                }
            });
            repeats.drop_from(&mut parents, start);
        }
        if self.shared.is_some() {
            parents.retain(|&parent| match self.elsewhere(class, parent) {
                None => true,
                Some(owner) => {
                    there(owner, parent.wide());
                    false
                }
            });
        }
        self.rank_all(class, &parents, &mut |_, place| place.into_iter().for_each(|place| here(self.slot(place))));
    }

    fn slots_by_name(&self, class: usize, names: &[u128], mut visit: impl FnMut(usize, Option<u64>)) {
        let names: Vec<G::Key> = names.iter().map(|&name| G::Key::from_wide(name)).collect();
        self.index.keys(class).rank_all(&names, &mut |at, place| visit(at, place.map(|place| self.slot(place))));
    }
}
