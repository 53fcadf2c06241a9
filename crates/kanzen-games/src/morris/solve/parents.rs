//! The hot loop of the levels: the positions from which quiet moves lead to some slots.
//!
//! The opponent's piece goes back from `to` to an empty `from`; had it closed a mill, `to` would stand in one.

use std::ops::Range;

use kanzen::index::points;
use kanzen::machine::cpu::{Gather, Work};
use kanzen::machine::prefetch;

use crate::morris::Morris;
use crate::morris::index::{Half, Image, Opponents, OrbitEntries, OrbitEntry, OrbitInfo, Tables};

/// Slots whose parents are found together.
const TOGETHER: usize = 32;

/// Visits the slots of a moving class from which quiet moves lead to `slots`.
pub struct ParentsOf<'w, V> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub halves: [Half; 2],
    pub slots: &'w [u64],
    pub visit: V,
}

impl<V: FnMut(u64)> Work for ParentsOf<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let ParentsOf { game, tables, halves, slots, mut visit } = self;
        MovingClass::new(game, tables, halves).parents_of(bits, slots, &mut visit);
    }
}

/// Visits slots of a moving class, each with the stretch in which its parents are.
pub struct ParentsWithin<'w, V> {
    pub game: &'w Morris,
    pub tables: &'w Tables,
    pub halves: [Half; 2],
    pub slots: &'w [u64],
    pub visit: V,
}

impl<V: FnMut(u64, Range<u64>)> Work for ParentsWithin<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let ParentsWithin { game, tables, halves, slots, mut visit } = self;
        MovingClass::new(game, tables, halves).parents_within(bits, slots, &mut visit);
    }
}

/// One way round of a class, with its tables.
#[derive(Clone, Copy)]
struct WayRound<'w> {
    half: Half,
    opponents: &'w Opponents,
    entries: &'w OrbitEntries,
    movers: &'w [u32],
}

impl WayRound<'_> {
    /// The slot for a mover's image against the opponent's mask of an entry.
    #[inline(always)]
    fn slot<B: Gather>(&self, bits: B, entry: OrbitEntry, image: u32) -> u64 {
        match entry.is_alone() {
            true => entry.slot(bits, self.half, image),
            false => self.opponents.smallest_slot(bits, self.half, entry, image),
        }
    }
}

struct MovingClass<'w> {
    game: &'w Morris,
    ways: [WayRound<'w>; 2],
}

/// A position: its side, and that of its parents, its orbit, and the men.
#[derive(Clone, Copy, Default)]
struct Seen {
    at: usize,
    back: usize,
    orbit: u32,
    opponent: u32,
    mover: u32,
    loose: u32,
    alone: bool,
}

impl<'w> MovingClass<'w> {
    fn new(game: &'w Morris, tables: &'w Tables, halves: [Half; 2]) -> MovingClass<'w> {
        let way = |half| WayRound {
            half,
            opponents: tables.opponents(half),
            entries: tables.entries(game, half),
            movers: tables.movers(half),
        };
        MovingClass { game, ways: halves.map(way) }
    }

    /// What is read of the tables for a slot waits for the memory; so for some slots at a time it is fetched first.
    #[inline(always)]
    fn parents_of<B: Gather>(&self, bits: B, slots: &[u64], visit: &mut impl FnMut(u64)) {
        let mut seen = [Seen::default(); TOGETHER];
        let none = OrbitEntry::default();
        let mut entries = [&none; TOGETHER];
        for slots in slots.chunks(TOGETHER) {
            for ((seen, entry), &slot) in seen.iter_mut().zip(&mut entries).zip(slots) {
                *seen = self.see(bits, slot);
                *entry = self.ways[seen.back].entries.of(seen.mover);
                prefetch(*entry);
            }
            for (entry, seen) in entries.iter().zip(&seen[..slots.len()]) {
                self.parents(bits, seen, **entry, visit);
            }
        }
    }

    /// Where parents are, by the look-ups alone that finding them begins with.
    #[inline(always)]
    fn parents_within<B: Gather>(&self, bits: B, slots: &[u64], visit: &mut impl FnMut(u64, Range<u64>)) {
        let mut seen = [Seen::default(); TOGETHER];
        for slots in slots.chunks(TOGETHER) {
            for (seen, &slot) in seen.iter_mut().zip(slots) {
                *seen = self.see(bits, slot);
                prefetch(self.ways[seen.back].opponents.orbits().entry(seen.mover.into()));
            }
            for (seen, &slot) in seen.iter().zip(slots) {
                let WayRound { half, opponents, .. } = self.ways[seen.back];
                let (orbit, _) = opponents.orbits().orbit_of(seen.mover.into());
                let first = self.base(seen.back) + u64::from(orbit) * half.per_orbit;
                visit(slot, first..first + half.per_orbit);
            }
        }
    }

    /// The first slot of a way round.
    #[inline(always)]
    fn base(&self, way: usize) -> u64 {
        if way == 0 { 0 } else { self.ways[0].half.slots }
    }

    /// The position of a slot.
    #[inline(always)]
    fn see<B: Gather>(&self, bits: B, slot: u64) -> Seen {
        let [one, other] = &self.ways;
        // Seen from the parent, mover and opponent have changed places.
        let (within, at) = match slot.checked_sub(one.half.slots) {
            None => (slot, 0),
            Some(within) => (within, 1),
        };
        let (way, back) = (&self.ways[at], if one.half.mover == other.half.mover { 0 } else { 1 - at });
        let (orbit, rank) = way.half.split(within);
        let OrbitInfo { opponent, loose, alone } = *way.opponents.info(orbit);
        let mover = bits.pdep32(way.movers[rank as usize], self.game.board().all() & !opponent);
        Seen { at, back, orbit, opponent, mover, loose, alone }
    }

    /// The parents of a position; the entry is that of its mover, who is the opponent in them.
    #[inline(always)]
    fn parents<B: Gather>(&self, bits: B, seen: &Seen, entry: OrbitEntry, visit: &mut impl FnMut(u64)) {
        let Seen { opponent, mover, loose, .. } = *seen;
        let (way, back) = (&self.ways[seen.at], &self.ways[seen.back]);
        let base = self.base(seen.back);
        let board = self.game.board();
        let empty = board.all() & !(opponent | mover);
        let flies = self.game.flies(way.half.opponent);
        let image = back.opponents.image(entry.symmetry());
        let standing = image.apply(opponent);
        if !seen.alone {
            let keeping = way.opponents.keeping_both(seen.orbit, mover);
            if !keeping.is_empty() {
                for to in points(loose) {
                    let from = if flies { empty } else { board.neighbours[to as usize] & empty };
                    for from in points(from).filter(|&from| is_least((to, from), &keeping)) {
                        visit(base + back.slot(bits, entry, standing ^ image.point(to) ^ image.point(from)));
                    }
                }
                return;
            }
        }
        for to in points(loose) {
            let without = standing ^ image.point(to);
            let from = if flies { empty } else { board.neighbours[to as usize] & empty };
            for from in points(from) {
                visit(base + back.slot(bits, entry, without ^ image.point(from)));
            }
        }
    }
}

/// Whether none of the symmetries makes a pair of points smaller.
pub fn is_least((one, other): (u32, u32), symmetries: &[&Image]) -> bool {
    let pair = (1u32 << one, 1u32 << other);
    symmetries.iter().all(|image| (image.point(one), image.point(other)) >= pair)
}
