//! Lists the positions of a game on several processes.
//!
//! ```text
//!   1  breadth first     each process owns the keys by their hash, and expands what is new among them
//!   2  in order          ranges of keys, one after the other, are gathered, sorted and counted
//!   3  to their owners   a key's place among all is its slot; blocks of slots are assigned round robin
//! ```
//!
//! No process ever holds a whole class. The result is identical to the list of a single process, cut into blocks.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::mesh::{Contributions, Mesh, Parcel, RoundRobin, Share, garbled};
use super::shared_keys::{SharedClass, SharedKeys};
use super::{Job, PACKED_KEYS, keys_file};
use kanzen_core::index::{KeySet, Listed, PackedKeys, PackedKeysBuilder, add_children, by_class};
use kanzen_core::machine::parallel;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::progress::Event;
use kanzen_core::vocabulary::{Error, Key};

/// Positions that are expanded before their children are sent and those of others taken.
const PART: usize = 1 << 14;
/// Keys of a parcel.
const PARCEL: usize = 1 << 12;
/// Keys that each process sorts at a time when all are put in order.
const RANGE: u64 = 1 << 21;
/// Keys that each process shows the others for each of these ranges, so that all cut them alike.
const SAMPLES: u64 = 32;
/// Keys that were received may take so many bytes before they are inserted.
const LISTS: usize = 32 << 20;

/// A share of the list, and the owners of the rest.
pub struct SharedList<K> {
    pub index: Listed<K>,
    pub keys: SharedKeys<K>,
}

/// Lists the positions of a game together with other processes.
pub fn list<G: Game>(game: &G, job: &Job<'_>, mesh: &dyn Mesh) -> Result<SharedList<G::Key>, Error> {
    let known = explore(game, job, mesh)?;
    let bytes = known.bytes();
    let mut memory = job.reserve("the list of positions", 2 * bytes)?;
    let hashed = by_class(game, known.into_chunks()?)?;
    let numbers = agree_on_classes(mesh, hashed.iter().map(|(number, _)| *number))?;
    let mut hashed: BTreeMap<u32, PackedKeys<G::Key>> = hashed.into_iter().collect();
    let share = RoundRobin::of(mesh);
    let (mut classes, mut shared) = (Vec::new(), Vec::new());
    for number in numbers {
        // What is in order already and what is still to be takes no more than both did.
        let here = in_order(mesh, share, &hashed.remove(&number).map_or_else(|| PackedKeys::new([]), Ok)?)?;
        shared.push(shared_class(mesh, share, &here)?);
        classes.push((number, here));
    }
    let index = Listed::from_classes(classes, job.ledger())?;
    memory.resize("the list of positions", 0)?;
    Ok(SharedList { index, keys: SharedKeys::new(share, shared) })
}

/// The process that owns a key while positions are listed, by its hash.
fn hash_owner<K: Key>(key: K, peers: usize) -> usize {
    let wide = key.wide();
    let mixed = (wide as u64 ^ (wide >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
    ((mixed * peers as u64) >> 32) as usize
}

fn to_bytes<K: Key>(keys: &[K]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.wide().to_le_bytes().into_iter().take(size_of::<K>())).collect()
}

fn from_bytes<K: Key>(bytes: &[u8]) -> impl Iterator<Item = K> {
    bytes.chunks_exact(size_of::<K>()).map(|key| K::from_wide(super::retrograde::wide(key)))
}

/// The exchange of keys between rounds, on one thread: posts keys, and takes some while it does.
struct Exchange<'a, K> {
    mesh: &'a dyn Mesh,
    received: Vec<Vec<K>>,
    bytes: usize,
}

