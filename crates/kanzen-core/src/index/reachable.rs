//! Enumerates all reachable positions, breadth first, a layer at a time.
//!
//! ```text
//!   frontier ──moves, canonical──> sorted lists ──insert──> known
//!      ^                                           │
//!      └──────────── what was new ─────────────────┘
//! ```
//!
//! Known keys, the frontier and the next one are packed. Lists of children are not: they are inserted as soon as they
//! take half as much memory as what is known, or a share of what the budget has left. Children that were met lately are
//! not listed again: as long as there is memory to spare, those that were are remembered.

use std::collections::VecDeque;

use super::key_set::KeySet;
use super::packed::Chunk;
use super::seen::Seen;
use crate::machine::parallel;
use crate::rules::Game;
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Error, Key, Ledger, Reservation};

/// Positions of the frontier that a thread expands at a time: their children fit into the second cache.
const PART: usize = 1 << 14;
/// Parts for each thread that are expanded before the memory is looked at again.
const PARTS: usize = 8;
/// Lists of children may always take so many bytes.
const LISTS: u64 = 8 << 20;
/// Fewer positions than this are sorted and merged as quickly as they are remembered.
const FEW: u64 = 1 << 16;
/// What is remembered may take one part of so many of the memory that is left.
const SPARE: u64 = 4;
/// Children that are looked for together among those met lately: by then they are in the cache.
const TOGETHER: usize = 256;
/// Roots that are made canonical together.
const ROOTS: usize = 1 << 18;

/// The keys of all canonical positions that can be reached from the roots.
pub fn reachable<G: Game>(game: &G, ledger: &Ledger, observer: &dyn Observer) -> Result<KeySet<G::Key>, Error> {
    explore(game, Listing::add_roots, None, ledger, observer).map(|explored| explored.known)
}

/// Counts the canonical positions that are reached from the initial one in no fewer plies, for each number of plies up to
/// `depth`; without one, to the last that is new. On the threads of the caller's pool.
///
/// ```
/// # use kanzen_core as kanzen;
/// # use kanzen::{Budget, Game, Ledger};
/// # use kanzen::index::layers;
/// # use kanzen::progress::Silent;
/// # struct Stones { pile: u32 }
/// # impl Game for Stones {
/// #     type Position = u32; type Move = u32; type Key = u32;
/// #     fn initial(&self) -> u32 { self.pile }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         for take in 1..=pile.min(3) { play(take, pile - take); }
/// #     }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// let ledger = Ledger::new(Budget::new(1, 1 << 20));
/// assert_eq!(layers(&Stones { pile: 8 }, None, &ledger, &Silent)?, [1, 3, 3, 2]);
/// assert_eq!(layers(&Stones { pile: 8 }, Some(1), &ledger, &Silent)?, [1, 3]);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn layers<G: Game>(
    game: &G,
    depth: Option<u32>,
    ledger: &Ledger,
    observer: &dyn Observer,
) -> Result<Vec<u64>, Error> {
    explore(game, Listing::add_initial, depth, ledger, observer).map(|explored| explored.layers)
}

struct Explored<K> {
    known: KeySet<K>,
    /// How many keys were new in each layer.
    layers: Vec<u64>,
}

/// Goes from layer to layer until nothing is new, or to layer `depth`.
fn explore<'a, G: Game>(
    game: &'a G,
    begin: impl FnOnce(&mut Listing<'a, G>) -> Result<(), Error>,
    depth: Option<u32>,
    ledger: &'a Ledger,
    observer: &'a dyn Observer,
) -> Result<Explored<G::Key>, Error> {
    observer.event(Event::Stage { name: "positions", total: None });
    let memory = ledger.reserve("listing positions", 0)?;
    let (known, next) = (KeySet::default(), Frontier::default());
    let mut listing = Listing { game, ledger, observer, memory, known, next, lists: Vec::new(), most: 0, seen: None };
    begin(&mut listing)?;
    let mut layers = Vec::new();
    loop {
        let mut frontier = std::mem::take(&mut listing.next);
        frontier.close()?;
        if !frontier.parts.is_empty() {
            observer.event(Event::Level { level: layers.len() as u64, positions: frontier.len });
            layers.push(frontier.len);
        }
        if frontier.parts.is_empty() || depth.is_some_and(|depth| layers.len() as u64 > u64::from(depth)) {
            return Ok(Explored { known: listing.known, layers });
        }
        while !frontier.parts.is_empty() {
            listing.expand_some(&mut frontier)?;
            if listing.lists_are_long() {
                listing.insert(&frontier)?;
            }
        }
        listing.insert(&frontier)?;
    }
}

