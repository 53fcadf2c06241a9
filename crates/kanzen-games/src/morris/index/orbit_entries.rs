//! From masks to the rows of their orbits, for the hot loops of the solver.
//!
//! ```text
//!   entry of p: its orbit, the points that are free there, the symmetry that leads there
//!   slot of (o, p) = orbit * slots of a row + rank of the image of o among the free points
//! ```
//!
//! One look-up for each p, where the tables for single positions take two, one after the other.

use kanzen::index::combinations;
use kanzen::machine::cpu::Gather;

use super::{Half, Opponents, OrbitInfo};
use crate::morris::Morris;

const FREE: u32 = (1 << 24) - 1;
const SYMMETRY: u32 = (1 << 6) - 1;
const ALONE: u32 = 1 << 30;
const HAS_MILL: u32 = 1 << 31;

/// By rank of a mask, what is wanted of its orbit.
pub struct OrbitEntries(Vec<OrbitEntry>);

/// The orbit of a mask.
#[derive(Clone, Copy, Default)]
pub struct OrbitEntry {
    /// The points that its representative leaves free; above them the symmetry, and what there is to know besides.
    packed: u32,
    /// Its number.
    orbit: u32,
}

impl OrbitEntry {
    /// The number of the orbit.
    #[inline(always)]
    pub fn orbit(self) -> u32 {
        self.orbit
    }

    /// The symmetry that leads from the mask to its representative.
    #[inline(always)]
    pub fn symmetry(self) -> u8 {
        (self.packed >> 24 & SYMMETRY) as u8
    }

    /// Whether no symmetry keeps the mask.
    #[inline(always)]
    pub fn is_alone(self) -> bool {
        self.packed & ALONE != 0
    }

    /// Whether the mask has a mill.
    #[inline(always)]
    pub fn has_mill(self) -> bool {
        self.packed & HAS_MILL != 0
    }

    /// The slot of a half for other men, given their image under the [`symmetry`](OrbitEntry::symmetry). If a symmetry
    /// keeps the mask, it may be an empty one.
    #[inline(always)]
    pub fn slot<B: Gather>(self, bits: B, half: Half, image: u32) -> u64 {
        self.slot_with(bits, half, image, 0)
    }

    /// The same for other men besides, on some of the lowest points that are left free: `lowest` counts from the first.
    #[inline(always)]
    pub fn slot_with<B: Gather>(self, bits: B, half: Half, image: u32, lowest: u32) -> u64 {
        let rank = combinations::rank((bits.pext32(image, self.packed & FREE) | lowest).into());
        u64::from(self.orbit) * half.per_orbit + rank
    }
}

impl OrbitEntries {
    /// The entries of masks in ascending order, all of one size.
    pub fn new(game: &Morris, opponents: &Opponents, masks: &[u32]) -> OrbitEntries {
        assert!(opponents.images().len() <= SYMMETRY as usize + 1, "few symmetries");
        let entry = |&mask: &u32| {
            let (orbit, symmetry) = opponents.orbits().orbit_of(mask.into());
            let OrbitInfo { opponent, loose, alone } = *opponents.info(orbit);
            let (alone, mill) = (if alone { ALONE } else { 0 }, if opponent == loose { 0 } else { HAS_MILL });
            let free = game.board().all() & !opponent;
            OrbitEntry { packed: free | u32::from(symmetry) << 24 | alone | mill, orbit }
        };
        OrbitEntries(masks.iter().map(entry).collect())
    }

    /// The entry of a mask.
    #[inline(always)]
    pub fn of(&self, mask: u32) -> &OrbitEntry {
        &self.0[combinations::rank(mask.into()) as usize]
    }

    /// The entry of the mask with a rank.
    #[inline(always)]
    pub fn at(&self, rank: u32) -> OrbitEntry {
        self.0[rank as usize]
    }
}
