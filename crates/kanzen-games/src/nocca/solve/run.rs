//! What the kernel needs for one run: the lifted boards of a slab that share the upper part of the middle.

use super::lifts::{NO_ROOM, PartLifts};
use super::plan::{Edge, Plan};
use crate::nocca::index::colouring::Selection;
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::mirror::fixed_swaps;

/// A grid of cells with an empty border; a row takes eight words.
pub const GRID: usize = 88;

/// The place of a cell in a grid.
#[inline(always)]
pub fn at(row: usize, column: usize) -> usize {
    8 * (row + 2) + column + 1
}

/// The boards of a run with the lifted piece on one cell, one after the other.
pub struct Stream {
    /// The first word of the first board.
    pub start: usize,
    /// The cell in the grid.
    pub cell: usize,
    /// The colourings that take part.
    pub selection: Selection,
}

/// The same, kept in the mirror.
pub struct MirroredStream {
    /// The first word of the mirrored run.
    pub start: usize,
    /// The number of the edge in the plan.
    pub edge: usize,
    /// The cell in the grid.
    pub cell: usize,
    /// Exchanges of pieces that the mirror takes, but for those of the lower part.
    pub swaps: Vec<u8>,
    /// Where the pieces of the lower part begin.
    pub lower: u8,
    /// For targets that are kept in both images: the first word of the straight run.
    pub straight: Option<usize>,
}

/// Colourings of a cover that go to a cell of the fixed parts.
pub struct CoverStream {
    /// The number of the cover.
    pub cover: usize,
    /// The first word of the first board.
    pub start: usize,
    /// The colourings.
    pub selection: Selection,
}

/// One run.
#[derive(Default)]
pub struct Run {
    /// Pieces of the upper part.
    pub upper_sum: u32,
    /// The number of the upper part.
    pub upper: usize,
    /// Sources of the plan's width.
    pub wide: Vec<Stream>,
    /// Sources with one more stack in the guarded row.
    pub narrow: Vec<Stream>,
    /// Sources in the mirror.
    pub mirrored: Vec<MirroredStream>,
    /// The first board of each cover's source, if it is not in the mirror.
    pub covers: Vec<Option<usize>>,
    /// Targets.
    pub spread: Vec<Stream>,
    /// Targets of covers.
    pub cover_spread: Vec<CoverStream>,
    /// Targets in the mirror.
    pub mirrored_spread: Vec<MirroredStream>,
    /// The first word with the piece in the lower part, in source and target.
    pub lower: [usize; 2],
}

impl Run {
    /// Fills in the run of a plan; `first` is the word of the target array that the kernel counts from.
    pub fn prepare(
        &mut self,
        layout: &Layout,
        lifts: &PartLifts,
        plan: &Plan,
        first: usize,
        upper_sum: u32,
        upper: usize,
    ) {
        (self.upper_sum, self.upper) = (upper_sum, upper);
        let [source_width, target_width] = plan.widths;
        let raised_run = layout.run(plan.middle + 1, upper_sum, upper);
        self.lower = [plan.starts[0] + raised_run * source_width, plan.starts[1] - first + raised_run * target_width];
        self.wide.clear();
        self.spread.clear();
        self.cover_spread.clear();
        self.upper_cells(layout, lifts, plan, first);
        self.sources(layout, lifts, plan);
        self.targets(layout, lifts, plan, first);
    }

    fn upper_cells(&mut self, layout: &Layout, lifts: &PartLifts, plan: &Plan, first: usize) {
        let places = lifts.place_on(self.upper_sum, self.upper);
        for (cell, &raised) in lifts.raised(self.upper_sum, self.upper).iter().enumerate() {
            if raised == NO_ROOM {
                continue;
            }
            let board = layout.run(plan.middle + 1, self.upper_sum + 1, raised as usize);
            let place = usize::from(places[cell]);
            let (row, column) = (1 + cell / layout.columns, layout.by_place[cell % layout.columns]);
            let start = plan.starts[0] + board * plan.widths[0];
            self.wide.push(Stream { start, cell: at(row, column), selection: plan.gather[place] });
            let start = plan.starts[1] - first + board * plan.widths[1];
            self.spread.push(Stream { start, cell: at(row, column), selection: plan.spread[place] });
            for (number, cover) in plan.covers.iter().enumerate() {
                if plan.target == Array::Wins && row == 1 && layout.by_place[cover.place].abs_diff(column) <= 1 {
                    self.cover_spread.push(CoverStream { cover: number, start, selection: cover.middle[place] });
                }
            }
        }
    }