/// The keys of one position, as they are listed.
fn canonical_key<G: Game>(game: &G, position: G::Position) -> G::Key {
    game.pack(game.canonical(position))
}

struct Listing<'a, G: Game> {
    game: &'a G,
    ledger: &'a Ledger,
    observer: &'a dyn Observer,
    memory: Reservation,
    known: KeySet<G::Key>,
    next: Frontier<G::Key>,
    /// Sorted lists of keys, known or not.
    lists: Vec<Vec<G::Key>>,
    /// The most bytes that the children of some parts have taken.
    most: u64,
    /// What was met lately.
    seen: Option<(Seen<G::Key>, Reservation)>,
}

impl<G: Game> Listing<'_, G> {
    fn add_roots(&mut self) -> Result<(), Error> {
        let game = self.game;
        let mut batch = Vec::new();
        let mut outcome = Ok(());
        game.roots(&mut |position| {
            batch.push(position);
            if batch.len() == ROOTS && outcome.is_ok() {
                outcome = self.add_some_roots(&batch);
                batch.clear();
            }
        });
        outcome?;
        self.add_some_roots(&batch)?;
        self.insert(&Frontier::default())
    }

    fn add_initial(&mut self) -> Result<(), Error> {
        self.add_some_roots(&[self.game.initial()])?;
        self.insert(&Frontier::default())
    }

    fn add_some_roots(&mut self, positions: &[G::Position]) -> Result<(), Error> {
        let game = self.game;
        let parts: Vec<&[G::Position]> = positions.chunks(PART).collect();
        self.lists.extend(parallel::map(parts.len(), &|part| {
            let mut keys: Vec<G::Key> = parts[part].iter().map(|position| canonical_key(game, *position)).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        }));
        self.reserve(0)?;
        if self.lists_are_long() { self.insert(&Frontier::default()) } else { Ok(()) }
    }

    /// Lists the children of the next parts of the frontier.
    fn expand_some(&mut self, frontier: &mut Frontier<G::Key>) -> Result<(), Error> {
        let count = frontier.parts.len().min(PARTS * rayon::current_num_threads());
        let parts: Vec<_> = frontier.parts.drain(..count).collect();
        let positions = parts.iter().map(|part| part.len() as u64).sum();
        self.reserve(frontier.bytes() + self.most)?;
        self.remember_more()?;
        let before = self.list_bytes();
        let game = self.game;
        let seen = self.seen.as_ref().map(|(seen, _)| seen);
        let made = parallel::map(parts.len(), &|part| {
            let (mut parents, mut children) = (Vec::new(), Vec::new());
            parts[part].decode(&mut parents);
            match seen {
                Some(seen) => add_unseen_children(game, &parents, seen, &mut children),
                None => parents.iter().for_each(|parent| add_children(game, *parent, &mut children)),
            }
            children.sort_unstable();
            children.dedup();
            children.shrink_to_fit();
            children
        });
        drop(parts);
        self.lists.extend(made);
        self.most = self.most.max(self.list_bytes() - before);
        self.reserve(frontier.bytes())?;
        self.observer.event(Event::Steps { steps: positions });
        if self.observer.stop() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Makes room to remember at least half as many positions as are known, if there is memory to spare.
    fn remember_more(&mut self) -> Result<(), Error> {
        let known = self.known.len();
        if known < FEW || self.seen.as_ref().is_some_and(|(seen, _)| seen.room() >= known / 2) {
            return Ok(());
        }
        let bytes = Seen::<G::Key>::bytes(known);
        let left = self.ledger.budget().memory.saturating_sub(self.ledger.held());
        if bytes > left / SPARE {
            return Ok(());
        }
        let memory = self.ledger.reserve("positions met lately", bytes)?;
        let seen = match self.seen.take() {
            Some((seen, _)) => seen.grown(known)?,
            None => Seen::with_room(known)?,
        };
        self.seen = Some((seen, memory));
        Ok(())
    }

    /// Adds the lists to what is known, and what was new to the next frontier.
    fn insert(&mut self, frontier: &Frontier<G::Key>) -> Result<(), Error> {
        // What is new is a part of the lists, and may be held beside them.
        self.reserve(frontier.bytes() + self.list_bytes())?;
        let fresh = self.known.insert(&self.lists)?;
        self.lists = Vec::new();
        for keys in fresh {
            self.next.extend(&keys)?;
        }
        self.reserve(frontier.bytes())
    }

    fn list_bytes(&self) -> u64 {
        self.lists.iter().map(|list| size_of_val(&list[..]) as u64).sum()
    }

    fn lists_are_long(&self) -> bool {
        let left = self.ledger.budget().memory.saturating_sub(self.ledger.held());
        self.list_bytes() >= (self.known.bytes() / 2).max(LISTS).min(left / 3)
    }

    /// Reserves what is held, with so many bytes more.
    fn reserve(&mut self, more: u64) -> Result<(), Error> {
        let positions = self.known.len();
        let merging = self.known.bytes_to_pack();
        let held = self.known.bytes() + self.next.bytes() + self.list_bytes();
        let threads = rayon::current_num_threads() as u64;
        let what = format!("listing positions ({positions} so far)");
        let bytes = held + more + threads * merging;
        match self.memory.resize(&what, bytes) {
            // What is remembered only saves time.
            Err(_) if self.seen.take().is_some() => self.memory.resize(&what, bytes),
            done => done,
        }
    }
}

