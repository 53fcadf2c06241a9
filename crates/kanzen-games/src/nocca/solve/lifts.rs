//! What lifting a piece from a part of the middle, or putting one on it, does to the numbers: as tables.
//!
//! The kernel asks for one cell of many boards. All tables are by sum and number of a code; those of a cell stand one
//! after the other.

use crate::nocca::index::heights::{self, Part};
use crate::nocca::index::layout::Layout;

/// In place of a number: the cell has no piece.
pub const NO_PIECE: u32 = u32::MAX;

/// A code with one piece more on a cell: its number, and where that piece stands among the pieces in order. In one word,
/// since the kernel asks for both of each board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raised(u32);

impl Raised {
    /// The cell has no room.
    pub const NO_ROOM: Raised = Raised(u32::MAX);

    /// A part has at most ten cells with ten pieces: there are far fewer codes than 24 bits tell apart.
    fn new(number: usize, place: u32) -> Raised {
        debug_assert!(number < 1 << 24 && place < 1 << 4);
        Raised(number as u32 | place << 24)
    }

    /// The number of the code with the piece.
    #[inline(always)]
    pub fn number(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }

    /// Where the piece stands among the pieces in order.
    #[inline(always)]
    pub fn place(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// The tables of both parts of the middle.
pub struct Lifts {
    /// The upper part.
    pub upper: PartLifts,
    /// The lower part.
    pub lower: PartLifts,
}

impl Lifts {
    /// The tables of a layout.
    pub fn new(layout: &Layout) -> Lifts {
        let most = 2 * layout.columns as u32;
        let [upper, lower] = [&layout.upper, &layout.lower].map(|part| PartLifts::new(part, most));
        Lifts { upper, lower }
    }
}

/// The tables of a part.
pub struct PartLifts {
    cells: usize,
    sums: Vec<OfSum>,
}

/// The tables of one sum.
struct OfSum {
    codes: Vec<u32>,
    /// For each cell and code: the code with one piece more on the cell.
    raised: Vec<Raised>,
    /// For each cell and code: the number of the code with one piece less on the cell.
    lowered: Vec<u32>,
    mirrored: Vec<u32>,
    swaps: Vec<u8>,
    swaps_end: Vec<u32>,
}

impl PartLifts {
    /// The tables of a part with up to `most` pieces.
    pub fn new(part: &Part, most: u32) -> PartLifts {
        let cells = part.cells();
        let of_sum = |sum: u32| {
            let codes: Vec<u32> = (0..part.len(sum)).map(|rank| part.code(sum, rank)).collect();
            let each_cell = || (0..cells).flat_map(|cell| codes.iter().map(move |&code| (code, cell)));
            let raised = |(code, cell)| {
                let raised = heights::raised(code, cell).filter(|_| sum < most);
                let place = heights::place_on(code, cell);
                raised.map_or(Raised::NO_ROOM, |raised| Raised::new(part.rank(raised), place))
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

    /// The codes of a sum, in the order of their numbers.
    pub fn codes(&self, sum: u32) -> &[u32] {
        &self.sums[sum as usize].codes
    }

    /// For each code: the code with one piece more on a cell, or [`Raised::NO_ROOM`].
    #[inline(always)]
    pub fn raised(&self, sum: u32, cell: usize) -> &[Raised] {
        let of_sum = &self.sums[sum as usize];
        &of_sum.raised[cell * of_sum.codes.len()..][..of_sum.codes.len()]
    }

    /// For each code: the number of the code with one piece less on a cell, or [`NO_PIECE`] if it has none.
    pub fn lowered(&self, sum: u32, cell: usize) -> &[u32] {
        let of_sum = &self.sums[sum as usize];
        &of_sum.lowered[cell * of_sum.codes.len()..][..of_sum.codes.len()]
    }

    /// For each code: the number of the mirror image.
    #[inline(always)]
    pub fn mirrors(&self, sum: u32) -> &[u32] {
        &self.sums[sum as usize].mirrored
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The exchanges of neighbours that turn the order of pieces into the mirror's.
    #[inline(always)]
    pub fn swaps(&self, sum: u32, rank: usize) -> &[u8] {
        let of_sum = &self.sums[sum as usize];
        let start = if rank == 0 { 0 } else { of_sum.swaps_end[rank - 1] };
        &of_sum.swaps[start as usize..of_sum.swaps_end[rank] as usize]
    }
}