impl<'a, K: Key> Exchange<'a, K> {
    fn new(mesh: &'a dyn Mesh) -> Exchange<'a, K> {
        Exchange { mesh, received: Vec::new(), bytes: 0 }
    }

    fn take(&mut self, parcel: &Parcel) {
        self.bytes += parcel.bytes.len();
        self.received.push(from_bytes(&parcel.bytes).collect());
    }

    fn post(&mut self, to: usize, keys: &[K]) -> Result<(), Error> {
        for keys in keys.chunks(PARCEL) {
            while self.mesh.window_full(to) {
                match self.mesh.poll()? {
                    Some(parcel) => self.take(&parcel),
                    None => self.mesh.park(),
                }
            }
            self.mesh.post(to, to_bytes(keys))?;
        }
        while let Some(parcel) = self.mesh.poll()? {
            self.take(&parcel);
        }
        Ok(())
    }

    fn taken(&mut self) -> Vec<Vec<K>> {
        self.bytes = 0;
        std::mem::take(&mut self.received)
    }
}

/// The keys of all positions that this process owns by their hash.
fn explore<G: Game>(game: &G, job: &Job<'_>, mesh: &dyn Mesh) -> Result<KeySet<G::Key>, Error> {
    job.stage("positions", None);
    let mut memory = job.reserve("listing positions", 0)?;
    let mut known = KeySet::<G::Key>::default();
    let mut roots = Vec::new();
    game.roots(&mut |position| {
        let key = game.pack(game.canonical(position));
        if hash_owner(key, mesh.peers()) == mesh.me() {
            roots.push(key);
        }
    });
    roots.par_sort_unstable();
    roots.dedup();
    let mut frontier: Vec<Vec<G::Key>> = known.insert(&[roots])?;
    for layer in 0.. {
        let positions: u64 = frontier.iter().map(|keys| keys.len() as u64).sum();
        let [all] = mesh.all_reduce_sum([positions])?;
        if all == 0 {
            return Ok(known);
        }
        job.observer().event(Event::Level { level: layer, positions: all });
        let mut next: Vec<Vec<G::Key>> = Vec::new();
        let mut exchange = Exchange::new(mesh);
        let parts: Vec<&[G::Key]> = frontier.iter().flat_map(|keys| keys.chunks(PART)).collect();
        for parts in parts.chunks(rayon::current_num_threads()) {
            let expanded: Vec<Vec<Vec<G::Key>>> =
                parallel::map(parts.len(), &|part| children_by_owner(game, parts[part], mesh.peers()));
            for mut lists in expanded {
                exchange.received.push(std::mem::take(&mut lists[mesh.me()]));
                exchange.bytes += size_of_val(&exchange.received.last().expect("just pushed")[..]);
                for (to, keys) in lists.iter().enumerate().filter(|(_, keys)| !keys.is_empty()) {
                    exchange.post(to, keys)?;
                }
            }
            if exchange.bytes > LISTS {
                let held = known.bytes() + (2 * exchange.bytes + bytes_of(&next) + bytes_of(&frontier)) as u64;
                memory.resize(&format!("listing positions ({} so far here)", known.len()), held)?;
                next.extend(known.insert(&sorted(exchange.taken()))?);
            }
            job.steps(parts.iter().map(|part| part.len() as u64).sum())?;
        }
        mesh.barrier_enter()?;
        mesh.collect(|parcel| {
            exchange.take(&parcel);
            if exchange.bytes > LISTS {
                next.extend(known.insert(&sorted(exchange.taken()))?);
            }
            Ok(())
        })?;
        next.extend(known.insert(&sorted(exchange.taken()))?);
        let held = known.bytes() + (bytes_of(&next) + bytes_of(&frontier)) as u64;
        memory.resize(&format!("listing positions ({} so far here)", known.len()), held)?;
        frontier = next;
    }
    unreachable!("layers end when nothing is new");
}

fn bytes_of<K>(lists: &[Vec<K>]) -> usize {
    lists.iter().map(|list| size_of_val(&list[..])).sum()
}

/// Lists that a set takes: sorted, each key once.
fn sorted<K: Key>(mut lists: Vec<Vec<K>>) -> Vec<Vec<K>> {
    lists.par_iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    lists
}

/// The children of some positions, by their owners, each once.
fn children_by_owner<G: Game>(game: &G, parents: &[G::Key], peers: usize) -> Vec<Vec<G::Key>> {
    let mut children = Vec::new();
    parents.iter().for_each(|&parent| add_children(game, parent, &mut children));
    children.sort_unstable();
    children.dedup();
    let mut lists = vec![Vec::new(); peers];
    children.into_iter().for_each(|child| lists[hash_owner(child, peers)].push(child));
    lists
}

/// The classes that any process has met.
fn agree_on_classes(mesh: &dyn Mesh, here: impl Iterator<Item = u32>) -> Result<BTreeSet<u32>, Error> {
    let here: Vec<u32> = here.collect();
    let said = mesh.all_gather(&to_bytes(&here))?;
    Ok(said.iter().flat_map(|bytes| from_bytes::<u32>(bytes)).collect())
}

/// Puts the keys of a class in order over all processes, and keeps the blocks that are this one's.
fn in_order<K: Key>(mesh: &dyn Mesh, share: RoundRobin, keys: &PackedKeys<K>) -> Result<PackedKeys<K>, Error> {
    let [all] = mesh.all_reduce_sum([keys.len()])?;
    let turns = all.div_ceil(RANGE * share.peers as u64).max(1);
    let cuts = cuts(mesh, keys, turns * share.peers as u64)?;
    let mut builder = PackedKeysBuilder::default();
    let (mut place, mut begin) = (0, 0);
    for turn in 0..turns as usize {
        // Each process gathers one of the ranges of this turn.
        let mut exchange = Exchange::<K>::new(mesh);
        for to in 0..share.peers {
            let end = cuts.get(turn * share.peers + to).map_or(keys.len(), |cut| places_below(keys, *cut));
            let mut range = Vec::with_capacity((end - begin) as usize);
            keys.visit(begin..end, |key| range.push(key));
            begin = end;
            match to == share.me {
                true => exchange.received.push(range),
                false => exchange.post(to, &range)?,
            }
        }
        mesh.barrier_enter()?;
        mesh.collect(|parcel| {
            exchange.take(&parcel);
            Ok(())
        })?;
        let mut range = exchange.taken().concat();
        range.par_sort_unstable();

        // The lengths of all give each process the slots of its keys.
        let lengths = mesh.all_gather(&(range.len() as u64).to_le_bytes())?;
        let lengths: Vec<u64> = lengths.iter().map(|bytes| super::retrograde::wide(bytes) as u64).collect();
        let first = place + lengths[..share.me].iter().sum::<u64>();
        place += lengths.iter().sum::<u64>();
        let mut pieces: Vec<(u64, Vec<K>)> = Vec::new();
        let mut slot = first;
        while !range.is_empty() {
            let length = range.len().min((share.stretch() - slot % share.stretch()) as usize);
            let rest = range.split_off(length);
            match share.owner(slot) {
                owner if owner == share.me => pieces.push((slot, range)),
                owner => {
                    let mut bytes = to_bytes(&range);
                    bytes.extend(slot.to_le_bytes());
                    while mesh.window_full(owner) {
                        match mesh.poll()? {
                            Some(parcel) => pieces.push(piece(parcel)?),
                            None => mesh.park(),
                        }
                    }
                    mesh.post(owner, bytes)?;
                }
            }
            slot += length as u64;
            range = rest;
        }
        mesh.barrier_enter()?;
        mesh.collect(|parcel| {
            pieces.push(piece(parcel)?);
            Ok(())
        })?;
        pieces.sort_unstable_by_key(|(slot, _)| *slot);
        pieces.into_iter().try_for_each(|(_, keys)| builder.extend(keys))?;
    }
    builder.finish()
}

/// Some keys and the slot of the first.
fn piece<K: Key>(Parcel { mut bytes, .. }: Parcel) -> Result<(u64, Vec<K>), Error> {
    let start = bytes.len().checked_sub(8).ok_or_else(|| garbled("keys"))?;
    let slot = super::retrograde::wide(&bytes.split_off(start)) as u64;
    Ok((slot, from_bytes(&bytes).collect()))
}

/// How many keys are below one.
fn places_below<K: Key>(keys: &PackedKeys<K>, key: K) -> u64 {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = low.midpoint(high);
        if keys.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    low
}

/// Keys that cut all keys of a class into so many ranges of about the same length; all but the first begin with one.
fn cuts<K: Key>(mesh: &dyn Mesh, keys: &PackedKeys<K>, ranges: u64) -> Result<Vec<K>, Error> {
    let samples = keys.len().min(SAMPLES * ranges);
    let shown: Vec<K> = (0..samples).map(|at| keys.key(at * keys.len() / samples)).collect();
    // Those of a process stand for as many keys as it has.
    let mut bytes = to_bytes(&shown);
    bytes.extend(keys.len().to_le_bytes());
    let mut weighed: Vec<(K, f64)> = Vec::new();
    for mut bytes in mesh.all_gather(&bytes)? {
        let start = bytes.len().checked_sub(8).ok_or_else(|| garbled("samples"))?;
        let len = super::retrograde::wide(&bytes.split_off(start)) as u64;
        let shown: Vec<K> = from_bytes(&bytes).collect();
        let weight = len as f64 / shown.len().max(1) as f64;
        weighed.extend(shown.into_iter().map(|key| (key, weight)));
    }
    weighed.sort_by_key(|part| part.0);
    let all: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    let (mut before, mut cuts) = (0.0, Vec::new());
    for (key, weight) in &weighed {
        while cuts.len() as u64 + 1 < ranges && before >= all * (cuts.len() + 1) as f64 / ranges as f64 {
            cuts.push(*key);
        }
        before += weight;
    }
    Ok(cuts)
}

/// What all processes know of a class of which each owns some blocks.
fn shared_class<K: Key>(mesh: &dyn Mesh, share: RoundRobin, here: &PackedKeys<K>) -> Result<SharedClass<K>, Error> {
    let firsts: Vec<K> = (0..here.len()).step_by(share.stretch() as usize).map(|place| here.key(place)).collect();
    let said = mesh.all_gather(&to_bytes(&firsts))?;
    let [slots] = mesh.all_reduce_sum([here.len()])?;
    let mut said: Vec<_> = said.iter().map(|bytes| from_bytes::<K>(bytes)).collect();
    let firsts = (0..share.blocks(slots)).map(|block| said[block as usize % share.peers].next());
    let firsts: Vec<K> = firsts.collect::<Option<_>>().ok_or_else(|| garbled("first keys"))?;
    Ok(SharedClass { slots, firsts })
}

/// Writes the keys of a class: each process packs its blocks, the first one joins them.
pub fn write<K: Key>(job: &Job<'_>, mesh: &dyn Mesh, list: &SharedList<K>, class: usize) -> Result<(), Error> {
    const BLOCKS: u64 = 32;
    let share = RoundRobin::of(mesh);
    let (slots, here) = (list.keys.slots(class), list.index.keys(class));
    let width = size_of::<K>();
    let pack = |block: u64| {
        let slots = block << share.bits..((block + 1) << share.bits).min(here.len());
        let mut keys = Vec::with_capacity((slots.end - slots.start) as usize);
        here.visit(slots.clone(), |key| keys.push(key.wide()));
        let number = block * share.peers as u64 + share.me as u64;
        job.store.pack_keys(1 << share.bits, number << share.bits, &keys).map(|packed| (number, packed))
    };
    let pack_batch = |batch: u64| -> Result<Vec<(u64, Vec<u8>)>, Error> {
        let blocks = batch * BLOCKS..((batch + 1) * BLOCKS).min(share.blocks_here(slots));
        parallel::try_map((blocks.end - blocks.start) as usize, &|at| pack(blocks.start + at as u64))
    };
    let batches = share.at(0).blocks_here(slots).div_ceil(BLOCKS);
    let mut ready: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    let mut batch = 0;
    let mut contributions = Contributions::new(mesh);
    let mut more = |ready: &mut BTreeMap<u64, Vec<u8>>, contributions: &mut Contributions| {
        for (block, mut packed) in pack_batch(batch)? {
            match mesh.me() {
                0 => {
                    ready.insert(block, packed);
                }
                _ => {
                    contributions.add(mesh.me(), block, &packed);
                    packed.extend(block.to_le_bytes());
                    while mesh.window_full(0) {
                        mesh.park();
                        mesh.barrier_done()?;
                    }
                    mesh.post(0, packed)?;
                }
            }
        }
        batch += 1;
        mesh.barrier_enter()?;
        mesh.collect(|Parcel { mut bytes, .. }| {
            let start = bytes.len().checked_sub(8).ok_or_else(|| garbled("packed keys"))?;
            let block = super::retrograde::wide(&bytes.split_off(start)) as u64;
            ready.insert(block, bytes);
            Ok(())
        })
    };
    if mesh.me() != 0 {
        (0..batches).try_for_each(|_| more(&mut ready, &mut contributions))?;
        contributions.compare(mesh)?;
    } else {
        if slots == 0 {
            contributions.compare(mesh)?;
        }
        let per_part = PACKED_KEYS >> share.bits.min(16);
        job.store.put_packed_keys(&keys_file(class), (width, 1 << share.bits), slots, &mut |part| {
            let mut packed = Vec::new();
            for block in part * per_part..((part + 1) * per_part).min(share.blocks(slots)) {
                while !ready.contains_key(&block) {
                    more(&mut ready, &mut contributions)?;
                }
                let keys = ready.remove(&block).expect("it is there");
                contributions.add((block % share.peers as u64) as usize, block, &keys);
                packed.extend(keys);
            }
            if (part + 1) * per_part >= share.blocks(slots) {
                contributions.compare(mesh)?;
            }
            Ok(packed)
        })?;
    }
    mesh.all_reduce_min([1]).map(|_| ())
}

/// The list that an earlier run has left in the folder of the first process: its classes' numbers are known.
pub fn read<K: Key>(job: &Job<'_>, mesh: &dyn Mesh, numbers: &[u32]) -> Result<SharedList<K>, Error> {
    let share = RoundRobin::of(mesh);
    let (mut classes, mut shared) = (Vec::new(), Vec::new());
    for (class, &number) in numbers.iter().enumerate() {
        let mut pieces: BTreeMap<u64, Vec<K>> = BTreeMap::new();
        let mut builder = PackedKeysBuilder::default();
        // Blocks may overtake each other.
        let mut next = share.me as u64;
        let mut add = |block: u64, keys: Vec<K>| {
            pieces.insert(block, keys);
            while let Some(keys) = pieces.remove(&next) {
                builder.extend(keys)?;
                next += share.peers as u64;
            }
            Ok::<(), Error>(())
        };
        if mesh.me() == 0 {
            let (mut block, mut begun) = (0, Vec::<K>::new());
            let mut send = |keys: Vec<K>, add: &mut dyn FnMut(u64, Vec<K>) -> Result<(), Error>| {
                match block as usize % share.peers {
                    0 => add(block, keys)?,
                    to => {
                        let mut bytes = to_bytes(&keys);
                        bytes.extend(block.to_le_bytes());
                        while mesh.window_full(to) {
                            mesh.park();
                            mesh.barrier_done()?;
                        }
                        mesh.post(to, bytes)?;
                    }
                }
                block += 1;
                Ok::<(), Error>(())
            };
            job.store.get_keys(&keys_file(class), size_of::<K>(), &mut |stretch| {
                for &key in stretch {
                    begun.push(K::from_wide(key));
                    if begun.len() as u64 == share.stretch() {
                        send(std::mem::take(&mut begun), &mut add)?;
                    }
                }
                Ok(())
            })?;
            if !begun.is_empty() {
                send(begun, &mut add)?;
            }
        }
        mesh.barrier_enter()?;
        mesh.collect(|parcel| {
            let (block, keys) = piece(parcel)?;
            add(block, keys)
        })?;
        let here = builder.finish()?;
        shared.push(shared_class(mesh, share, &here)?);
        classes.push((number, here));
    }
    let index = Listed::from_classes(classes, job.ledger())?;
    Ok(SharedList { index, keys: SharedKeys::new(share, shared) })
}
