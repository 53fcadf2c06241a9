//! Brown to move: a position is won if some move of brown's leads to one that black has lost.
//!
//! A piece goes from one point to an empty neighbour: two index bits, one set and one not, change places. If both are in
//! the number of the block, whole blocks are joined; if one is, half of each; if none, positions within the block.

use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::{Bits, Merge, Transfer, or, swap, transfer};

use crate::musashi::board::Board;
use crate::musashi::index::layout::Layout;

/// All moves of brown's with black on one point, pulled back.
pub struct Pushes {
    low: Vec<(u32, u32)>,          // two bits in the block
    mixed: Vec<(usize, Vec<u32>)>, // a bit of the block's number, and those in the block that it changes with
    high: Vec<usize>,              // two bits of the block's number
}

impl Pushes {
    /// The moves with black on a point.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> Pushes {
        let mut pushes = Pushes { low: Vec::new(), mixed: Vec::new(), high: Vec::new() };
        let low_bits = layout.block_bits();
        for &(p, q) in board.edges().iter().filter(|&&(p, q)| p != black && q != black) {
            let (p, q) = (layout.slot(black, p), layout.slot(black, q));
            let (low, high) = (p.min(q), p.max(q));
            if high < low_bits {
                pushes.low.push((low, high));
            } else if low >= low_bits {
                pushes.high.push(1 << (low - low_bits) | 1 << (high - low_bits));
            } else {
                let bit = 1 << (high - low_bits);
                match pushes.mixed.iter_mut().find(|(other, _)| *other == bit) {
                    Some((_, lows)) => lows.push(1 << low),
                    None => pushes.mixed.push((bit, vec![1 << low])),
                }
            }
        }
        pushes
    }

    /// Writes to `won` the positions of a block from which a move leads into `lost`, looking only at blocks of `lost`
    /// that are fresh; tells whether there were any to look at.
    pub fn won(&self, isa: Isa, block: usize, lost: &Bits, fresh: impl Fn(usize) -> bool, won: &mut [u64]) -> bool {
        let mut any = false;
        let mut begin = |won: &mut [u64]| {
            if !std::mem::replace(&mut any, true) {
                won.fill(0);
            }
        };
        if fresh(block) {
            begin(won);
            let own = lost.block(block);
            for &bits in &self.low {
                swap(isa, won, own, bits);
            }
        }
        for (bit, lows) in &self.mixed {
            let from = block ^ bit;
            if fresh(from) {
                begin(won);
                let from = lost.block(from);
                for &low in lows {
                    let to = if block & bit == 0 { low } else { 0 };
                    transfer(isa, Merge::Or, won, from, Transfer { among: low, to, across: low });
                }
            }
        }
        for both in &self.high {
            let (from, here) = (block ^ both, block & both);
            if here != 0 && here != *both && fresh(from) {
                begin(won);
                or(isa, won, lost.block(from));
            }
        }
        any
    }
}
