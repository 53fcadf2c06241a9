//! Gathers values from the rows of child positions into the rows of their parents, for many rows at once.
//!
//! ```text
//!   here    row of o: all p on the points that o leaves free        there   row of p, up to symmetry: all o that p leaves free
//!
//!   points  h h h h h h h h h h h h h h h h | l l l l l l l l       high and low: symmetries keep the low ones among themselves
//!
//!   rows of one group here: the same high men of o, all low ones    for one p there: side by side, a segment
//! ```
//!
//! For each p the value is in another row there: one cache line each. But the rows of one group need adjacent values,
//! because the low points of an image of o are the lowest part of its rank. So one line serves some dozen rows. The
//! order of the low men under a symmetry does not depend on the high men, and comes from a table.

use std::ops::Range;

use kanzen_core::index::{binomial, combinations, points};
use kanzen_core::machine::cpu::Gather;
use kanzen_core::machine::prefetch;

use crate::morris::Morris;
use crate::morris::index::{Half, Image, Opponents, OrbitEntries, OrbitEntry, Tables};

/// Segments in flight together, at least.
const GROUP: usize = 64;

/// Gathers from the rows of child positions to the rows of parent positions.
pub struct RowGather<'w> {
    tables: &'w Tables,
    entries: &'w OrbitEntries,
    opponents: &'w Opponents,
    /// The child positions.
    there: Half,
    all: u32,
    low: u32,
    /// Columns of a row here.
    row: usize,
    /// By symmetry there, the number of its permutation of the low points; there are few.
    permutations: Vec<u8>,
    /// By permutation, low men of p and number of low men of o: the start of the segment's offsets.
    starts: Vec<u32>,
    /// For each value of a segment, its row of the group and column there, as an offset in a table of rows.
    offsets: Vec<u32>,
}

/// A segment with a prefetch in flight.
#[derive(Clone, Copy)]
struct PendingSegment {
    slot: u64,
    /// The column of the first p with the same high men.
    column: u32,
    offsets: u32,
    len: u32,
}

/// A thread's scratch memory for gathering.
#[derive(Default)]
pub struct GatherScratch {
    images: Vec<u32>,
    pending: Vec<PendingSegment>,
}

