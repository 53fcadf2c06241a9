//! Stores a byte per subset of one size so that adding or removing a point is an operation on whole rows.
//!
//! ```text
//!   points      u u u u u u u u | l l l l l l l          the upper half and the lower half
//!
//!   by upper    row of U:  all lower parts L, in order   removing an upper point: row of U -> row of U - t
//!   by lower    row of L:  all upper parts U, in order   removing a lower point:  row of L -> row of L - t
//! ```
//!
//! Each subset is stored twice. Rows that a step connects have the same columns, so a step is a few maxima of 32 bytes;
//! rows begin at multiples of 32. The rows by upper part, and the columns within, are in colex order like the slots of
//! a plane.
//!
//! Whether a man closes a mill, or stands in one, depends on both parts. The mills through the point of a step that the
//! row already has are tested for all its columns at once, by a mask of the columns that have the rest of the mill.

use kanzen_core::index::{Combinations, binomial, combinations, points};
use kanzen_core::machine::cpu::Gather;

use super::parents::Sheet;
use crate::morris::board::Board;

/// Bytes per vector.
pub const LANES: usize = 32;
/// No subset has this row.
const NO_ROW: u32 = u32::MAX;
/// Largest number of mills through one point: the centre of the seven men's board.
const MOST_THROUGH: usize = 6;

/// A vector of bytes of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(32))]
pub struct Lanes(pub [u8; LANES]);

/// The bytes of all subsets, by upper and by lower part.
pub type Both = [Vec<Lanes>; 2];

/// Returns one byte of some rows.
fn byte_at(rows: &mut [Lanes], at: usize) -> &mut u8 {
    &mut rows[at / LANES].0[at % LANES]
}

/// The split of some points into two halves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Halved {
    /// The number of points in the upper and in the lower part.
    parts: [u32; 2],
}

impl Halved {
    /// Splits `points` points into two halves.
    pub fn new(points: u32) -> Halved {
        Halved { parts: [points - points / 2, points / 2] }
    }

    /// Returns the points of the lower part.
    pub fn lower(self) -> u32 {
        self.parts[1]
    }

    /// Returns the points of the upper part.
    pub fn upper(self) -> u32 {
        self.parts[0]
    }

    /// Splits a subset into its parts.
    fn split(self, mask: u32) -> [u32; 2] {
        [mask >> self.lower(), mask & ((1 << self.lower()) - 1)]
    }
}

/// The places of the bytes of all subsets of one size.
pub struct Grid {
    pub halved: Halved,
    /// By part and its mask, the start of the row in bytes.
    rows: [Vec<u32>; 2],
    /// The number of vectors in all rows.
    lanes: [usize; 2],
    /// Rows by upper part in slot order: the start and the number of columns of each.
    in_order: Vec<(u32, u32)>,
    sheets: Vec<Sheet>,
}

impl Grid {
    /// Builds the grid of all subsets of `size` points.
    pub fn new(halved: Halved, size: u32) -> Grid {
        let mut lanes = [0; 2];
        let rows: [Vec<u32>; 2] = [0, 1].map(|part| {
            let (own, other) = (halved.parts[part], halved.parts[1 - part]);
            let row = |mask: u32| {
                let left = size.checked_sub(mask.count_ones()).filter(|&left| left <= other)?;
                let first = lanes[part] * LANES;
                lanes[part] += row_lanes(other, left);
                Some(first as u32)
            };
            let mut row = row;
            (0..1 << own).map(|mask| row(mask).unwrap_or(NO_ROW)).collect()
        });
        let rows_of = |part: usize, men: u32| -> Vec<u32> {
            let masks = Combinations::new(halved.parts[part], men);
            masks.iter().map(|mask| rows[part][mask as usize]).filter(|row| *row != NO_ROW).collect()
        };
        let sheet = |upper: u32| Sheet { rows: [rows_of(0, upper), rows_of(1, size - upper)] };
        let is_there = |upper: &u32| *upper <= halved.upper() && size - upper <= halved.lower();
        let sheets = (0..=size).filter(is_there).map(sheet).collect();
        let len = |upper: u32| binomial(halved.lower(), size - upper.count_ones()) as u32;
        let in_order = (0u32..).zip(&rows[0]).filter(|(_, row)| **row != NO_ROW);
        let in_order = in_order.map(|(upper, &row)| (row, len(upper))).collect();
        Grid { halved, rows, lanes, in_order, sheets }
    }

    /// Returns rows with the same byte for all subsets.
    pub fn filled(&self, byte: u8) -> Both {
        self.lanes.map(|lanes| vec![Lanes([byte; LANES]); lanes])
    }

    /// Returns the rows by upper part in slot order: the start of each in bytes, and its number of columns.
    #[inline(always)]
    pub fn in_order(&self) -> &[(u32, u32)] {
        &self.in_order
    }

