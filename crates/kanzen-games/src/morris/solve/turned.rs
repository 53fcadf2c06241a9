//! Bytes of all subsets of a [`Grid`]: from the order of slots into rows by upper part, into rows by lower part, and back.
//!
//! ```text
//!   subsets with as many upper points are one sheet:      by upper            by lower
//!                                                         U1: L1 L2 L3        L1: U1 U2
//!                                                         U2: L1 L2 L3   <->  L2: U1 U2
//!                                                                             L3: U1 U2
//! ```
//!
//! A sheet is turned in tiles of eight by eight bytes, each of them eight words. What stands behind the end of a row, up to
//! the next multiple of 32, is written too and means nothing.

use super::grid::{Grid, LANES, Lanes};

/// Rows and columns of a tile.
const TILE: usize = 8;

/// All subsets with as many upper points: where their rows begin, in order, by upper and by lower part.
pub struct Sheet {
    pub rows: [Vec<u32>; 2],
}

impl Grid {
    /// Writes bytes that come in the order of slots into rows by upper part.
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

    /// Makes rows by lower part of rows by upper part.
    #[inline(always)]
    pub fn turn_to_lower(&self, by_upper: &[Lanes], by_lower: &mut [Lanes]) {
        for Sheet { rows: [uppers, lowers] } in self.sheets() {
            turn(uppers, lowers, by_upper, by_lower);
        }
    }

    /// Makes rows by upper part of rows by lower part.
    #[inline(always)]
    pub fn turn_to_upper(&self, by_lower: &[Lanes], by_upper: &mut [Lanes]) {
        for Sheet { rows: [uppers, lowers] } in self.sheets() {
            turn(lowers, uppers, by_lower, by_upper);
        }
    }

    /// Visits rows by upper part in the order of slots: the best of two bytes for each, up to 32 at a time.
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
fn turn(rows: &[u32], columns: &[u32], from: &[Lanes], to: &mut [Lanes]) {
    for (group, rows) in rows.chunks(TILE).enumerate() {
        for (first, columns) in (0..).step_by(TILE).zip(columns.chunks(TILE)) {
            let mut tile = [0; TILE];
            for (word, &row) in tile.iter_mut().zip(rows) {
                *word = read(from, row as usize + first);
            }
            let tile = turned(tile);
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

/// Eight rows of eight bytes become columns: halves change places, then quarters, then bytes.
#[inline(always)]
fn turned(mut rows: [u64; TILE]) -> [u64; TILE] {
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
    use kanzen::index::Combinations;

    #[test]
    fn every_subset_stands_in_its_rows_and_comes_back_in_order() {
        for (points, size) in [(1, 1), (5, 2), (9, 0), (12, 6), (16, 7), (17, 9), (21, 3)] {
            let grid = Grid::new(Halved::new(points), size);
            let masks: Vec<u32> = Combinations::new(points, size).iter().map(|mask| mask as u32).collect();
            let bytes: Vec<[u8; 2]> = masks.iter().map(|mask| [1, 2].map(|by| byte_of(*mask, by))).collect();
            let [mut one, mut other, mut back] = [(); 3].map(|()| grid.filled(0));
            grid.spread(&bytes, [&mut one[0], &mut other[0]], |bytes| bytes);
            for both in [&mut one, &mut other] {
                let [by_upper, by_lower] = both;
                grid.turn_to_lower(by_upper, by_lower);
            }
            for (&mask, bytes) in masks.iter().zip(&bytes) {
                for (both, &byte) in [&one, &other].into_iter().zip(bytes) {
                    assert_eq!(grid.bytes_of(both, mask), [byte; 2], "{mask:#b} of {points} points");
                }
            }
            grid.turn_to_upper(&other[1], &mut back[0]);
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
    fn a_tile_is_turned_byte_by_byte() {
        let tile: [u64; TILE] =
            std::array::from_fn(|row| 0x0102_0304_0506_0708u64.wrapping_mul(row as u64 * 2 + 0x1d3));
        let byte = |tile: &[u64; TILE], row: usize, column: usize| (tile[row] >> (8 * column)) as u8;
        let turned = turned(tile);
        assert!((0..TILE * TILE).all(|at| byte(&turned, at / TILE, at % TILE) == byte(&tile, at % TILE, at / TILE)));
    }
}
