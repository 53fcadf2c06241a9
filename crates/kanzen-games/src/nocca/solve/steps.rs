//! One position at a time: its pieces lifted and put down, and the bit it has then.
//!
//! A sweep moves all colourings of a board at once. Where few positions matter it is less work to move the pieces of
//! each: a [`Placed`] position knows its board by numbers, and the tables of [`Lifts`] tell those of the board with a
//! piece more or less.
//!
//! ```text
//! heights    two bits a cell, in the order of the pieces     . . 2 | 1 . . | . 3 .
//! white      a bit a piece, in that order                        wb  b          wbw
//! ```

use kanzen::machine::cpu::Gather;

use super::lifts::{Lifts, PartLifts};
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout, Slab};

/// A position by numbers, or one with a piece lifted. Who is to move it does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The heights of all cells.
    heights: u64,
    /// The codes of the top and bottom rows.
    rows: [u32; 2],
    upper: Numbered,
    lower: Numbered,
    /// The pieces that are white.
    white: u32,
}

impl Placed {
    /// The row that the mover of an array wants to reach.
    #[inline(always)]
    pub fn goal_row(&self, array: Array) -> u32 {
        match array {
            Array::Losses => self.rows[0],
            Array::Wins => self.rows[1],
        }
    }
}

/// A part of the middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbered {
    sum: u32,
    number: u32,
}

/// The bit of a position, and that of its mirror image where the array has both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    /// The position's.
    pub bit: u64,
    /// The mirror image's, if the slab is its own mirror image.
    pub twin: Option<u64>,
}

/// Where a cell is: its row, and its place there.
#[derive(Clone, Copy)]
enum Part {
    Row(usize),
    Upper,
    Lower,
}

/// What is asked of a row again and again.
struct RowFacts {
    sum: u32,
    tops: u32,
    mirrored: u32,
}

/// The slab that was asked for last: positions come in the order of their bits.
#[derive(Clone, Copy)]
pub struct Nearby<'a> {
    slab: &'a Slab,
    words: [usize; 2],
}

/// The moves of single positions on one board size.
pub struct Steps<'a> {
    layout: &'a Layout,
    lifts: &'a Lifts,
    rows: Vec<RowFacts>,
    parts: Vec<(Part, usize)>,
    near: Vec<Vec<usize>>,
}

