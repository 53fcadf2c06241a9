//! Finds parents by quiet un-moves, the hot loop of the levels; and transposes the rows of a [`Grid`].
//!
//! An un-move takes the opponent's piece back from `to` to an empty `from`; it must not have closed a mill, so `to` is
//! in none.
//!
//! # Transposition
//!
//! A grid stores the bytes of all subsets in rows by upper part and in rows by lower part:
//!
//! ```text
//!   subsets with as many upper points are one sheet:      by upper            by lower
//!                                                         U1: L1 L2 L3        L1: U1 U2
//!                                                         U2: L1 L2 L3   <->  L2: U1 U2
//!                                                                             L3: U1 U2
//! ```
//!
//! A sheet is transposed in tiles of eight by eight bytes, each of them eight words. Bytes behind the end of a row, up
//! to the next multiple of 32, are written too and are undefined.

use std::ops::Range;

use kanzen_core::index::points;
use kanzen_core::machine::cpu::{Gather, Work};
use kanzen_core::machine::prefetch;

use super::grid::{Grid, LANES, Lanes};
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

/// Visits slots of a moving class, each with the range that contains its parents.
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

/// One half of a class, with its tables.
#[derive(Clone, Copy)]
struct HalfTables<'w> {
    half: Half,
    opponents: &'w Opponents,
    entries: &'w OrbitEntries,
    movers: &'w [u32],
}

impl HalfTables<'_> {
    /// Returns the slot of a mover's image against the opponent mask of an entry.
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
    sides: [HalfTables<'w>; 2],
}

