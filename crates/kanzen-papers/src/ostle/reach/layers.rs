//! Breadth-first search: counts the positions first reached at each ply.
//!
//! ```text
//! slots    |  block 0  |  block 1  |  block 2  | ...
//! marks       0b0110      0b0000      0b1000        bit t: something in this block was found in layer t
//! ```
//!
//! The caller keeps what a slot remembers. This module keeps the marks, processes the blocks that have something in a
//! layer, in parallel, and adds up what is new. Marks are only ever set, so that the order in which
//! threads find things does not matter.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use kanzen::Error;
use kanzen::progress::{Event, Observer};
use kanzen_core::machine::parallel;

/// The most layers there can be.
pub const MOST_LAYERS: u32 = 31;

/// Blocks that one thread works through at a time.
const SHARE: usize = 64;

/// For each block of slots, the layers in which something in it was found.
pub struct Marks(Vec<AtomicU32>);

impl Marks {
    /// No marks on so many blocks.
    pub fn new(blocks: usize) -> Marks {
        Marks((0..blocks).map(|_| AtomicU32::new(0)).collect())
    }

    /// Something in the block was found in this layer.
    #[inline]
    pub fn set(&self, block: usize, layer: u32) {
        let mark = &self.0[block];
        // Most are set already: reading does not take the line away from others.
        if mark.load(Relaxed) >> layer & 1 == 0 {
            mark.fetch_or(1 << layer, Relaxed);
        }
    }

    fn has(&self, block: usize, layer: u32) -> bool {
        self.0[block].load(Relaxed) >> layer & 1 == 1
    }
}

/// Goes from layer to layer until nothing is new, or to layer `depth`. The layers `found` so far are given by their
/// positions, at least layer 0; the last of them is marked.
///
/// `expand` receives a share of blocks that have something in a layer. It marks what it finds in the next one and returns
/// how many positions of that were new, counted in several ways at once. The observer receives the first count.
pub fn breadth_first<const WAYS: usize>(
    marks: &Marks,
    found: Vec<[u64; WAYS]>,
    depth: Option<u32>,
    observer: &dyn Observer,
    expand: impl Fn(&[usize], u32) -> [u64; WAYS] + Sync,
) -> Result<[Vec<u64>; WAYS], Error> {
    let mut layers = found;
    for layer in layers.len().saturating_sub(1) as u32..depth.unwrap_or(MOST_LAYERS) {
        if layer + 1 >= MOST_LAYERS {
            return Err(Error::Rules(format!("there are more than {MOST_LAYERS} layers")));
        }
        let blocks: Vec<usize> = (0..marks.0.len()).into_par_iter().filter(|&block| marks.has(block, layer)).collect();
        observer.event(Event::Stage { name: &format!("layer {}", layer + 1), total: Some(blocks.len() as u64) });
        let shares: Vec<&[usize]> = blocks.chunks(SHARE).collect();
        let found = parallel::try_map(shares.len(), &|share| {
            let new = expand(shares[share], layer);
            observer.event(Event::Steps { steps: shares[share].len() as u64 });
            if observer.stop() { Err(Error::Stopped) } else { Ok(new) }
        })?;
        let new: [u64; WAYS] = std::array::from_fn(|way| found.iter().map(|found| found[way]).sum());
        observer.event(Event::Level { level: u64::from(layer) + 1, positions: new[0] });
        if new == [0; WAYS] {
            break;
        }
        layers.push(new);
    }
    Ok(by_way(&layers))
}

/// The layers of each way to count, up to the last that has positions.
pub fn by_way<const WAYS: usize>(layers: &[[u64; WAYS]]) -> [Vec<u64>; WAYS] {
    std::array::from_fn(|way| {
        let mut counts: Vec<u64> = layers.iter().map(|layer| layer[way]).collect();
        while counts.last() == Some(&0) {
            counts.pop();
        }
        counts
    })
}
