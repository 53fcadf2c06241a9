//! Moves and un-moves of single positions, and the tables for adding and removing a piece.
//!
//! [`Lifts`] has for every code of a part of the middle the rank with one piece more or less on a cell. The kernel
//! reads one cell of many boards, so the entries of a cell are consecutive; all tables are by sum and rank of a code.
//!
//! A sweep moves all colourings of a board at once. Where few positions matter, it is less work to move the pieces of
//! each: a [`Placed`] position is stored as ranks, and the tables give the ranks after a move.
//!
//! ```text
//! heights    two bits a cell, in the order of the pieces     . . 2 | 1 . . | . 3 .
//! white      a bit a piece, in that order                        wb  b          wbw
//! ```

use kanzen_core::machine::cpu::Gather;

use crate::nocca::index::heights;
use crate::nocca::index::heights::Part;
use crate::nocca::index::layout::{Array, Layout, Slab};

/// In place of a rank: the cell is empty.
pub const NO_PIECE: u32 = u32::MAX;

/// A code with one piece more on a cell: its rank, and the place of that piece in the piece order. Packed into one
/// word, because the kernel reads both for each board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raised(u32);

impl Raised {
    /// The cell is full.
    pub const FULL: Raised = Raised(u32::MAX);

    /// A part has at most ten cells with ten pieces: ranks are far below 2^24.
    fn new(number: usize, place: u32) -> Raised {
        debug_assert!(number < 1 << 24 && place < 1 << 4);
        Raised(number as u32 | place << 24)
    }

    /// Returns the rank of the code with the piece.
    #[inline(always)]
    pub fn number(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }

    /// Returns the place of the piece in the piece order.
    #[inline(always)]
    pub fn place(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// The tables of both parts of the middle.
pub struct Lifts {
    pub upper: PartLifts,
    pub lower: PartLifts,
}

impl Lifts {
    /// Builds the tables of a layout.
    pub fn new(layout: &Layout) -> Lifts {
        let most = 2 * layout.columns as u32;
        let [upper, lower] = [&layout.upper, &layout.lower].map(|part| PartLifts::new(part, most));
        Lifts { upper, lower }
    }
}

/// The tables of one part.
pub struct PartLifts {
    cells: usize,
    sums: Vec<OfSum>,
}

/// The tables of one sum.
struct OfSum {
    codes: Vec<u32>,
    /// For each cell and code: the code with one piece more on the cell.
    raised: Vec<Raised>,
    /// For each cell and code: the rank of the code with one piece less on the cell.
    lowered: Vec<u32>,
    mirrored: Vec<u32>,
    swaps: Vec<u8>,
    swaps_end: Vec<u32>,
}

impl PartLifts {
    /// Builds the tables of a part with up to `most` pieces.
    pub fn new(part: &Part, most: u32) -> PartLifts {
        let cells = part.cells();
        let of_sum = |sum: u32| {
            let codes: Vec<u32> = (0..part.len(sum)).map(|rank| part.code(sum, rank)).collect();
            let each_cell = || (0..cells).flat_map(|cell| codes.iter().map(move |&code| (code, cell)));
            let raised = |(code, cell)| {
                let raised = heights::raised(code, cell).filter(|_| sum < most);
                let place = heights::place_on(code, cell);
                raised.map_or(Raised::FULL, |raised| Raised::new(part.rank(raised), place))
            };
            let lowered = |(code, cell): (u32, usize)| match heights::height(code, cell) {
                0 => NO_PIECE,
                _ => part.rank(code - (1 << (2 * cell))) as u32,
            };
            let (mut swaps, mut swaps_end) = (Vec::new(), Vec::with_capacity(codes.len()));
            for &code in &codes {
                swaps.extend(part.swaps(code));
                swaps_end.push(swaps.len() as u32);
            }
            OfSum {
                raised: each_cell().map(raised).collect(),
                lowered: each_cell().map(lowered).collect(),
                mirrored: part.mirrors(sum).into_iter().map(|rank| rank as u32).collect(),
                swaps,
                swaps_end,
                codes,
            }
        };
        PartLifts { cells, sums: (0..=most).map(of_sum).collect() }
    }

    /// Returns the codes of a sum, by rank.
    pub fn codes(&self, sum: u32) -> &[u32] {
        &self.sums[sum as usize].codes
    }

    /// Returns for each code the code with one piece more on a cell, or [`Raised::FULL`].
    #[inline(always)]
    pub fn raised(&self, sum: u32, cell: usize) -> &[Raised] {
        let of_sum = &self.sums[sum as usize];
        &of_sum.raised[cell * of_sum.codes.len()..][..of_sum.codes.len()]
    }

    /// Returns for each code the rank with one piece less on a cell, or [`NO_PIECE`].
    pub fn lowered(&self, sum: u32, cell: usize) -> &[u32] {
        let of_sum = &self.sums[sum as usize];
        &of_sum.lowered[cell * of_sum.codes.len()..][..of_sum.codes.len()]
    }

    /// Returns for each code the rank of the mirror image.
    #[inline(always)]
    pub fn mirrors(&self, sum: u32) -> &[u32] {
        &self.sums[sum as usize].mirrored
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the swaps of adjacent pieces that turn the piece order of a code into its mirror image's.
    #[inline(always)]
    pub fn swaps(&self, sum: u32, rank: usize) -> &[u8] {
        let of_sum = &self.sums[sum as usize];
        let start = if rank == 0 { 0 } else { of_sum.swaps_end[rank - 1] };
        &of_sum.swaps[start as usize..of_sum.swaps_end[rank] as usize]
    }
}

/// A position, or one with a piece lifted, as ranks. The side to move is not included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Two bits per cell.
    heights: u64,
    /// The codes of the top and bottom rows.
    rows: [u32; 2],
    upper: Numbered,
    lower: Numbered,
    /// The white pieces, a bit per piece.
    white: u32,
}

impl Placed {
    /// Returns the goal row of an array's mover.
    #[inline(always)]
    pub fn goal_row(&self, array: Array) -> u32 {
        match array {
            Array::Losses => self.rows[0],
            Array::Wins => self.rows[1],
        }
    }
}

/// A part of the middle: its sum and rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbered {
    sum: u32,
    number: u32,
}

/// The bit of a position, and the bit of its mirror image where the array has both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    /// The bit of the position.
    pub bit: u64,
    /// The bit of the mirror image, if the slab is its own mirror image.
    pub twin: Option<u64>,
}