/// Adds the keys that one move leads to.
pub fn add_children<G: Game>(game: &G, parent: G::Key, children: &mut Vec<G::Key>) {
    let position = game.unpack(parent);
    if game.ended(position).is_none() {
        game.moves(position, &mut |_, child| {
            if game.counted(child) {
                children.push(canonical_key(game, child));
            }
        });
    }
}

/// Adds the keys that one move leads to from some positions, but for those that were met lately.
fn add_unseen_children<G: Game>(game: &G, parents: &[G::Key], seen: &Seen<G::Key>, children: &mut Vec<G::Key>) {
    let mut asked = Vec::with_capacity(2 * TOGETHER);
    for (at, parent) in parents.iter().enumerate() {
        let first = asked.len();
        add_children(game, *parent, &mut asked);
        asked[first..].iter().for_each(|child| seen.fetch(*child));
        if asked.len() >= TOGETHER || at + 1 == parents.len() {
            children.extend(asked.drain(..).filter(|child| seen.is_new(*child)));
        }
    }
}

/// Positions to be expanded, packed in parts for the threads.
struct Frontier<K> {
    parts: VecDeque<Chunk<K>>,
    /// A part that is not full yet.
    begun: Vec<K>,
    scratch: Vec<u64>,
    len: u64,
}

impl<K> Default for Frontier<K> {
    fn default() -> Self {
        Frontier { parts: VecDeque::new(), begun: Vec::new(), scratch: Vec::new(), len: 0 }
    }
}

impl<K: Key> Frontier<K> {
    fn bytes(&self) -> u64 {
        self.parts.iter().map(Chunk::bytes).sum::<u64>() + size_of_val(&self.begun[..]) as u64
    }

    /// Adds ascending keys.
    fn extend(&mut self, mut keys: &[K]) -> Result<(), Error> {
        self.len += keys.len() as u64;
        while !keys.is_empty() {
            // A part ascends, what comes next may begin anew.
            if self.begun.last().is_some_and(|last| *last >= keys[0]) {
                self.close()?;
            }
            let (now, later) = keys.split_at(keys.len().min(PART - self.begun.len()));
            self.begun.extend_from_slice(now);
            if self.begun.len() == PART {
                self.close()?;
            }
            keys = later;
        }
        Ok(())
    }

    /// Packs what is left.
    fn close(&mut self) -> Result<(), Error> {
        if !self.begun.is_empty() {
            self.parts.push_back(Chunk::new(&self.begun, &mut self.scratch)?);
            self.begun.clear();
        }
        Ok(())
    }
}
