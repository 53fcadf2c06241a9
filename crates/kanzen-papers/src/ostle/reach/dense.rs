//! Breadth-first search with two bytes for every board, and marks on the blocks that are active in a layer.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use kanzen::progress::Observer;
use kanzen::{Budget, Error};
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use kanzen_core::machine::{AtomicWords, prefetch};

use super::expand::{Arrivals, expand};
use super::layers::{Marks, breadth_first};
use super::seen::{Seen, Visit};
use super::sparse::Sparse;
use super::{Boards, Search};

const BLOCK_BITS: u32 = 12;

/// The arrivals at all boards.
pub struct Dense<'s, 'g> {
    search: &'s Search<'g>,
    /// Two boards to a word.
    words: AtomicWords,
    marks: Marks,
}

impl<'s, 'g> Dense<'s, 'g> {
    /// Copies the arrivals from the sparse table.
    pub fn of(search: &'s Search<'g>, sparse: &Sparse<'_, '_>, budget: &Budget) -> Result<Dense<'s, 'g>, Error> {
        budget.allows("all layers", 2 * u64::from(search.slots) + sparse.bytes())?;
        let words = AtomicWords::zeroed("all layers", search.slots.div_ceil(2) as usize)?;
        let marks = Marks::new((search.slots as usize).div_ceil(1 << BLOCK_BITS));
        let dense = Dense { search, words, marks };
        sparse.each(|slot, seen| {
            let (word, shift) = dense.half(slot);
            word.fetch_or(u32::from(seen.0) << shift, Relaxed);
        });
        Ok(dense)
    }

    /// Continues after the last layer found, from the frontier of the table.
    pub fn reach(
        self,
        layers: Vec<[u64; 2]>,
        depth: Option<u32>,
        observer: &dyn Observer,
        sparse: Sparse<'_, '_>,
    ) -> Result<[Vec<u64>; 2], Error> {
        let last = layers.len() as u32 - 1;
        sparse.frontier().iter().for_each(|slot| self.marks.set((slot >> BLOCK_BITS) as usize, last));
        drop(sparse);
        breadth_first(&self.marks, layers, depth, observer, |blocks, layer| {
            dispatch(Share { dense: &self, blocks, layer: layer as u16 })
        })
    }

    fn half(&self, slot: u32) -> (&AtomicU32, u32) {
        (&self.words[slot as usize / 2], 16 * (slot & 1))
    }
}

impl Boards for Dense<'_, '_> {
    #[inline(always)]
    fn fetch(&self, slot: u32) {
        prefetch(&self.words[slot as usize / 2]);
    }

    #[inline(always)]
    fn arrive(&self, slot: u32, layer: u16, arrival: Visit) -> u64 {
        let (word, shift) = self.half(slot);
        let mut now = word.load(Relaxed);
        loop {
            let before = Seen((now >> shift) as u16);
            let after = before.after(layer, arrival);
            let new = before.new_by(arrival);
            if after == before {
                return new;
            }
            let next = now & !(0xffff << shift) | u32::from(after.0) << shift;
            match word.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) => {
                    self.marks.set((slot >> BLOCK_BITS) as usize, u32::from(layer));
                    return new;
                }
                Err(other) => now = other,
            }
        }
    }
}

/// A task of a layer.
struct Share<'d, 's, 'g> {
    dense: &'d Dense<'s, 'g>,
    blocks: &'d [usize],
    layer: u16,
}

impl Work for Share<'_, '_, '_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> [u64; 2] {
        let Share { dense, blocks, layer } = self;
        let mut arrivals = Arrivals::new(dense, layer + 1);
        for &block in blocks {
            let first = (block as u32) << BLOCK_BITS;
            for slot in first..dense.search.slots.min(first + (1 << BLOCK_BITS)) {
                let (word, shift) = dense.half(slot);
                let seen = Seen((word.load(Relaxed) >> shift) as u16);
                if seen.plays_in(layer) {
                    let later = seen.second() == layer + 1;
                    expand(bits, dense.search, slot, seen.forbidden() as u8, later, &mut arrivals);
                }
            }
        }
        arrivals.finish()
    }
}
