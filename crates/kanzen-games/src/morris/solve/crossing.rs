//! What stands in the rows of others, brought into the columns of one's own: many rows at once.
//!
//! ```text
//!   here    row of o: all p on the points that o leaves free        there   row of p, up to symmetry: all o that p leaves free
//!
//!   points  h h h h h h h h h h h h h h h h | l l l l l l l l       high and low: symmetries keep the low ones among themselves
//!
//!   rows of one group here: the same high men of o, all low ones    for one p there: side by side, a segment
//! ```
//!
//! A value there is somewhere else for every p: a cache line for each. But the rows of a group want neighbours of it, since
//! what an image of o has in the low points is the lowest part of its rank; so one line serves some dozen rows. In which
//! order a symmetry leaves the low men is the same for all high ones, and is looked up.

use std::ops::Range;

use kanzen::index::{binomial, combinations, points};
use kanzen::machine::cpu::Gather;
use kanzen::machine::prefetch;

use crate::morris::Morris;
use crate::morris::index::{Half, Image, Opponents, OrbitEntries, OrbitEntry, Tables};

/// Segments that are under way together, at least.
const GROUP: usize = 64;

/// From the rows of some positions to those of the positions they follow.
pub struct Crossing<'w> {
    tables: &'w Tables,
    entries: &'w OrbitEntries,
    opponents: &'w Opponents,
    /// The positions there.
    there: Half,
    all: u32,
    low: u32,
    /// Columns of a row here.
    row: usize,
    /// By symmetry there, what it does to the low points: the number of one of few ways.
    ways: Vec<u8>,
    /// By way, low men of p, and how many low men o has: where the offsets of the segment begin.
    starts: Vec<u32>,
    /// For each value of a segment, which row of the group it belongs to and where there: as a distance in a table of rows.
    offsets: Vec<u32>,
}

/// A segment that is on its way.
#[derive(Clone, Copy)]
struct Asked {
    slot: u64,
    /// The column of the first p with the same high men.
    column: u32,
    offsets: u32,
    len: u32,
}

/// What a thread needs to bring values across.
#[derive(Default)]
pub struct Crossed {
    images: Vec<u32>,
    asked: Vec<Asked>,
}

impl<'w> Crossing<'w> {
    /// From the rows of `there` to rows that have its opponents as columns: `there.mover` are the men of a row here.
    pub fn new(game: &Morris, tables: &'w Tables, there: Half) -> Crossing<'w> {
        let board = game.board();
        let (opponents, low) = (tables.opponents(there), board.low);
        let row = binomial(board.points - there.mover, there.opponent) as usize;
        let mut known: Vec<Vec<u32>> = Vec::new();
        let mut number_of = |image: &Image| {
            let way: Vec<u32> = (0..low).map(|point| image.point(point)).collect();
            let number = known.iter().position(|other| *other == way).unwrap_or(known.len());
            if number == known.len() {
                known.push(way);
            }
            number as u8
        };
        let ways = opponents.images().iter().map(&mut number_of).collect();
        let (mut starts, mut offsets) = (Vec::new(), Vec::new());
        let low_points = (1u32 << low) - 1;
        for way in &known {
            let image = |men: u32| points(men).fold(0, |all, point| all | way[point as usize]);
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
        Crossing { tables, entries, opponents, there, all, low, row, ways, starts, offsets }
    }

    /// Columns of a row here.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The most rows that a group has.
    pub fn rows(&self) -> usize {
        (0..=self.low.min(self.there.mover)).map(|men| binomial(self.low, men)).max().unwrap_or(1) as usize
    }

    /// Bytes that the rows of a group take for each of the threads at hand.
    pub fn bytes<T>(&self) -> u64 {
        (rayon::current_num_threads() * self.rows() * self.row * size_of::<T>()) as u64
    }

    /// What the men of a row and of its group have in common.
    #[inline(always)]
    pub fn high(&self, opponent: u32) -> u32 {
        opponent >> self.low << self.low
    }

    /// The number of a row in its group.
    pub fn number(&self, opponent: u32) -> usize {
        combinations::rank((opponent ^ self.high(opponent)).into()) as usize
    }

    /// Brings the values of a group across: into rows of [`row`](Crossing::row) columns, by [`number`](Crossing::number).
    /// Only those of masks that are `wanted` are brought.
    #[inline(always)]
    pub fn bring<T: Copy, B: Gather>(
        &self,
        bits: B,
        crossed: &mut Crossed,
        high: u32,
        list: &[T],
        wanted: impl Fn(OrbitEntry) -> bool,
        rows: &mut [T],
    ) {
        let Crossing { tables, entries, opponents, there, low, .. } = *self;
        let Crossed { images, asked } = crossed;
        images.clear();
        images.extend(opponents.images().iter().map(|image| image.apply(high)));
        // The low men of o, and how many p may have of them.
        let men = there.mover - high.count_ones();
        let room = low - men;
        let free = self.all & !high & !((1 << low) - 1);
        let first_men = (1 << men) - 1;
        let mut column = 0;
        for upper in 0..1u32 << free.count_ones() {
            let Some(left) = there.opponent.checked_sub(upper.count_ones()).filter(|&left| left <= room) else {
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
                let way = usize::from(self.ways[symmetry]) << low | lower as usize;
                let offsets = self.starts[way * (low as usize + 1) + men as usize];
                asked.push(Asked { slot, column, offsets, len });
            }
            column += binomial(room, left) as u32;
            if asked.len() >= GROUP {
                self.receive(asked, list, rows);
            }
        }
        self.receive(asked, list, rows);
    }

    #[inline(always)]
    fn receive<T: Copy>(&self, asked: &mut Vec<Asked>, list: &[T], rows: &mut [T]) {
        for Asked { slot, column, offsets, len } in asked.drain(..) {
            let segment = &list[slot as usize..][..len as usize];
            let offsets = &self.offsets[offsets as usize..][..len as usize];
            let rows = &mut rows[column as usize..];
            for (&value, &offset) in segment.iter().zip(offsets) {
                rows[offset as usize] = value;
            }
        }
    }
}

/// The rows of a half group by group, or as many groups together as have so many slots.
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

/// The rank of a mask among those of its size on some points.
fn rank_within(mask: u32, points: u32) -> usize {
    combinations::rank_within(mask.into(), points.into()) as usize
}
