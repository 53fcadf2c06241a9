//! Quick ways to place many boards that have most in common.

use kanzen::machine::cpu::Gather;

use super::{CanonicalSlot, ClassIndex, HOLE_OF, HoleIndex};
use crate::ostle::board::{ALL, Mask};
use crate::ostle::symmetry::{SYMMETRIES, THEN, image};
use kanzen::index::rank_of_size as rank;

/// Places boards that share the hole and the opponent: all that is left to look up is the mover.
pub struct Desk<'i> {
    class: &'i ClassIndex,
    hole: &'i HoleIndex,
    /// Leads from the hole of the boards to the one of the six that stands for it.
    to_hole: u8,
    opponents: [Mask; SYMMETRIES],
}

impl Desk<'_> {
    /// The slot of the board with this mover, and the symmetry that leads there.
    #[inline(always)]
    pub fn place<B: Gather>(&self, bits: B, mover: Mask) -> CanonicalSlot {
        let mover = image(self.to_hole, mover);
        let place = self.place_turned(bits, mover);
        CanonicalSlot { symmetry: THEN[usize::from(self.to_hole)][usize::from(place.symmetry)], ..place }
    }

    /// As [`place`](Desk::place), where the hole is one of the six.
    #[inline(always)]
    pub fn place_turned<B: Gather>(&self, bits: B, mover: Mask) -> CanonicalSlot {
        let (class, hole) = (self.class, self.hole);
        let entry = hole.entry(class.mover, mover);
        let symmetry = entry.symmetry();
        let free = ALL & !(entry.mover | 1 << hole.square);
        let opponent = self.opponents[usize::from(symmetry)];
        if !entry.is_symmetric() {
            let column = rank(class.opponent, bits.pext32(opponent, free));
            return CanonicalSlot { slot: hole.first + entry.number() * class.columns + column, symmetry };
        }
        class.place_in_symmetric_row(hole, entry.number(), opponent, free, symmetry)
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
    /// Ready to place boards with this hole and this opponent.
    pub fn desk(&self, hole: u8, opponent: Mask) -> Desk<'_> {
        let (hole_number, to_hole) = HOLE_OF[usize::from(hole)];
        let (hole, opponent) = (&self.holes[usize::from(hole_number)], image(to_hole, opponent));
        let opponents = std::array::from_fn(|symmetry| image(symmetry as u8, opponent));
        Desk { class: self, hole, to_hole, opponents }
    }

    /// The row of a mover with this hole, one of the six; none if the mover's pieces have a symmetry of their own.
    #[inline(always)]
    pub fn row(&self, hole_number: u8, mover: Mask) -> Option<Row<'_>> {
        let hole = &self.holes[usize::from(hole_number)];
        let entry = hole.entry(self.mover, mover);
        let (first, free) = (hole.first + entry.number() * self.columns, ALL & !(entry.mover | 1 << hole.square));
        (!entry.is_symmetric()).then_some(Row {
            class: self,
            first,
            symmetry: entry.symmetry(),
            mover: entry.mover,
            free,
        })
    }
}
