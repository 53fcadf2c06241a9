//! The index of a game that brings rules only: every position reachable from its roots, listed, canonical and sorted.
//!
//! Breadth first, a layer at a time. A layer's children are made in slabs, sorted, stripped of what is known already
//! and merged: no hash table, and memory is read in order.
//!
//! ```text
//!   frontier ──moves, canonical──> slab ──sort, dedup──> minus known ──merge──> next frontier
//!   known + frontier ──merge──> known
//! ```

use rayon::prelude::*;

use super::SortedKeys;
use super::merge::{absent_from, merged};
use crate::rules::Game;
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Error, Key, Ledger, Reservation};

/// Positions of the frontier whose children are sorted together.
const SLAB: usize = 1 << 21;
const CHUNK: usize = 1 << 12;

/// All positions of a game by class, each with a dense number.
///
/// ```
/// # use kanzen::{BadPosition, Budget, Game, Ledger};
/// # use kanzen::index::Listed;
/// # use kanzen::progress::Silent;
/// # struct Stones { pile: u32 }
/// # impl Game for Stones {
/// #     type Position = u32; type Move = u32; type Key = u32;
/// #     fn initial(&self) -> u32 { self.pile }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         for take in 1..=pile.min(3) { play(take, pile - take); }
/// #     }
/// #     fn show(&self, pile: u32) -> String { pile.to_string() }
/// #     fn read(&self, text: &str) -> Result<u32, BadPosition> { text.parse().map_err(|_| BadPosition::new("no pile")) }
/// #     fn show_move(&self, _: u32, take: u32) -> String { take.to_string() }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// let game = Stones { pile: 21 };
/// let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 20)), &Silent)?;
/// assert_eq!(index.positions(), 22);
/// assert_eq!(index.rank(0, 13), Some(13));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Listed<K> {
    classes: Vec<(u32, SortedKeys<K>)>,
    _memory: Reservation,
}

impl<K: Key> Listed<K> {
    /// Lists every canonical position reachable from the game's roots, on the threads of the caller's pool.
    pub fn list<G: Game<Key = K>>(game: &G, ledger: &Ledger, observer: &dyn Observer) -> Result<Listed<K>, Error> {
        let mut memory = ledger.reserve("listing positions", 0)?;
        let keys = reachable(game, &mut memory, observer)?;
        memory.resize("the list of positions", 2 * bytes(&keys))?;
        let classes = by_class(game, keys);
        drop(memory);
        Listed::from_classes(classes, ledger)
    }

    /// An index made of classes (number and ascending keys) listed before.
    pub fn from_classes(classes: Vec<(u32, Vec<K>)>, ledger: &Ledger) -> Result<Listed<K>, Error> {
        let needed = classes.iter().map(|(_, keys)| SortedKeys::<K>::bytes(keys.len() as u64)).sum();
        let _memory = ledger.reserve("the list of positions", needed)?;
        let classes = classes.into_iter().map(|(class, keys)| (class, SortedKeys::new(keys))).collect();
        Ok(Listed { classes, _memory })
    }

    /// How many positions are listed, in all classes.
    pub fn positions(&self) -> u64 {
        self.classes.iter().map(|(_, keys)| keys.len()).sum()
    }

    /// The classes in ascending order: the game's number for each, and its keys.
    pub fn classes(&self) -> &[(u32, SortedKeys<K>)] {
        &self.classes
    }

    /// Which of [`classes`](Self::classes) has the game's class number.
    pub fn place_of_class(&self, number: u32) -> Option<usize> {
        self.classes.binary_search_by_key(&number, |(number, _)| *number).ok()
    }

    /// The slot of a canonical position's key in a class.
    pub fn rank(&self, place: usize, key: K) -> Option<u64> {
        self.classes[place].1.rank(key)
    }

    /// The slots of several keys in a class: see [`SortedKeys::rank_all`].
    pub fn rank_all(&self, place: usize, keys: &[K], found: &mut impl FnMut(usize, Option<u64>)) {
        self.classes[place].1.rank_all(keys, found);
    }

    /// The key of a slot.
    pub fn key(&self, place: usize, slot: u64) -> K {
        self.classes[place].1.key(slot)
    }
}

fn by_class<G: Game>(game: &G, keys: Vec<G::Key>) -> Vec<(u32, Vec<G::Key>)> {
    let class_of = |key: &G::Key| game.class(game.unpack(*key));
    let numbers: Vec<u32> =
        keys.par_chunks(CHUNK).map(|chunk| distinct(chunk.iter().map(class_of))).reduce(Vec::new, |mut a, b| {
            a.extend(b);
            distinct(a.drain(..))
        });
    if let [only] = numbers[..] {
        return vec![(only, keys)];
    }
    let members = |number| keys.par_iter().copied().filter(|key| class_of(key) == number).collect();
    numbers.into_iter().map(|number| (number, members(number))).collect()
}

fn bytes<K>(keys: &[K]) -> u64 {
    size_of_val(keys) as u64
}

fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn canonical_key<G: Game>(game: &G, position: G::Position) -> G::Key {
    game.pack(game.canonical(position))
}

fn reachable<G: Game>(game: &G, memory: &mut Reservation, observer: &dyn Observer) -> Result<Vec<G::Key>, Error> {
    observer.event(Event::Stage { name: "positions", total: None });
    let mut known: Vec<G::Key> = Vec::new();
    let mut frontier = roots(game);
    let mut layer = 0;
    while !frontier.is_empty() {
        observer.event(Event::Level { level: layer, positions: frontier.len() as u64 });
        observer.event(Event::Steps { steps: frontier.len() as u64 });
        let mut next = Vec::new();
        known = merged(known, &frontier);
        for slab in frontier.chunks(SLAB) {
            if observer.stop() {
                return Err(Error::Stopped);
            }
            let held = (2 * known.len() + 2 * next.len() + frontier.len()) as u64;
            let what = format!("listing positions ({} so far)", known.len());
            memory.resize(&what, held * size_of::<G::Key>() as u64)?;
            next = merged(next, &absent_from(&known, children(game, slab)));
        }
        frontier = next;
        layer += 1;
    }
    Ok(known)
}

fn roots<G: Game>(game: &G) -> Vec<G::Key> {
    let mut roots = Vec::new();
    let mut batch = Vec::new();
    let mut flush = |batch: &mut Vec<G::Key>| {
        batch.par_sort_unstable();
        batch.dedup();
        roots = merged(std::mem::take(&mut roots), batch);
        batch.clear();
    };
    game.roots(&mut |position| {
        batch.push(canonical_key(game, position));
        if batch.len() >= 8 * SLAB {
            flush(&mut batch);
        }
    });
    flush(&mut batch);
    roots
}

/// The keys that one move leads to from any of `parents`, sorted, each once.
fn children<G: Game>(game: &G, parents: &[G::Key]) -> Vec<G::Key> {
    let mut keys: Vec<G::Key> = parents
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut keys = Vec::with_capacity(8 * chunk.len());
            for &parent in chunk {
                let position = game.unpack(parent);
                if game.ended(position).is_none() {
                    game.moves(position, &mut |_, child| {
                        if game.counted(child) {
                            keys.push(canonical_key(game, child));
                        }
                    });
                }
            }
            keys.sort_unstable();
            keys.dedup();
            keys
        })
        .collect();
    keys.par_sort_unstable();
    keys.dedup();
    keys
}