impl<'a> Steps<'a> {
    /// The moves on a layout's board.
    pub fn new(layout: &'a Layout, lifts: &'a Lifts) -> Steps<'a> {
        let columns = layout.columns;
        let facts = |row| RowFacts {
            sum: heights::sum(row),
            tops: heights::tops(row, columns),
            mirrored: heights::mirrored(row, 1, columns),
        };
        let cells = layout.rows * columns;
        let part = |cell: usize| match cell {
            _ if cell < columns => (Part::Row(0), cell),
            _ if cell >= cells - columns => (Part::Row(1), cell - (cells - columns)),
            _ if cell - columns < layout.upper.cells() => (Part::Upper, cell - columns),
            _ => (Part::Lower, cell - columns - layout.upper.cells()),
        };
        let at = |cell: usize| (cell / columns, layout.by_place[cell % columns]);
        let is_near = |cell: usize, other: usize| {
            let ((row, column), (other_row, other_column)) = (at(cell), at(other));
            cell != other && row.abs_diff(other_row) <= 1 && column.abs_diff(other_column) <= 1
        };
        Steps {
            layout,
            lifts,
            rows: (0..1 << (2 * columns)).map(facts).collect(),
            parts: (0..cells).map(part).collect(),
            near: (0..cells).map(|cell| (0..cells).filter(|&other| is_near(cell, other)).collect()).collect(),
        }
    }

    /// The position of a bit; nothing if the bit is nobody's.
    #[inline(always)]
    pub fn at<C: Gather>(&self, cpu: C, array: Array, bit: u64, nearby: &mut Option<Nearby<'a>>) -> Option<Placed> {
        let word = (bit / 64) as usize;
        let Nearby { slab, words: [start, _] } = match *nearby {
            Some(nearby) if (nearby.words[0]..nearby.words[1]).contains(&word) => nearby,
            _ => *nearby.insert(self.nearby(array, word)?),
        };
        let space = self.layout.space(array, slab.top, slab.bottom);
        let (board, within) = ((word - start) / space.width(), (word - start) % space.width());
        let colouring = *space.words().get(64 * within + (bit % 64) as usize)?;
        let (upper_sum, upper, lower) = self.layout.parts(slab.middle, board);
        let lower_sum = slab.middle - upper_sum;
        let (upper_code, lower_code) =
            (self.lifts.upper.codes(upper_sum)[upper], self.lifts.lower.codes(lower_sum)[lower]);
        let [columns, in_upper, in_lower] =
            [self.layout.columns, self.layout.upper.cells(), self.layout.lower.cells()].map(|cells| 2 * cells);
        let given = self.given(array, [slab.top, slab.bottom]);
        let white = cpu.pdep32(colouring.into(), !given);
        Some(Placed {
            heights: u64::from(slab.top)
                | u64::from(upper_code) << columns
                | u64::from(lower_code) << (columns + in_upper)
                | u64::from(slab.bottom) << (columns + in_upper + in_lower),
            rows: [slab.top, slab.bottom],
            upper: Numbered { sum: upper_sum, number: upper as u32 },
            lower: Numbered { sum: lower_sum, number: lower as u32 },
            white: if array == Array::Wins { white | given } else { white },
        })
    }

    fn nearby(&self, array: Array, word: usize) -> Option<Nearby<'a>> {
        let (slab, start) = self.layout.slab_at(array, word)?;
        let words = slab.boards * self.layout.space(array, slab.top, slab.bottom).width();
        Some(Nearby { slab, words: [start, start + words] })
    }

    /// Hands out the position with a top piece of a colour lifted, for each of them, with its cell.
    #[inline(always)]
    pub fn each_lifted(&self, placed: &Placed, white: bool, mut each: impl FnMut(usize, Placed) -> bool) -> bool {
        let mut occupied = (placed.heights | placed.heights >> 1) & EACH_CELL;
        while occupied != 0 {
            let cell = (occupied.trailing_zeros() / 2) as usize;
            occupied &= occupied - 1;
            let top = sum(placed.heights & up_to(cell)) - 1;
            if (placed.white >> top & 1 == 1) == white && !each(cell, self.lifted(placed, cell, top)) {
                return false;
            }
        }
        true
    }

    /// The cells next to a cell.
    #[inline(always)]
    pub fn near(&self, cell: usize) -> &[usize] {
        &self.near[cell]
    }

    #[inline(always)]
    fn lifted(&self, placed: &Placed, cell: usize, top: u32) -> Placed {
        let below = (1 << top) - 1;
        let mut lifted = Placed {
            heights: placed.heights - (1 << (2 * cell)),
            white: placed.white & below | placed.white >> 1 & !below,
            ..*placed
        };
        match self.parts[cell] {
            (Part::Row(row), place) => lifted.rows[row] -= 1 << (2 * place),
            (Part::Upper, cell) => lifted.upper = lowered(&self.lifts.upper, placed.upper, cell),
            (Part::Lower, cell) => lifted.lower = lowered(&self.lifts.lower, placed.lower, cell),
        }
        lifted
    }

    /// A lifted position with a piece put on a cell, if that has room.
    #[inline(always)]
    pub fn put(&self, lifted: &Placed, cell: usize, white: bool) -> Option<Placed> {
        if lifted.heights >> (2 * cell) & 3 == 3 {
            return None;
        }
        let at = sum(lifted.heights & up_to(cell));
        let below = (1 << at) - 1;
        let mut placed = Placed {
            heights: lifted.heights + (1 << (2 * cell)),
            white: lifted.white & below | (lifted.white & !below) << 1 | u32::from(white) << at,
            ..*lifted
        };
        match self.parts[cell] {
            (Part::Row(row), place) => placed.rows[row] += 1 << (2 * place),
            (Part::Upper, cell) => placed.upper = raised(&self.lifts.upper, lifted.upper, cell),
            (Part::Lower, cell) => placed.lower = raised(&self.lifts.lower, lifted.lower, cell),
        }
        Some(placed)
    }

    /// The bit of a position in an array; nothing if the array's mover wins at once.
    #[inline(always)]
    pub fn locate<C: Gather>(&self, cpu: C, array: Array, placed: &Placed) -> Option<Located> {
        let given = self.given(array, placed.rows);
        let opponents = match array {
            Array::Losses => !placed.white,
            Array::Wins => placed.white,
        };
        if given & !opponents != 0 {
            return None;
        }
        let [top, bottom] = placed.rows;
        match self.layout.slab(top, bottom) {
            Some(slab) => {
                let bit = self.bit(cpu, array, placed, given);
                let twin = slab.symmetric.then(|| self.bit_of_mirrored(cpu, array, placed));
                Some(Located { bit, twin })
            }
            None => Some(Located { bit: self.bit_of_mirrored(cpu, array, placed), twin: None }),
        }
    }

    #[inline(never)]
    fn bit_of_mirrored<C: Gather>(&self, cpu: C, array: Array, placed: &Placed) -> u64 {
        let mirrored = self.mirrored(placed);
        self.bit(cpu, array, &mirrored, self.given(array, mirrored.rows))
    }

    #[inline(always)]
    fn bit<C: Gather>(&self, cpu: C, array: Array, placed: &Placed, given: u32) -> u64 {
        let ([top, bottom], layout) = (placed.rows, self.layout);
        let space = layout.space(array, top, bottom);
        let colouring = space.rank(cpu.pext32(placed.white, !given) as u16);
        let (Numbered { sum, number }, lower) = (placed.upper, placed.lower);
        let board = layout.run(sum + lower.sum, sum, number as usize) + lower.number as usize;
        64 * (layout.start(array, top, bottom) + board * space.width()) as u64 + colouring as u64
    }

    /// The tops of an array's goal row: they are the opponent's.
    #[inline(always)]
    fn given(&self, array: Array, rows: [u32; 2]) -> u32 {
        let [top, bottom] = rows.map(|row| &self.rows[row as usize]);
        match array {
            Array::Losses => top.tops,
            Array::Wins => bottom.tops << (2 * self.layout.columns as u32 - bottom.sum),
        }
    }

    /// The mirror image: in each row the stacks of each pair of cells change places.
    fn mirrored(&self, placed: &Placed) -> Placed {
        let columns = self.layout.columns;
        let (mut heights, mut white, mut piece) = (0, 0, 0);
        for first in (0..self.layout.rows).map(|row| row * columns) {
            for pair in (0..columns).step_by(2).map(|place| first + place) {
                let height = |cell| (placed.heights >> (2 * cell) & 3) as u32;
                // The last column of an odd number has no other.
                let [one, other] = [height(pair), if pair + 1 < first + columns { height(pair + 1) } else { 0 }];
                let pieces = placed.white >> piece & ((1 << (one + other)) - 1);
                white |= (pieces >> one | (pieces & ((1 << one) - 1)) << other) << piece;
                piece += one + other;
                heights |= match pair + 1 < first + columns {
                    true => u64::from(other | one << 2) << (2 * pair),
                    false => u64::from(one) << (2 * pair),
                };
            }
        }
        let image = |lifts: &PartLifts, part: Numbered| Numbered {
            number: lifts.mirrors(part.sum)[part.number as usize],
            ..part
        };
        Placed {
            heights,
            rows: placed.rows.map(|row| self.rows[row as usize].mirrored),
            upper: image(&self.lifts.upper, placed.upper),
            lower: image(&self.lifts.lower, placed.lower),
            white,
        }
    }
}

/// The lower bit of each cell.
const EACH_CELL: u64 = 0x5555_5555_5555_5555;

/// The bits of the cells up to one.
#[inline(always)]
fn up_to(cell: usize) -> u64 {
    (1 << (2 * cell + 2)) - 1
}

/// All pieces of some heights.
#[inline(always)]
fn sum(heights: u64) -> u32 {
    heights.count_ones() + (heights & !EACH_CELL).count_ones()
}

#[inline(always)]
fn lowered(lifts: &PartLifts, part: Numbered, cell: usize) -> Numbered {
    Numbered { sum: part.sum - 1, number: lifts.lowered(part.sum, cell)[part.number as usize] }
}

#[inline(always)]
fn raised(lifts: &PartLifts, part: Numbered, cell: usize) -> Numbered {
    Numbered { sum: part.sum + 1, number: lifts.raised(part.sum, cell)[part.number as usize].number() as u32 }
}