impl<'w> RowGather<'w> {
    /// Prepares gathering from the rows of `there` to rows with its opponents as columns; `there.mover` men make a row
    /// here.
    pub fn new(game: &Morris, tables: &'w Tables, there: Half) -> RowGather<'w> {
        let board = game.board();
        let (opponents, low) = (tables.opponents(there), board.low);
        let row = binomial(board.points - there.mover, there.opponent) as usize;
        let mut known: Vec<Vec<u32>> = Vec::new();
        let mut number_of = |image: &Image| {
            let permutation: Vec<u32> = (0..low).map(|point| image.point(point)).collect();
            let number = known.iter().position(|other| *other == permutation).unwrap_or(known.len());
            if number == known.len() {
                known.push(permutation);
            }
            number as u8
        };
        let permutations = opponents.images().iter().map(&mut number_of).collect();
        let (mut starts, mut offsets) = (Vec::new(), Vec::new());
        let low_points = (1u32 << low) - 1;
        for permutation in &known {
            let image = |men: u32| points(men).fold(0, |all, point| all | permutation[point as usize]);
            for theirs in 0..=low_points {
                let left_there = low_points & !image(theirs);
                for men in 0..=low {
                    let first = offsets.len();
                    starts.push(first as u32);
                    offsets.resize(first + binomial(left_there.count_ones(), men) as usize, 0);
                    for own in tables.subsets(low, men).iter().filter(|own| **own & theirs == 0) {
                        let column = rank_within(theirs, low_points & !own);
                        let offset = combinations::rank((*own).into()) as usize * row + column;
                        offsets[first + rank_within(image(*own), left_there)] = offset as u32;
                    }
                }
            }
        }
        let (entries, all) = (tables.entries(game, there), board.all());
        RowGather { tables, entries, opponents, there, all, low, row, permutations, starts, offsets }
    }

    /// Returns the columns of a row here.
    pub fn row(&self) -> usize {
        self.row
    }

    /// Returns the largest number of rows in a group.
    pub fn rows(&self) -> usize {
        (0..=self.low.min(self.there.mover)).map(|men| binomial(self.low, men)).max().unwrap_or(1) as usize
    }

    /// Returns the bytes of the rows of a group for all threads.
    pub fn bytes<T>(&self) -> u64 {
        (rayon::current_num_threads() * self.rows() * self.row * size_of::<T>()) as u64
    }

    /// Returns the men that a row has in common with its group.
    #[inline(always)]
    pub fn high(&self, opponent: u32) -> u32 {
        opponent >> self.low << self.low
    }

    /// Returns the number of a row in its group.
    pub fn number(&self, opponent: u32) -> usize {
        combinations::rank((opponent ^ self.high(opponent)).into()) as usize
    }

    /// Gathers the values of a group into rows of [`row`](RowGather::row) columns, ordered by
    /// [`number`](RowGather::number). Values of masks that are not `wanted` are skipped.
    #[inline(always)]
    pub fn gather<T: Copy, B: Gather>(
        &self,
        bits: B,
        scratch: &mut GatherScratch,
        high: u32,
        list: &[T],
        wanted: impl Fn(OrbitEntry) -> bool,
        rows: &mut [T],
    ) {
        let RowGather { tables, entries, opponents, there, low, .. } = *self;
        let GatherScratch { images, pending } = scratch;
        images.clear();
        images.extend(opponents.images().iter().map(|image| image.apply(high)));
        // The low men of o, and the largest number of low men of p.
        let men = there.mover - high.count_ones();
        let low_left = low - men;
        let free = self.all & !high & !((1 << low) - 1);
        let first_men = (1 << men) - 1;
        let mut column = 0;
        for upper in 0..1u32 << free.count_ones() {
            let Some(left) = there.opponent.checked_sub(upper.count_ones()).filter(|&left| left <= low_left) else {
                continue;
            };
            let lowers = tables.subsets(low, left);
            let len = binomial(low - left, men) as u32;
            let first = combinations::rank((bits.pdep32(upper, free) | ((1 << left) - 1)).into()) as u32;
            for (rank, &lower) in (first..).zip(lowers) {
                let entry = entries.at(rank);
                if !wanted(entry) {
                    continue;
                }
                let symmetry = usize::from(entry.symmetry());
                let slot = entry.slot_with(bits, there, images[symmetry], first_men);
                prefetch(&list[slot as usize]);
                prefetch(&list[slot as usize + len as usize - 1]);
                let permutation = usize::from(self.permutations[symmetry]) << low | lower as usize;
                let offsets = self.starts[permutation * (low as usize + 1) + men as usize];
                pending.push(PendingSegment { slot, column, offsets, len });
            }
            column += binomial(low_left, left) as u32;
            if pending.len() >= GROUP {
                self.scatter(pending, list, rows);
            }
        }
        self.scatter(pending, list, rows);
    }

    #[inline(always)]
    fn scatter<T: Copy>(&self, pending: &mut Vec<PendingSegment>, list: &[T], rows: &mut [T]) {
        for PendingSegment { slot, column, offsets, len } in pending.drain(..) {
            let segment = &list[slot as usize..][..len as usize];
            let offsets = &self.offsets[offsets as usize..][..len as usize];
            let rows = &mut rows[column as usize..];
            for (&value, &offset) in segment.iter().zip(offsets) {
                rows[offset as usize] = value;
            }
        }
    }
}

/// Cuts the rows of a half into ranges of whole groups with at least `slots` slots.
pub fn groups(game: &Morris, tables: &Tables, half: Half, slots: u32) -> Vec<Range<u32>> {
    let (opponents, low) = (tables.opponents(half), game.board().low);
    let (rows, all) = (slots / half.per_orbit as u32 + 1, opponents.orbits().orbits());
    let high = |orbit: u32| opponents.info(orbit).opponent >> low;
    let (mut groups, mut first) = (Vec::new(), 0);
    for orbit in 1..=all {
        if orbit == all || orbit - first >= rows && high(orbit) != high(orbit - 1) {
            groups.push(first..orbit);
            first = orbit;
        }
    }
    groups
}

/// Returns the rank of a mask among those of its size on some points.
fn rank_within(mask: u32, points: u32) -> usize {
    combinations::rank_within(mask.into(), points.into()) as usize
}