/// The part of the board that a cell belongs to.
#[derive(Clone, Copy)]
enum BoardPart {
    Row(usize),
    Upper,
    Lower,
}

/// Precomputed properties of a row.
struct RowFacts {
    sum: u32,
    tops: u32,
    mirrored: u32,
}

/// The slab of the last lookup: positions come in the order of their bits.
#[derive(Clone, Copy)]
pub struct CachedSlab<'a> {
    slab: &'a Slab,
    words: [usize; 2],
}

/// Moves of single positions on one board size.
pub struct Steps<'a> {
    layout: &'a Layout,
    lifts: &'a Lifts,
    rows: Vec<RowFacts>,
    parts: Vec<(BoardPart, usize)>,
    near: Vec<Vec<usize>>,
}

impl<'a> Steps<'a> {
    /// Builds the tables for a layout's board.
    pub fn new(layout: &'a Layout, lifts: &'a Lifts) -> Steps<'a> {
        let columns = layout.columns;
        let facts = |row| RowFacts {
            sum: heights::sum(row),
            tops: heights::tops(row, columns),
            mirrored: heights::mirrored(row, 1, columns),
        };
        let cells = layout.rows * columns;
        let part = |cell: usize| match cell {
            _ if cell < columns => (BoardPart::Row(0), cell),
            _ if cell >= cells - columns => (BoardPart::Row(1), cell - (cells - columns)),
            _ if cell - columns < layout.upper.cells() => (BoardPart::Upper, cell - columns),
            _ => (BoardPart::Lower, cell - columns - layout.upper.cells()),
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

    /// Returns the position of a bit, or `None` if the bit is unused.
    #[inline(always)]
    pub fn at<C: Gather>(&self, cpu: C, array: Array, bit: u64, cached: &mut Option<CachedSlab<'a>>) -> Option<Placed> {
        let word = (bit / 64) as usize;
        let CachedSlab { slab, words: [start, _] } = match *cached {
            Some(cached) if (cached.words[0]..cached.words[1]).contains(&word) => cached,
            _ => *cached.insert(self.cached(array, word)?),
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

    fn cached(&self, array: Array, word: usize) -> Option<CachedSlab<'a>> {
        let (slab, start) = self.layout.slab_at(array, word)?;
        let words = slab.boards * self.layout.space(array, slab.top, slab.bottom).width();
        Some(CachedSlab { slab, words: [start, start + words] })
    }

    /// Visits the position with one top piece of a colour lifted, for each such piece, with its cell. Stops when `each`
    /// returns `false`.
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

    /// Returns the cells adjacent to a cell.
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
            (BoardPart::Row(row), place) => lifted.rows[row] -= 1 << (2 * place),
            (BoardPart::Upper, cell) => lifted.upper = lowered(&self.lifts.upper, placed.upper, cell),
            (BoardPart::Lower, cell) => lifted.lower = lowered(&self.lifts.lower, placed.lower, cell),
        }
        lifted
    }

    /// Puts a piece on a cell of a lifted position; `None` if the cell is full.
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
            (BoardPart::Row(row), place) => placed.rows[row] += 1 << (2 * place),
            (BoardPart::Upper, cell) => placed.upper = raised(&self.lifts.upper, lifted.upper, cell),
            (BoardPart::Lower, cell) => placed.lower = raised(&self.lifts.lower, lifted.lower, cell),
        }
        Some(placed)
    }

    /// Returns the bit of a position in an array, or `None` if the array's mover wins at once.
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

    /// Returns the tops of an array's goal row, which are the opponent's.
    #[inline(always)]
    fn given(&self, array: Array, rows: [u32; 2]) -> u32 {
        let [top, bottom] = rows.map(|row| &self.rows[row as usize]);
        match array {
            Array::Losses => top.tops,
            Array::Wins => bottom.tops << (2 * self.layout.columns as u32 - bottom.sum),
        }
    }

    /// Returns the mirror image: in each row the stacks of each pair of cells change places.
    fn mirrored(&self, placed: &Placed) -> Placed {
        let columns = self.layout.columns;
        let (mut heights, mut white, mut piece) = (0, 0, 0);
        for first in (0..self.layout.rows).map(|row| row * columns) {
            for pair in (0..columns).step_by(2).map(|place| first + place) {
                let height = |cell| (placed.heights >> (2 * cell) & 3) as u32;
                // The last column of an odd number has no partner.
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

/// The bits of the cells up to and including one.
#[inline(always)]
fn up_to(cell: usize) -> u64 {
    (1 << (2 * cell + 2)) - 1
}

/// Returns the number of pieces of some heights.
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
