//! What lifting a piece from a part of the middle, or putting one on it, does to the numbers: as tables.
//!
//! The kernel asks for each board and cell. All tables are by sum and number of a code; those of the cells stand one
//! after the other.

use crate::nocca::index::heights::{self, Part};
use crate::nocca::index::layout::Layout;

/// In place of a number: the cell has no room.
pub const NO_ROOM: u32 = u32::MAX;

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
    /// For each code and cell: the number of the code with one piece more on the cell.
    raised: Vec<u32>,
    /// For each code and cell: where that piece stands among the pieces in order.
    place_on: Vec<u8>,
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
            let each_cell = || codes.iter().flat_map(|&code| (0..cells).map(move |cell| (code, cell)));
            let raised = |(code, cell)| {
                let raised = heights::raised(code, cell).filter(|_| sum < most);
                raised.map_or(NO_ROOM, |raised| part.rank(raised) as u32)
            };
            let (mut swaps, mut swaps_end) = (Vec::new(), Vec::with_capacity(codes.len()));
            for &code in &codes {
                swaps.extend(part.swaps(code));
                swaps_end.push(swaps.len() as u32);
            }
            OfSum {
                raised: each_cell().map(raised).collect(),
                place_on: each_cell().map(|(code, cell)| heights::place_on(code, cell) as u8).collect(),
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

    /// For each cell: the number of the code with one piece more there, or [`NO_ROOM`].
    #[inline(always)]
    pub fn raised(&self, sum: u32, rank: usize) -> &[u32] {
        &self.sums[sum as usize].raised[rank * self.cells..][..self.cells]
    }

    /// For each cell: where a piece put there stands among the pieces in order.
    #[inline(always)]
    pub fn place_on(&self, sum: u32, rank: usize) -> &[u8] {
        &self.sums[sum as usize].place_on[rank * self.cells..][..self.cells]
    }

    /// The number of the mirror image.
    #[inline(always)]
    pub fn mirrored(&self, sum: u32, rank: usize) -> usize {
        self.sums[sum as usize].mirrored[rank] as usize
    }

    /// The exchanges of neighbours that turn the order of pieces into the mirror's.
    #[inline(always)]
    pub fn swaps(&self, sum: u32, rank: usize) -> &[u8] {
        let of_sum = &self.sums[sum as usize];
        let start = if rank == 0 { 0 } else { of_sum.swaps_end[rank - 1] };
        &of_sum.swaps[start as usize..of_sum.swaps_end[rank] as usize]
    }
}
