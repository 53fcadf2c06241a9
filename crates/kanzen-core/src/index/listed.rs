//! The index of a game that has only rules: every position reachable from its roots, canonical, sorted and packed.

use std::collections::BTreeMap;

use super::packed::{Chunk, PackedKeys, PackedKeysBuilder};
use super::reachable::reachable;
use crate::machine::parallel;
use crate::rules::Game;
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Error, Key, Ledger, Reservation};

/// Chunks for each thread that are divided into classes at a time.
const CHUNKS: usize = 2;

/// All positions of a game by class, each with a dense number.
///
/// ```
/// # use kanzen_core as kanzen;
/// # use kanzen::{Budget, Game, Ledger};
/// # use kanzen::index::Listed;
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
/// let game = Stones { pile: 21 };
/// let index = Listed::list(&game, &Ledger::new(Budget::new(1, 1 << 20)), &Silent)?;
/// assert_eq!(index.positions(), 22);
/// assert_eq!(index.rank(0, 13), Some(13));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Listed<K> {
    classes: Vec<(u32, PackedKeys<K>)>,
    _memory: Reservation,
}

impl<K: Key> Listed<K> {
    /// Lists every canonical position reachable from the game's roots, on the threads of the caller's pool.
    pub fn list<G: Game<Key = K>>(game: &G, ledger: &Ledger, observer: &dyn Observer) -> Result<Listed<K>, Error> {
        let known = reachable(game, ledger, observer)?;
        let positions = known.len();
        // The chunks go as their keys come, and the packed keys are moved once.
        let threads = rayon::current_num_threads() as u64;
        let dividing = 2 * CHUNKS as u64 * threads * (positions * size_of::<K>() as u64).min(8 << 20);
        let mut memory = ledger.reserve("the list of positions", known.bytes() + threads * known.bytes_to_pack())?;
        let chunks = known.into_chunks()?;
        let packed: u64 = chunks.iter().map(Chunk::bytes).sum();
        memory.resize("the list of positions", 2 * packed + dividing)?;
        let classes = by_class(game, chunks)?;
        memory.resize("the list of positions", bytes(&classes))?;
        Ok(Listed { classes, _memory: memory })
    }

    /// An index of classes listed before, each with its number, in ascending order. `read` passes on the keys of
    /// a class, ascending, in stretches.
    pub fn read(
        numbers: &[u32],
        ledger: &Ledger,
        mut read: impl FnMut(usize, &mut dyn FnMut(&[u128]) -> Result<(), Error>) -> Result<(), Error>,
    ) -> Result<Listed<K>, Error> {
        let mut memory = ledger.reserve("the list of positions", 0)?;
        let mut classes = Vec::new();
        for (class, &number) in numbers.iter().enumerate() {
            let before = bytes(&classes);
            let mut keys = PackedKeysBuilder::default();
            read(class, &mut |stretch| {
                keys.extend(stretch.iter().map(|key| K::from_wide(*key)))?;
                memory.resize("the list of positions", before + 2 * keys.bytes())
            })?;
            classes.push((number, keys.finish()?));
        }
        memory.resize("the list of positions", bytes(&classes))?;
        Ok(Listed { classes, _memory: memory })
    }

    /// An index of classes that were packed elsewhere, each with its number, in ascending order.
    pub fn from_classes(classes: Vec<(u32, PackedKeys<K>)>, ledger: &Ledger) -> Result<Listed<K>, Error> {
        let memory = ledger.reserve("the list of positions", bytes(&classes))?;
        Ok(Listed { classes, _memory: memory })
    }

    /// How many positions are listed, in all classes.
    pub fn positions(&self) -> u64 {
        self.classes.iter().map(|(_, keys)| keys.len()).sum()
    }

    /// The classes in ascending order: the game's number for each, and its keys.
    pub fn classes(&self) -> &[(u32, PackedKeys<K>)] {
        &self.classes
    }

    /// Which of [`classes`](Self::classes) has the game's class number.
    pub fn place_of_class(&self, number: u32) -> Option<usize> {
        match &self.classes[..] {
            [(only, _)] => (*only == number).then_some(0),
            classes => classes.binary_search_by_key(&number, |(number, _)| *number).ok(),
        }
    }

    /// The keys of a class.
    pub fn keys(&self, place: usize) -> &PackedKeys<K> {
        &self.classes[place].1
    }

    /// The slot of a canonical position's key in a class.
    pub fn rank(&self, place: usize, key: K) -> Option<u64> {
        self.keys(place).rank(key)
    }

    /// The key of a slot.
    pub fn key(&self, place: usize, slot: u64) -> K {
        self.keys(place).key(slot)
    }
}

/// A class and its keys.
type ClassKeys<K> = (u32, PackedKeys<K>);

fn bytes<K: Key>(classes: &[ClassKeys<K>]) -> u64 {
    classes.iter().map(|(_, keys)| keys.bytes()).sum()
}

/// Divides ascending chunks by the class of their positions; they are dropped on the way.
pub fn by_class<G: Game>(game: &G, chunks: Vec<Chunk<G::Key>>) -> Result<Vec<ClassKeys<G::Key>>, Error> {
    let mut classes: BTreeMap<u32, PackedKeysBuilder<G::Key>> = BTreeMap::new();
    let mut chunks = chunks.into_iter();
    loop {
        let some: Vec<_> = chunks.by_ref().take(CHUNKS * rayon::current_num_threads()).collect();
        if some.is_empty() {
            break;
        }
        let divided: Vec<_> = parallel::map(some.len(), &|chunk| divided(game, &some[chunk]));
        for (number, keys) in divided.into_iter().flatten() {
            classes.entry(number).or_default().extend(keys)?;
        }
    }
    classes.into_iter().map(|(number, keys)| Ok((number, keys.finish()?))).collect()
}

fn divided<G: Game>(game: &G, chunk: &Chunk<G::Key>) -> BTreeMap<u32, Vec<G::Key>> {
    let mut keys = Vec::new();
    chunk.decode(&mut keys);
    let mut classes: BTreeMap<u32, Vec<G::Key>> = BTreeMap::new();
    let numbers: Vec<u32> = keys.iter().map(|key| game.class(game.unpack(*key))).collect();
    let mut start = 0;
    // Neighbours are often of one class.
    for run in numbers.chunk_by(|a, b| a == b) {
        classes.entry(run[0]).or_default().extend_from_slice(&keys[start..start + run.len()]);
        start += run.len();
    }
    classes
}
