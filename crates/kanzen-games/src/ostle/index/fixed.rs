//! Faster ranking of many boards that share the hole and one side's pieces.

use kanzen_core::machine::cpu::Gather;

use super::{CanonicalSlot, ClassIndex, HOLE_OF, HoleIndex};
use crate::ostle::board::{ALL, Mask, SYMMETRIES, THEN, image};
use kanzen_core::index::rank_of_size as rank;

/// Ranks boards with a fixed hole and a fixed opponent: only the mover is left to look up.
pub struct FixedOpponent<'i> {
    class: &'i ClassIndex,
    hole: &'i HoleIndex,
    /// Maps the hole to its representative.
    to_hole: u8,
    opponents: [Mask; SYMMETRIES],
}

impl FixedOpponent<'_> {
    /// Returns the slot of the board with this mover, and the symmetry that maps to its canonical form.
    #[inline(always)]
    pub fn place<B: Gather>(&self, bits: B, mover: Mask) -> CanonicalSlot {
        let mover = image(self.to_hole, mover);
        let place = self.place_turned(bits, mover);
        CanonicalSlot { symmetry: THEN[usize::from(self.to_hole)][usize::from(place.symmetry)], ..place }
    }

    /// Like [`place`](FixedOpponent::place), if the hole is one of the six.
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

/// Ranks boards with a fixed hole and a fixed mover, given in the orientation of their row: only the opponent is left
/// to look up.
pub struct Row<'i> {
    class: &'i ClassIndex,
    first: u32,
    /// Maps the mover's pieces to the row's mover; fixes the hole.
    pub symmetry: u8,
    /// The row's mover.
    pub mover: Mask,
    free: Mask,
}

impl Row<'_> {
    /// Returns the slot of the board with this opponent.
    #[inline(always)]
    pub fn slot<B: Gather>(&self, bits: B, opponent: Mask) -> u32 {
        self.first + rank(self.class.opponent, bits.pext32(opponent, self.free))
    }
}

impl ClassIndex {
    /// Prepares the ranking of boards with this hole and this opponent.
    pub fn fixed_opponent(&self, hole: u8, opponent: Mask) -> FixedOpponent<'_> {
        let (hole_number, to_hole) = HOLE_OF[usize::from(hole)];
        let (hole, opponent) = (&self.holes[usize::from(hole_number)], image(to_hole, opponent));
        let opponents = std::array::from_fn(|symmetry| image(symmetry as u8, opponent));
        FixedOpponent { class: self, hole, to_hole, opponents }
    }

    /// Returns the row of a mover with this hole, one of the six, or `None` if the mover's pieces are symmetric.
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
