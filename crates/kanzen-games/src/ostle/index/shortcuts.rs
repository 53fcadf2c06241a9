//! Quick ways to place many boards that have most in common.

use kanzen::machine::cpu::Gather;

use super::ranks::rank;
use super::rows::without;
use super::{ClassIndex, HoleIndex};
use crate::ostle::board::{ALL, Mask};
use crate::ostle::symmetry::{SYMMETRIES, image};

/// Places boards that share the hole and the opponent: all that is left to look up is the mover.
pub struct Desk<'i> {
    class: &'i ClassIndex,
    hole: &'i HoleIndex,
    opponents: [Mask; SYMMETRIES],
}

impl Desk<'_> {
    /// The slot of the board with this mover.
    #[inline(always)]
    pub fn slot<B: Gather>(&self, bits: B, mover: Mask) -> u32 {
        let (class, hole) = (self.class, self.hole);
        let entry = hole.entries[rank(class.mover, without(hole.square, mover)) as usize];
        let to_row = entry as u8 & 7;
        let free = ALL & !(image(to_row, mover) | 1 << hole.square);
        let opponent = self.opponents[usize::from(to_row)];
        if entry & 8 == 0 {
            let column = rank(class.opponent, bits.pext32(opponent, free));
            return hole.first + (entry >> 4) * class.columns + column;
        }
        class.place_in_symmetric_row(hole, entry >> 4, opponent, free, to_row).slot
    }
}

/// The boards that share the hole and the mover, as they lie in their row: all that is left to look up is the opponent.
pub struct Row<'i> {
    class: &'i ClassIndex,
    first: u32,
    /// The symmetry, one that keeps the hole, that brings the mover's pieces there.
    pub symmetry: u8,
    /// The mover's pieces there.
    pub mover: Mask,
    free: Mask,
}

impl Row<'_> {
    /// The slot of the board with this opponent.
    #[inline(always)]
    pub fn slot<B: Gather>(&self, bits: B, opponent: Mask) -> u32 {
        self.first + rank(self.class.opponent, bits.pext32(opponent, self.free))
    }
}

impl ClassIndex {
    /// Ready to place boards with this hole, one of the six, and this opponent.
    #[inline(always)]
    pub fn desk(&self, hole_number: u8, opponent: Mask) -> Desk<'_> {
        let hole = &self.holes[usize::from(hole_number)];
        Desk { class: self, hole, opponents: std::array::from_fn(|symmetry| image(symmetry as u8, opponent)) }
    }

    /// The row of a mover with this hole, one of the six; none if the mover's pieces have a symmetry of their own.
    #[inline(always)]
    pub fn row(&self, hole_number: u8, mover: Mask) -> Option<Row<'_>> {
        let hole = &self.holes[usize::from(hole_number)];
        let entry = hole.entries[rank(self.mover, without(hole.square, mover)) as usize];
        let symmetry = entry as u8 & 7;
        let mover = image(symmetry, mover);
        let (first, free) = (hole.first + (entry >> 4) * self.columns, ALL & !(mover | 1 << hole.square));
        (entry & 8 == 0).then_some(Row { class: self, first, symmetry, mover, free })
    }
}