    /// Returns the subsets, grouped by the number of upper points.
    #[inline(always)]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// Returns the bytes of a subset, by upper and by lower part.
    #[cfg(test)]
    pub fn bytes_of(&self, rows: &Both, mask: u32) -> [u8; 2] {
        let parts = self.halved.split(mask);
        [0, 1].map(|part| {
            let column = combinations::rank(parts[1 - part].into()) as usize;
            let at = self.rows[part][parts[part] as usize] as usize + column;
            rows[part][at / LANES].0[at % LANES]
        })
    }
}

fn row_lanes(points: u32, chosen: u32) -> usize {
    (binomial(points, chosen) as usize).div_ceil(LANES)
}

/// Removal of one point from all subsets of one row.
struct Step {
    /// The row with the point and the row without it, in vectors.
    more: u32,
    fewer: u32,
    lanes: u16,
    /// The part of the row, with the point.
    mask: u16,
    /// The point, counted through both parts.
    point: u8,
    /// The number of points in its columns.
    left: u8,
}

/// The subsets of one size and of one point less, with all steps between them.
pub struct Ladder {
    pub more: Grid,
    pub fewer: Grid,
    steps: [Vec<Step>; 2],
    having: [Having; 2],
}

impl Ladder {
    /// Builds the ladder of the subsets of `size` of `points` points, and those with one point less.
    pub fn new(points: u32, size: u32) -> Ladder {
        let halved = Halved::new(points);
        let (more, fewer) = (Grid::new(halved, size), Grid::new(halved, size - 1));
        let steps = [0, 1].map(|part| {
            let first_point = if part == 0 { halved.lower() } else { 0 };
            let mut steps = Vec::new();
            for (mask, &row) in (0u32..).zip(&more.rows[part]).filter(|(_, row)| **row != NO_ROW) {
                let left = size - mask.count_ones();
                steps.extend(self::points(mask).map(|point| Step {
                    more: row / LANES as u32,
                    fewer: fewer.rows[part][(mask ^ 1 << point) as usize] / LANES as u32,
                    lanes: row_lanes(halved.parts[1 - part], left) as u16,
                    mask: mask as u16,
                    point: (first_point + point) as u8,
                    left: left as u8,
                }));
            }
            steps
        });
        let having = [0, 1].map(|part| Having::new(halved.parts[1 - part]));
        Ladder { more, fewer, steps, having }
    }

    /// Sets all bytes to [`NO_SCORE`](super::initial_pass::NO_SCORE).
    #[inline(always)]
    pub fn clear(rows: &mut [Lanes]) {
        rows.fill(Lanes([0; LANES]));
    }

    /// Propagates each subset's byte to those with a point less: `taken` if the point stood in a mill, else `quiet`.
    #[inline(always)]
    pub fn propagate(&self, mills: &FreeMills, quiet: &Both, taken: &Both, to: &mut Both) {
        for part in [0, 1] {
            for step in &self.steps[part] {
                let (more, fewer, lanes) = (step.more as usize, step.fewer as usize, usize::from(step.lanes));
                let to = &mut to[part][fewer..fewer + lanes];
                let quiet = &quiet[part][more..more + lanes];
                match self.in_mill(part, step, mills) {
                    InMill::Never => raise(to, quiet),
                    InMill::Always => raise(to, &taken[part][more..more + lanes]),
                    InMill::Where(columns) => {
                        let taken = &taken[part][more..more + lanes];
                        for (((to, quiet), taken), mask) in to.iter_mut().zip(quiet).zip(taken).zip(columns) {
                            raise_one(to, &chosen(mask, taken, quiet));
                        }
                    }
                    InMill::WhereAny(several) => {
                        let taken = &taken[part][more..more + lanes];
                        for (at, to) in to.iter_mut().enumerate() {
                            raise_one(to, &chosen(&several.mask(at), &taken[at], &quiet[at]));
                        }
                    }
                }
            }
        }
    }

    /// Takes for each subset the best byte of those with a point less, over points that stand in no mill.
    #[inline(always)]
    pub fn take(&self, mills: &FreeMills, from: &Both, to: &mut Both) {
        for part in [0, 1] {
            for step in &self.steps[part] {
                let (more, fewer, lanes) = (step.more as usize, step.fewer as usize, usize::from(step.lanes));
                let to = &mut to[part][more..more + lanes];
                let from = &from[part][fewer..fewer + lanes];
                match self.in_mill(part, step, mills) {
                    InMill::Never => raise(to, from),
                    InMill::Always => {}
                    InMill::Where(columns) => {
                        for ((to, from), mask) in to.iter_mut().zip(from).zip(columns) {
                            raise_one(to, &without(mask, from));
                        }
                    }
                    InMill::WhereAny(several) => {
                        for (at, to) in to.iter_mut().enumerate() {
                            raise_one(to, &without(&several.mask(at), &from[at]));
                        }
                    }
                }
            }
        }
    }

    /// Returns in which columns of its row the point of a step stands in a mill.
    #[inline(always)]
    fn in_mill<'m>(&'m self, part: usize, step: &Step, mills: &FreeMills) -> InMill<'m> {
        let mut found = InMill::Never;
        for &(rest, other) in mills.through(step.point.into()) {
            if step.mask & rest != rest {
                continue;
            }
            if other == 0 {
                return InMill::Always;
            }
            let columns = self.having[part].columns(step.left.into(), other);
            found = match found {
                InMill::Where(before) => InMill::WhereAny(Several::new(before, columns)),
                InMill::WhereAny(before) => InMill::WhereAny(before.and(columns)),
                _ => InMill::Where(columns),
            };
        }
        found
    }
}

