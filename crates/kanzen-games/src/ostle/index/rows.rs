//! The mover's pieces up to the symmetries that keep the hole, for each of the six holes.

use std::sync::OnceLock;

use kanzen::index::{Combinations, rank_of_size as rank, sets_kept};
use kanzen::machine::cpu::pdep;

use super::HOLES;
use crate::ostle::board::{ALL, Mask};
use crate::ostle::symmetry::{IMAGE, SYMMETRIES, THEN, image};

/// The most pieces of a side.
const MOST: usize = 5;

/// Where a mover lies: its row, and the row's mover, side by side so that both come by one look.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Row << 4 | is symmetric << 3 | symmetry that leads to the row's mover.
    pub row: u32,
    /// The row's mover.
    pub mover: Mask,
}

impl Entry {
    /// The symmetry that leads to the row's mover.
    #[inline(always)]
    pub fn symmetry(self) -> u8 {
        self.row as u8 & 7
    }

    /// Whether the row's mover has a symmetry of its own.
    #[inline(always)]
    pub fn is_symmetric(self) -> bool {
        self.row & 8 != 0
    }

    /// The number of the row, among those that are symmetric or among the others.
    #[inline(always)]
    pub fn number(self) -> u32 {
        self.row >> 4
    }
}

/// The movers with so many pieces beside one hole, a row for all that are images of each other.
pub struct Rows {
    /// For each mover where it lies.
    pub entries: Vec<Entry>,
    /// The movers of the rows without a symmetry of their own.
    pub plain: Vec<Mask>,
    /// The movers of the others, each with the symmetries that keep it and the hole, as bits.
    pub symmetric: Vec<(Mask, u8)>,
}

impl Rows {
    /// The rows of a hole, made when first asked for.
    ///
    /// # Panics
    /// If there are more than five pieces.
    pub fn of(pieces: u32, hole_number: usize) -> &'static Rows {
        static ROWS: [[OnceLock<Rows>; HOLES.len()]; MOST + 1] =
            [const { [const { OnceLock::new() }; HOLES.len()] }; MOST + 1];
        ROWS[pieces as usize][hole_number].get_or_init(|| Rows::new(pieces, HOLES[hole_number]))
    }

    fn new(pieces: u32, hole: u8) -> Rows {
        let group: Vec<u8> =
            (0..SYMMETRIES as u8).filter(|&s| IMAGE[usize::from(s)][usize::from(hole)] == hole).collect();
        let movers = Combinations::new(24, pieces);
        let board = u64::from(ALL & !(1 << hole));
        let mut rows = Rows {
            entries: vec![Entry { row: 0, mover: 0 }; movers.len() as usize],
            plain: Vec::new(),
            symmetric: Vec::new(),
        };
        for points in movers.iter() {
            let mover = pdep(points, board) as Mask;
            if group.iter().any(|&s| image(s, mover) < mover) {
                continue;
            }
            let keeping: u8 = group.iter().filter(|&&s| image(s, mover) == mover).map(|&s| 1 << s).sum();
            let row = if keeping == 1 {
                rows.plain.push(mover);
                (rows.plain.len() as u32 - 1) << 4
            } else {
                rows.symmetric.push((mover, keeping));
                (rows.symmetric.len() as u32 - 1) << 4 | 8
            };
            for &symmetry in group.iter().rev() {
                // The inverse leads from the smallest to where the symmetry comes from.
                let inverse = THEN[usize::from(symmetry)].iter().position(|&both| both == 0).expect("a group") as u8;
                let origin = rank(pieces, without(hole, image(inverse, mover)));
                rows.entries[origin as usize] = Entry { row: row | u32::from(symmetry), mover };
            }
        }
        rows
    }
}

/// A mask of the board without one square: 24 points.
#[inline(always)]
pub fn without(square: u8, mask: Mask) -> Mask {
    let below = (1 << square) - 1;
    (mask & below) | (mask >> 1 & !below)
}

/// How many sets of so many of the free squares there are, up to these symmetries, all of which keep those squares.
pub fn count_sets(symmetries: u8, free: Mask, size: u32) -> u32 {
    let of = |s: usize| sets_kept(&IMAGE[s], free.into(), size)[size as usize];
    let kept: u64 = (0..SYMMETRIES).filter(|s| symmetries >> s & 1 == 1).map(of).sum();
    kept as u32 / symmetries.count_ones()
}
