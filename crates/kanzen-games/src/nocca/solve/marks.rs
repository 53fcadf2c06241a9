//! Which lifted boards a sweep has to visit, when a round has found so little that most of them can be left out.
//!
//! A position that is new matters to the lifted boards that its board has: one for each stack.
//!
//! ```text
//! board with new bits   2 . 1    lifted   1 . 1   2 . .   2 . 1
//!                       . 1 .             . 1 .   . 1 .   . . .
//! ```
//!
//! Marking takes as long as there are boards with new bits, a sweep of what is marked as long as there are marks: late
//! rounds, which find a few positions in millions of boards, take no time.

use std::sync::atomic::{AtomicU64, Ordering};

use super::lifts::{Lifts, NO_ROOM};
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Layout, Slab};

/// A bit for each lifted board.
pub struct Marks {
    /// By slab: the number of the first lifted board with its rows.
    first: Vec<usize>,
    bits: Vec<AtomicU64>,
}

impl Marks {
    /// No mark on any lifted board of a layout.
    pub fn none(layout: &Layout) -> Marks {
        let mut first = vec![0; layout.slab_count()];
        let mut boards = 0;
        for slab in layout.kept_slabs().iter().filter(|slab| slab.middle > 0) {
            first[layout.slab_number(slab.top, slab.bottom)] = boards;
            boards += layout.middles(slab.middle - 1);
        }
        Marks { first, bits: (0..boards.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// How many lifted boards there are, up to the next 64.
    pub fn boards(&self) -> usize {
        64 * self.bits.len()
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        self.bits.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    fn set(&self, board: usize) {
        let (word, bit) = (&self.bits[board / 64], 1 << (board % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The marked ones of some lifted boards of a slab's rows, counted from the first of them.
    pub fn within(&self, slab: usize, start: usize, boards: usize) -> impl Iterator<Item = usize> {
        let start = self.first[slab] + start;
        let end = start + boards;
        (start / 64..end.div_ceil(64)).flat_map(move |word| {
            let mut bits = self.bits[word].load(Ordering::Relaxed);
            if word == start / 64 {
                bits &= !0 << (start % 64);
            }
            if word == end / 64 {
                bits &= (1 << (end % 64)) - 1;
            }
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit - start)
            })
        })
    }
}

/// Marks the lifted boards of boards.
pub struct Marker<'a> {
    layout: &'a Layout,
    lifts: &'a Lifts,
    marks: &'a Marks,
}

/// Marks the lifted boards of a slab's boards.
pub struct SlabMarker<'a> {
    marker: &'a Marker<'a>,
    middle: u32,
    /// The first lifted board with the piece taken from the middle.
    first: usize,
    /// The same with the piece taken from a cell of the top or bottom row, and whether the mirror image is kept.
    edges: Vec<(usize, bool)>,
}

impl<'a> Marker<'a> {
    /// Marks in `marks`.
    pub fn new(layout: &'a Layout, lifts: &'a Lifts, marks: &'a Marks) -> Marker<'a> {
        Marker { layout, lifts, marks }
    }

    /// Marks for the boards of a slab.
    pub fn slab(&self, slab: &Slab) -> SlabMarker<'_> {
        let Marker { layout, marks, .. } = self;
        let rows = [slab.top, slab.bottom];
        let cells = (0..2).flat_map(|row| (0..layout.columns).map(move |place| (row, place)));
        let mut edges = Vec::new();
        for (row, place) in cells.filter(|&(row, place)| heights::height(rows[row], place) > 0) {
            let mut lifted = rows;
            lifted[row] -= 1 << (2 * place);
            let kept = layout.slab(lifted[0], lifted[1]);
            if kept.is_some() {
                edges.push((marks.first[layout.slab_number(lifted[0], lifted[1])], false));
            }
            // A lifted slab that is its own mirror image holds both images of the board, and both lead here.
            if kept.is_none_or(|kept| kept.symmetric && !slab.symmetric) {
                let [top, bottom] = lifted.map(|row| heights::mirrored(row, 1, layout.columns));
                edges.push((marks.first[layout.slab_number(top, bottom)], true));
            }
        }
        let first = marks.first[layout.slab_number(slab.top, slab.bottom)];
        SlabMarker { marker: self, middle: slab.middle, first, edges }
    }
}

impl SlabMarker<'_> {
    /// Marks the lifted boards of a board.
    pub fn board(&self, board: usize) {
        let Marker { layout, lifts, marks } = self.marker;
        let (upper_sum, upper, lower) = layout.parts(self.middle, board);
        let lower_sum = self.middle - upper_sum;
        for cell in 0..lifts.lower.cells() {
            let lowered = lifts.lower.lowered(lower_sum, cell)[lower];
            if lowered != NO_ROOM {
                marks.set(self.first + layout.run(self.middle - 1, upper_sum, upper) + lowered as usize);
            }
        }
        for cell in 0..lifts.upper.cells() {
            let lowered = lifts.upper.lowered(upper_sum, cell)[upper];
            if lowered != NO_ROOM {
                marks.set(self.first + layout.run(self.middle - 1, upper_sum - 1, lowered as usize) + lower);
            }
        }
        for &(first, mirrored) in &self.edges {
            let board = match mirrored {
                false => board,
                true => {
                    let [upper, lower] = [lifts.upper.mirrors(upper_sum)[upper], lifts.lower.mirrors(lower_sum)[lower]];
                    layout.run(self.middle, upper_sum, upper as usize) + lower as usize
                }
            };
            marks.set(first + board);
        }
    }
}