    fn sources(&mut self, layout: &Layout, lifts: &PartLifts, plan: &Plan) {
        self.narrow.clear();
        self.mirrored.clear();
        let board = layout.run(plan.middle, self.upper_sum, self.upper);
        let start = |edge: &Edge| edge.start + board * edge.width;
        for (number, edge) in plan.sources.iter().enumerate() {
            if edge.mirrored {
                self.mirrored.push(self.mirrored_source(layout, lifts, plan, number));
            } else {
                let (start, cell) = (start(edge), edge_cell(layout, edge));
                let stream = Stream { start, cell, selection: edge.selection };
                if edge.width == plan.widths[0] { self.wide.push(stream) } else { self.narrow.push(stream) }
            }
        }
        let cover_start = |source: usize| Some(&plan.sources[source]).filter(|edge| !edge.mirrored).map(start);
        self.covers.clear();
        self.covers.extend(plan.covers.iter().map(|cover| cover_start(cover.source)));
    }

    fn targets(&mut self, layout: &Layout, lifts: &PartLifts, plan: &Plan, first: usize) {
        self.mirrored_spread.clear();
        let board = layout.run(plan.middle, self.upper_sum, self.upper);
        for (number, edge) in plan.targets.iter().enumerate() {
            if edge.mirrored || edge.both {
                let stream = self.mirrored_target(layout, lifts, plan, number, first);
                self.mirrored_spread.push(stream);
                continue;
            }
            let start = edge.start - first + board * edge.width;
            self.spread.push(Stream { start, cell: edge_cell(layout, edge), selection: edge.selection });
            for (cover_number, cover) in plan.covers.iter().enumerate() {
                if let Some(selection) = cover.edges[number] {
                    self.cover_spread.push(CoverStream { cover: cover_number, start, selection });
                }
            }
        }
    }

    // A source is read in the order of the mirror image and brought into the order of the board itself.
    fn mirrored_source(&self, layout: &Layout, lifts: &PartLifts, plan: &Plan, number: usize) -> MirroredStream {
        let edge = &plan.sources[number];
        let upper = lifts.mirrored(self.upper_sum, self.upper);
        let rows = edge.rows.map(|row| heights::mirrored(row, 1, layout.columns));
        let upper_swaps = lifts.swaps(self.upper_sum, upper);
        let array = plan.target.other();
        let (swaps, lower) = fixed_swaps(layout, Some(array), rows, plan.middle, self.upper_sum, upper_swaps);
        let start = edge.start + layout.run(plan.middle, self.upper_sum, upper) * edge.width;
        MirroredStream { start, edge: number, cell: edge_cell(layout, edge), swaps, lower, straight: None }
    }

    // A target is brought into the order of the mirror image before it is written there.
    fn mirrored_target(
        &self,
        layout: &Layout,
        lifts: &PartLifts,
        plan: &Plan,
        number: usize,
        first: usize,
    ) -> MirroredStream {
        let edge = &plan.targets[number];
        let upper = lifts.mirrored(self.upper_sum, self.upper);
        let upper_swaps = lifts.swaps(self.upper_sum, self.upper);
        let (swaps, lower) =
            fixed_swaps(layout, Some(plan.target), edge.rows, plan.middle, self.upper_sum, upper_swaps);
        let start = |upper| edge.start - first + layout.run(plan.middle, self.upper_sum, upper) * edge.width;
        let straight = edge.both.then(|| start(self.upper));
        MirroredStream { start: start(upper), edge: number, cell: edge_cell(layout, edge), swaps, lower, straight }
    }
}

fn edge_cell(layout: &Layout, edge: &Edge) -> usize {
    at(if edge.in_top { 0 } else { layout.rows - 1 }, layout.by_place[edge.place])
}
