//! Counting positions up to symmetry from sets that are not reduced by it.
//!
//! By Burnside's lemma, the orbits of a set under the symmetries that keep black's point are the mean number of its
//! positions that a symmetry keeps. For the identity that is all of them; a position that another symmetry keeps is a
//! union of that symmetry's cycles of points, so these few are listed and looked up one by one.

use kanzen::index::cycles;
use kanzen::solve::rounds::Bits;
use rayon::prelude::*;

use crate::musashi::board::Board;
use crate::musashi::index::layout::Layout;

/// Positions by number of brown pieces.
pub type ByBrown = Vec<u64>;

/// The symmetries that keep black's point, but for the identity: of each, the cycles of the other points as index bits.
pub struct Keepers {
    cycles: Vec<Vec<u64>>,
}

impl Keepers {
    /// The symmetries that keep a point, or nothing if another point stands for it in a count.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> Option<Keepers> {
        let place = |symmetry: &Vec<u8>| symmetry[usize::from(black)];
        if board.symmetries().iter().any(|symmetry| place(symmetry) < black) {
            return None;
        }
        let keeping = board.symmetries().iter().skip(1).filter(|symmetry| place(symmetry) == black);
        let bit = |point: u8| 1u64 << layout.slot(black, point);
        let cycles = keeping.map(|symmetry| {
            let of_bits = |cycle: u64| (0..board.points() as u8).filter(|p| cycle >> p & 1 == 1).map(bit).sum();
            cycles(symmetry, !(1 << black)).map(of_bits).collect()
        });
        Some(Keepers { cycles: cycles.collect() })
    }

    /// How many symmetries keep the point, the identity included.
    pub fn order(&self) -> u64 {
        1 + self.cycles.len() as u64
    }

    /// The blocks in which there are positions that a symmetry other than the identity keeps.
    pub fn blocks(&self, layout: &Layout) -> Vec<usize> {
        let mut blocks = Vec::new();
        for cycles in &self.cycles {
            let mut high: Vec<u64> = cycles.iter().map(|cycle| cycle >> layout.block_bits()).collect();
            high.retain(|&part| part != 0);
            let mut found = vec![0u64];
            for part in high {
                let joined: Vec<u64> = found.iter().map(|other| other | part).collect();
                found.extend(joined);
                found.sort_unstable();
                found.dedup();
            }
            blocks.extend(found.into_iter().map(|block| block as usize));
        }
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// Adds the positions of a set that symmetries other than the identity keep, once for each such symmetry.
    pub fn count(&self, set: &Bits, counts: &mut ByBrown) {
        for cycles in &self.cycles {
            let (outer, inner) = cycles.split_at(cycles.len().min(6));
            let found = (0..1u64 << outer.len()).into_par_iter().map(|chosen| {
                let first: u64 = outer.iter().enumerate().filter(|(n, _)| chosen >> n & 1 == 1).map(|(_, c)| c).sum();
                let mut found = vec![0; counts.len()];
                let mut index = first;
                // All unions of the inner cycles, one cycle at a time going in or out.
                for step in 1..=1u64 << inner.len() {
                    if set.contains(index) {
                        found[index.count_ones() as usize] += 1;
                    }
                    if let Some(cycle) = inner.get(step.trailing_zeros() as usize) {
                        index ^= cycle;
                    }
                }
                found
            });
            let none = || vec![0; counts.len()];
            let found = found.reduce(none, |mut all, found| {
                all.iter_mut().zip(found).for_each(|(all, found)| *all += found);
                all
            });
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
        }
    }
}