/// A position: its half, that of its parents, its orbit, and the men.
#[derive(Clone, Copy, Default)]
struct Located {
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
        let side = |half| HalfTables {
            half,
            opponents: tables.opponents(half),
            entries: tables.entries(game, half),
            movers: tables.movers(half),
        };
        MovingClass { game, sides: halves.map(side) }
    }

    /// Finds parents in batches: the table entries of a batch are prefetched first.
    #[inline(always)]
    fn parents_of<B: Gather>(&self, bits: B, slots: &[u64], visit: &mut impl FnMut(u64)) {
        let mut located = [Located::default(); TOGETHER];
        let none = OrbitEntry::default();
        let mut entries = [&none; TOGETHER];
        for slots in slots.chunks(TOGETHER) {
            for ((located, entry), &slot) in located.iter_mut().zip(&mut entries).zip(slots) {
                *located = self.locate(bits, slot);
                *entry = self.sides[located.back].entries.of(located.mover);
                prefetch(*entry);
            }
            for (entry, located) in entries.iter().zip(&located[..slots.len()]) {
                self.parents(bits, located, **entry, visit);
            }
        }
    }

    /// Returns the ranges of parents after the first lookups only.
    #[inline(always)]
    fn parents_within<B: Gather>(&self, bits: B, slots: &[u64], visit: &mut impl FnMut(u64, Range<u64>)) {
        let mut located = [Located::default(); TOGETHER];
        for slots in slots.chunks(TOGETHER) {
            for (located, &slot) in located.iter_mut().zip(slots) {
                *located = self.locate(bits, slot);
                prefetch(self.sides[located.back].opponents.orbits().entry(located.mover.into()));
            }
            for (located, &slot) in located.iter().zip(slots) {
                let HalfTables { half, opponents, .. } = self.sides[located.back];
                let (orbit, _) = opponents.orbits().orbit_of(located.mover.into());
                let first = self.base(located.back) + u64::from(orbit) * half.per_orbit;
                visit(slot, first..first + half.per_orbit);
            }
        }
    }

    /// Returns the first slot of a half.
    #[inline(always)]
    fn base(&self, side: usize) -> u64 {
        if side == 0 { 0 } else { self.sides[0].half.slots }
    }

    /// Returns the position of a slot.
    #[inline(always)]
    fn locate<B: Gather>(&self, bits: B, slot: u64) -> Located {
        let [one, other] = &self.sides;
        // In the parent, mover and opponent are swapped.
        let (within, at) = match slot.checked_sub(one.half.slots) {
            None => (slot, 0),
            Some(within) => (within, 1),
        };
        let (side, back) = (&self.sides[at], if one.half.mover == other.half.mover { 0 } else { 1 - at });
        let (orbit, rank) = side.half.split(within);
        let OrbitInfo { opponent, loose, alone } = *side.opponents.info(orbit);
        let mover = bits.pdep32(side.movers[rank as usize], self.game.board().all() & !opponent);
        Located { at, back, orbit, opponent, mover, loose, alone }
    }

    /// Visits the parents of a position. The entry is that of its mover, who is the opponent in the parents.
    #[inline(always)]
    fn parents<B: Gather>(&self, bits: B, located: &Located, entry: OrbitEntry, visit: &mut impl FnMut(u64)) {
        let Located { opponent, mover, loose, .. } = *located;
        let (side, back) = (&self.sides[located.at], &self.sides[located.back]);
        let base = self.base(located.back);
        let board = self.game.board();
        let empty = board.all() & !(opponent | mover);
        let flies = self.game.flies(side.half.opponent);
        let image = back.opponents.image(entry.symmetry());
        let standing = image.apply(opponent);
        if !located.alone {
            let stabilizer = side.opponents.position_stabilizer(located.orbit, mover);
            if !stabilizer.is_empty() {
                for to in points(loose) {
                    let from = if flies { empty } else { board.neighbours[to as usize] & empty };
                    for from in points(from).filter(|&from| is_least((to, from), &stabilizer)) {
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

/// Rows and columns of a tile.
const TILE: usize = 8;

/// The subsets with the same number of upper points: the starts of their rows, in order, by upper and by lower part.
pub struct Sheet {
    pub rows: [Vec<u32>; 2],
}

impl Grid {
    /// Distributes bytes in slot order to rows by upper part.
    #[inline(always)]
    pub fn spread<const N: usize, T: Copy>(&self, list: &[T], rows: [&mut [Lanes]; N], bytes: impl Fn(T) -> [u8; N]) {
        let mut rest = list;
        for &(row, len) in self.in_order() {
            let (here, others) = rest.split_at(len as usize);
            let first = row as usize / LANES;
            for (lane, values) in (first..).zip(here.chunks(LANES)) {
                let mut found = [[0; LANES]; N];
                for (at, &value) in values.iter().enumerate() {
                    for (found, byte) in found.iter_mut().zip(bytes(value)) {
                        found[at] = byte;
                    }
                }
                for (number, found) in found.into_iter().enumerate() {
                    rows[number][lane] = Lanes(found);
                }
            }
            rest = others;
        }
    }

    /// Transposes rows by upper part to rows by lower part.
    #[inline(always)]
    pub fn transpose_to_lower(&self, by_upper: &[Lanes], by_lower: &mut [Lanes]) {
        for Sheet { rows: [uppers, lowers] } in self.sheets() {
            transpose(uppers, lowers, by_upper, by_lower);
        }
    }

    /// Transposes rows by lower part to rows by upper part.
    #[inline(always)]
    pub fn transpose_to_upper(&self, by_lower: &[Lanes], by_upper: &mut [Lanes]) {
        for Sheet { rows: [uppers, lowers] } in self.sheets() {
            transpose(lowers, uppers, by_lower, by_upper);
        }
    }

    /// Visits rows by upper part in slot order: the larger of two bytes for each subset, up to 32 at a time.
    #[inline(always)]
    pub fn read_best(&self, one: &[Lanes], other: &[Lanes], mut visit: impl FnMut(&[u8])) {
        for &(row, len) in self.in_order() {
            let first = row as usize / LANES;
            for (at, lane) in (first..).enumerate().take((len as usize).div_ceil(LANES)) {
                let (one, other) = (&one[lane].0, &other[lane].0);
                let mut best = [0; LANES];
                for at in 0..LANES {
                    best[at] = one[at].max(other[at]);
                }
                visit(&best[..(len as usize - at * LANES).min(LANES)]);
            }
        }
    }
}

#[inline(always)]
fn transpose(rows: &[u32], columns: &[u32], from: &[Lanes], to: &mut [Lanes]) {
    for (group, rows) in rows.chunks(TILE).enumerate() {
        for (first, columns) in (0..).step_by(TILE).zip(columns.chunks(TILE)) {
            let mut tile = [0; TILE];
            for (word, &row) in tile.iter_mut().zip(rows) {
                *word = read(from, row as usize + first);
            }
            let tile = transposed(tile);
            for (&word, &row) in tile.iter().zip(columns) {
                write(to, row as usize + group * TILE, word);
            }
        }
    }
}

#[inline(always)]
fn read(rows: &[Lanes], at: usize) -> u64 {
    let first = at % LANES / TILE * TILE;
    u64::from_le_bytes(rows[at / LANES].0[first..first + TILE].try_into().expect("eight bytes"))
}

#[inline(always)]
fn write(rows: &mut [Lanes], at: usize, word: u64) {
    let first = at % LANES / TILE * TILE;
    rows[at / LANES].0[first..first + TILE].copy_from_slice(&word.to_le_bytes());
}

/// Transposes eight rows of eight bytes: swaps halves, then quarters, then bytes.
#[inline(always)]
fn transposed(mut rows: [u64; TILE]) -> [u64; TILE] {
    for (apart, mask) in [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
        for one in (0..TILE).filter(|row| row & apart == 0) {
            let other = one + apart;
            let moved = (rows[one] >> (8 * apart) ^ rows[other]) & mask;
            rows[other] ^= moved;
            rows[one] ^= moved << (8 * apart);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::grid::Halved;
    use super::*;
    use kanzen_core::index::Combinations;

    #[test]
    fn every_subset_is_in_its_rows_and_read_back_in_order() {
        for (points, size) in [(1, 1), (5, 2), (9, 0), (12, 6), (16, 7), (17, 9), (21, 3)] {
            let grid = Grid::new(Halved::new(points), size);
            let masks: Vec<u32> = Combinations::new(points, size).iter().map(|mask| mask as u32).collect();
            let bytes: Vec<[u8; 2]> = masks.iter().map(|mask| [1, 2].map(|by| byte_of(*mask, by))).collect();
            let [mut one, mut other, mut back] = [(); 3].map(|()| grid.filled(0));
            grid.spread(&bytes, [&mut one[0], &mut other[0]], |bytes| bytes);
            for both in [&mut one, &mut other] {
                let [by_upper, by_lower] = both;
                grid.transpose_to_lower(by_upper, by_lower);
            }
            for (&mask, bytes) in masks.iter().zip(&bytes) {
                for (both, &byte) in [&one, &other].into_iter().zip(bytes) {
                    assert_eq!(grid.bytes_of(both, mask), [byte; 2], "{mask:#b} of {points} points");
                }
            }
            grid.transpose_to_upper(&other[1], &mut back[0]);
            let mut best = Vec::new();
            grid.read_best(&one[0], &back[0], |bytes| best.extend_from_slice(bytes));
            let expected: Vec<u8> = bytes.iter().map(|&[one, other]| one.max(other)).collect();
            assert_eq!(best, expected);
        }
    }

    fn byte_of(mask: u32, by: u32) -> u8 {
        (mask.wrapping_add(by).wrapping_mul(0x9e37_79b9) >> 24) as u8
    }

    #[test]
    fn a_tile_is_transposed_byte_by_byte() {
        let tile: [u64; TILE] =
            std::array::from_fn(|row| 0x0102_0304_0506_0708u64.wrapping_mul(row as u64 * 2 + 0x1d3));
        let byte = |tile: &[u64; TILE], row: usize, column: usize| (tile[row] >> (8 * column)) as u8;
        let transposed = transposed(tile);
        assert!(
            (0..TILE * TILE).all(|at| byte(&transposed, at / TILE, at % TILE) == byte(&tile, at % TILE, at / TILE))
        );
    }
}
