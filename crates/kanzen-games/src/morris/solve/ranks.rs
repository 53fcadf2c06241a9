//! The ranks of all masks of a size on the points that some men leave free.
//!
//! ```text
//!   rank of p = what its upper part adds + what its lower part adds      two numbers that many p share
//! ```

use kanzen::index::combinations;
use kanzen::machine::cpu::Gather;

use super::grid::Halved;
use crate::morris::index::Tables;

/// The ranks of all masks of a size on some free points, by parts.
#[derive(Default)]
pub struct Ranks {
    /// By the number of lower points, where those lists begin.
    starts: Vec<usize>,
    /// What each lower part adds, by size and in order.
    lower: Vec<u32>,
}

impl Ranks {
    /// Fills in the ranks of masks of at most `size` points.
    #[inline(always)]
    pub fn fill<B: Gather>(&mut self, bits: B, tables: &Tables, halved: Halved, size: u32, free: u32) {
        self.lower.clear();
        self.starts.clear();
        for left in 0..=halved.lower().min(size) {
            self.starts.push(self.lower.len());
            for &lower in tables.subsets(halved.lower(), left) {
                self.lower.push(combinations::rank(bits.pdep32(lower, free).into()) as u32);
            }
        }
        self.starts.push(self.lower.len());
    }

    /// What an upper part adds to the rank, and what each lower part of `left` points does, in order.
    #[inline(always)]
    pub fn of_row<B: Gather>(&self, bits: B, halved: Halved, upper: u32, left: u32, free: u32) -> (u32, &[u32]) {
        let lower = &self.lower[self.starts[left as usize]..self.starts[left as usize + 1]];
        // All upper points are above all lower ones: what they add does not depend on which those are.
        let with_first = bits.pdep32(upper << halved.lower() | ((1 << left) - 1), free);
        (combinations::rank(with_first.into()) as u32 - lower[0], lower)
    }
}