/// The columns of a row in which a point stands in a mill.
enum InMill<'m> {
    Never,
    Always,
    Where(&'m [Lanes]),
    WhereAny(Several<'m>),
}

/// Column masks of several mills through one point.
struct Several<'m> {
    masks: [&'m [Lanes]; MOST_THROUGH],
    count: usize,
}

impl<'m> Several<'m> {
    fn new(one: &'m [Lanes], other: &'m [Lanes]) -> Several<'m> {
        let mut masks = [one; MOST_THROUGH];
        masks[1] = other;
        Several { masks, count: 2 }
    }

    fn and(mut self, one: &'m [Lanes]) -> Several<'m> {
        self.masks[self.count] = one;
        self.count += 1;
        self
    }

    #[inline(always)]
    fn mask(&self, at: usize) -> Lanes {
        let mut mask = self.masks[0][at];
        for other in &self.masks[1..self.count] {
            let other = &other[at];
            for lane in 0..LANES {
                mask.0[lane] |= other.0[lane];
            }
        }
        mask
    }
}

#[inline(always)]
fn raise(to: &mut [Lanes], from: &[Lanes]) {
    for (to, from) in to.iter_mut().zip(from) {
        raise_one(to, from);
    }
}

// Indexed, because the compiler then emits one vector instruction; with iterators it does not always.
#[inline(always)]
fn raise_one(to: &mut Lanes, from: &Lanes) {
    for at in 0..LANES {
        to.0[at] = to.0[at].max(from.0[at]);
    }
}

/// Selects `one` where the mask is set, else `other`.
#[inline(always)]
fn chosen(mask: &Lanes, one: &Lanes, other: &Lanes) -> Lanes {
    let mut chosen = Lanes([0; LANES]);
    for at in 0..LANES {
        chosen.0[at] = one.0[at] & mask.0[at] | other.0[at] & !mask.0[at];
    }
    chosen
}

/// Clears the bytes where the mask is set.
#[inline(always)]
fn without(mask: &Lanes, one: &Lanes) -> Lanes {
    let mut left = Lanes([0; LANES]);
    for at in 0..LANES {
        left.0[at] = one.0[at] & !mask.0[at];
    }
    left
}

/// By number of points per column: masks of the columns that contain some points, all ones where they do.
struct Having {
    points: u32,
    /// By number of points per column and by mask of one or two points, in vectors.
    rows: Vec<u32>,
    masks: Vec<Lanes>,
}

impl Having {
    fn new(points: u32) -> Having {
        let (mut rows, mut masks) = (vec![NO_ROW; (points as usize + 1) << points], Vec::new());
        for size in 0..=points {
            for wanted in (1u32..1 << points).filter(|wanted| wanted.count_ones() <= 2) {
                rows[(size << points | wanted) as usize] = masks.len() as u32;
                let mut row = vec![Lanes([0; LANES]); row_lanes(points, size)];
                for column in (0u32..1 << points).filter(|column| column.count_ones() == size) {
                    if column & wanted == wanted {
                        *byte_at(&mut row, combinations::rank(column.into()) as usize) = u8::MAX;
                    }
                }
                masks.append(&mut row);
            }
        }
        Having { points, rows, masks }
    }

    #[inline(always)]
    fn columns(&self, size: u32, wanted: u16) -> &[Lanes] {
        let first = self.rows[(size << self.points | u32::from(wanted)) as usize] as usize;
        &self.masks[first..]
    }
}

/// The mills on the points that some men leave free, compressed and split.
#[derive(Default)]
pub struct FreeMills {
    /// By point, the rest of each mill: in the part of the point, and in the other part.
    through: [[(u16, u16); MOST_THROUGH]; 24],
    count: [u8; 24],
}

impl FreeMills {
    /// Finds the mills of a board on its points `free`.
    #[inline(always)]
    pub fn new<B: Gather>(bits: B, board: &Board, halved: Halved, free: u32) -> FreeMills {
        let mut mills = FreeMills::default();
        for mill in board.mills {
            if mill == 0 || mill & !free != 0 {
                continue;
            }
            let gathered = bits.pext32(mill, free);
            for point in points(gathered) {
                let [upper, lower] = halved.split(gathered ^ 1 << point).map(|part| part as u16);
                let at = usize::from(mills.count[point as usize]);
                mills.through[point as usize][at] =
                    if point >= halved.lower() { (upper, lower) } else { (lower, upper) };
                mills.count[point as usize] += 1;
            }
        }
        mills
    }

    #[inline(always)]
    fn through(&self, point: usize) -> &[(u16, u16)] {
        &self.through[point][..usize::from(self.count[point])]
    }
}

#[cfg(test)]
#[path = "../tests/grid.rs"]
mod tests;
