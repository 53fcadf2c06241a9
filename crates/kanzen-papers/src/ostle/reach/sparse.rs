//! Breadth-first search with a hash table of the boards reached: a few plies of a large game need little memory.
//!
//! The table is sharded by slot, one lock per shard, so that threads rarely contend. A shard also lists the boards that
//! are active in the next layer.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Error};
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use rayon::prelude::*;

use super::expand::{Arrivals, expand};
use super::layers::{MOST_LAYERS, by_way};
use super::seen::{Seen, Visit};
use super::{Boards, Search};

const PARTS: u32 = 256;
/// Boards in a task: some tens of milliseconds.
const SHARE: usize = 1 << 12;
/// Bytes per board in the table, with its spare capacity, and in the lists.
const BOARD_BYTES: u64 = 40;

/// The arrivals at the boards reached.
pub struct Sparse<'s, 'g> {
    search: &'s Search<'g>,
    parts: Vec<Mutex<Part>>,
    /// The boards that are active in the current layer.
    frontier: Vec<u32>,
}

#[derive(Default)]
struct Part {
    seen: HashMap<u32, Seen, BuildHasherDefault<SlotHasher>>,
    next: Vec<u32>,
}

/// A table that has exceeded its size.
pub struct Outgrown<'s, 'g> {
    /// The layers so far.
    pub layers: Vec<[u64; 2]>,
    /// The table.
    pub sparse: Sparse<'s, 'g>,
}

impl<'s, 'g> Sparse<'s, 'g> {
    /// Layer 0: one board.
    pub fn new(search: &'s Search<'g>, start: u32) -> Sparse<'s, 'g> {
        let mut sparse = Sparse { search, parts: (0..PARTS).map(|_| Mutex::default()).collect(), frontier: Vec::new() };
        sparse.arrive(start, 0, Visit::FREE);
        sparse.advance();
        sparse
    }

    /// Searches layer by layer until nothing is new, to layer `depth`, or until the table has more than `few` boards.
    pub fn reach(
        mut self,
        depth: Option<u32>,
        few: usize,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Result<[Vec<u64>; 2], Outgrown<'s, 'g>>, Error> {
        let mut layers = vec![[1, 1]];
        for layer in 0..depth.unwrap_or(MOST_LAYERS) {
            if self.boards() > few || layer + 1 >= MOST_LAYERS {
                return Ok(Err(Outgrown { layers, sparse: self }));
            }
            let new = self.play(layer, budget, observer)?;
            observer.event(Event::Level { level: u64::from(layer) + 1, positions: new[0] });
            if new == [0, 0] {
                break;
            }
            layers.push(new);
            self.advance();
        }
        Ok(Ok(by_way(&layers)))
    }

    /// Plays all moves of a layer.
    fn play(&self, layer: u32, budget: &Budget, observer: &dyn Observer) -> Result<[u64; 2], Error> {
        let boards = self.frontier.len() as u64;
        observer.event(Event::Stage { name: &format!("layer {}", layer + 1), total: Some(boards) });
        let played = self.frontier.par_chunks(SHARE).map(|slots| {
            let new = dispatch(Share { sparse: self, slots, layer: layer as u16 });
            observer.event(Event::Steps { steps: slots.len() as u64 });
            if observer.stop() {
                return Err(Error::Stopped);
            }
            budget.allows(&format!("layer {}", layer + 1), self.bytes()).map(|()| new)
        });
        played.try_reduce(|| [0, 0], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))
    }

    /// Advances to the next layer, sorted so that boards of one row are adjacent.
    fn advance(&mut self) {
        self.frontier.clear();
        for part in &mut self.parts {
            self.frontier.append(&mut part.get_mut().unwrap_or_else(PoisonError::into_inner).next);
        }
        self.frontier.par_sort_unstable();
    }

    /// The boards that are active in the current layer.
    pub fn frontier(&self) -> &[u32] {
        &self.frontier
    }

    /// Visits the arrivals of every board in the table.
    pub fn each(&self, mut visit: impl FnMut(u32, Seen)) {
        for part in &self.parts {
            lock(part).seen.iter().for_each(|(&slot, &seen)| visit(slot, seen));
        }
    }

    fn boards(&self) -> usize {
        self.parts.iter().map(|part| lock(part).seen.len()).sum()
    }

    /// The memory that the table takes.
    pub fn bytes(&self) -> u64 {
        BOARD_BYTES * self.boards() as u64
    }
}

fn lock(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Boards for Sparse<'_, '_> {
    #[inline(always)]
    fn fetch(&self, _: u32) {}

    fn arrive(&self, slot: u32, layer: u16, arrival: Visit) -> u64 {
        let mut part = lock(&self.parts[(slot % PARTS) as usize]);
        let Part { seen, next } = &mut *part;
        let remembered = seen.entry(slot).or_insert(Seen(0));
        let (before, after) = (*remembered, remembered.after(layer, arrival));
        *remembered = after;
        if after.plays_in(layer) && !before.plays_in(layer) {
            next.push(slot);
        }
        before.new_by(arrival)
    }
}

/// A task of a layer.
struct Share<'p, 's, 'g> {
    sparse: &'p Sparse<'s, 'g>,
    slots: &'p [u32],
    layer: u16,
}

impl Work for Share<'_, '_, '_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> [u64; 2] {
        let Share { sparse, slots, layer } = self;
        let mut arrivals = Arrivals::new(sparse, layer + 1);
        for &slot in slots {
            let seen = lock(&sparse.parts[(slot % PARTS) as usize]).seen.get(&slot).copied().unwrap_or(Seen(0));
            let later = seen.second() == layer + 1;
            expand(bits, sparse.search, slot, seen.forbidden() as u8, later, &mut arrivals);
        }
        arrivals.finish()
    }
}

/// A multiplication mixes slots well enough.
#[derive(Default)]
struct SlotHasher(u64);

impl Hasher for SlotHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
