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
use crate::progress::{Event, Observer};
use crate::solve::SolveError;
use crate::{Budget, Game, Key};

/// Positions of the frontier whose children are sorted together.
const SLAB: usize = 1 << 21;
const CHUNK: usize = 1 << 12;

/// All positions of a game by class, each with a dense number.
///
/// ```
/// # use kanzen::{Budget, Game, Illegal, progress::Silent, index::Enumerated};
/// # struct Stones { pile: u32 }
/// # impl Game for Stones {
/// #     type Position = u32; type Move = u32; type Key = u32;
/// #     fn initial(&self) -> u32 { self.pile }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         for take in 1..=pile.min(3) { play(take, pile - take); }
/// #     }
/// #     fn show(&self, pile: u32) -> String { pile.to_string() }
/// #     fn read(&self, text: &str) -> Result<u32, Illegal> { text.parse().map_err(|_| Illegal::new("no pile")) }
/// #     fn show_move(&self, _: u32, take: u32) -> String { take.to_string() }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// let game = Stones { pile: 21 };
/// let index = Enumerated::list(&game, &Budget::new(1, 1 << 20), &Silent)?;
/// assert_eq!(index.positions(), 22);
/// assert_eq!(index.rank(0, 13), Some(13));
/// # Ok::<(), kanzen::solve::SolveError>(())
/// ```
pub struct Enumerated<K> {
    classes: Vec<(u32, SortedKeys<K>)>,
}

impl<K: Key> Enumerated<K> {
    /// Lists every canonical position reachable from the game's roots.
    pub fn list<G: Game<Key = K>>(
        game: &G,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Enumerated<K>, SolveError> {
        let pool = crate::solve::pool(budget.threads)?;
        let keys = pool.install(|| reachable(game, budget, observer))?;
        Ok(pool.install(|| Enumerated::by_class(game, keys)))
    }

    /// An index made of classes (number and ascending keys) listed before.
    pub fn from_classes(classes: Vec<(u32, Vec<K>)>) -> Enumerated<K> {
        Enumerated { classes: classes.into_iter().map(|(class, keys)| (class, SortedKeys::new(keys))).collect() }
    }

    fn by_class<G: Game<Key = K>>(game: &G, keys: Vec<K>) -> Enumerated<K> {
        let class_of = |key: &K| game.class(game.unpack(*key));
        let mut numbers: Vec<u32> =
            keys.par_chunks(CHUNK).map(|chunk| distinct(chunk.iter().map(class_of))).reduce(Vec::new, |mut a, b| {
                a.extend(b);
                distinct(a.drain(..))
            });
        if let [only] = numbers[..] {
            return Enumerated::from_classes(vec![(only, keys)]);
        }
        let members = |number| keys.par_iter().copied().filter(|key| class_of(key) == number).collect();
        Enumerated::from_classes(numbers.drain(..).map(|number| (number, members(number))).collect())
    }

    /// All positions.
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

    /// The key of a slot.
    pub fn key(&self, place: usize, slot: u64) -> K {
        self.classes[place].1.key(slot)
    }
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

fn reachable<G: Game>(game: &G, budget: &Budget, observer: &dyn Observer) -> Result<Vec<G::Key>, SolveError> {
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
                return Err(SolveError::Stopped);
            }
            let held = (2 * known.len() + 2 * next.len() + frontier.len()) as u64;
            let what = format!("listing positions ({} so far)", known.len());
            budget.allows(&what, held * size_of::<G::Key>() as u64)?;
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
