//! What the kernel needs for one run: the lifted boards of a slab that share the upper part of the middle.

use super::lifts::{PartLifts, Raised};
use super::plan::{Edge, Plan};
use super::tile::cell_at;
use crate::nocca::index::colouring::Selection;
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::mirror::fixed_swaps;

/// The boards of a run with the lifted piece on one cell, one after the other.
pub struct Stream {
    /// The first word of the first board.
    pub start: usize,
    /// The cell in the tile.
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
    /// The cell in the tile.
    pub cell: usize,
    /// The colourings that take part, in the order of the mirror image.
    pub selection: Selection,
}

/// Colourings of a cover that come from or go to a cell of the fixed parts.
pub struct CoverStream {
    /// The number of the cover.
    pub cover: usize,
    /// The first word of the first board, or of the first mirrored one.
    pub start: usize,
    /// The colourings, in the order in which the board is kept.
    pub selection: Selection,
}

/// Exchanges of pieces that turn a lifted board's order into its mirror image's, but for those of the lower part.
#[derive(Default)]
pub struct Swaps {
    /// The exchanges.
    pub fixed: Vec<u8>,
    /// Where the pieces of the lower part begin.
    pub lower: u8,
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
    /// Sources of covers.
    pub covers: Vec<CoverStream>,
    /// Sources of covers in the mirror.
    pub mirrored_covers: Vec<CoverStream>,
    /// Targets.
    pub spread: Vec<Stream>,
    /// Targets in the mirror.
    pub mirrored_spread: Vec<MirroredStream>,
    /// Targets of covers.
    pub cover_spread: Vec<CoverStream>,
    /// Targets of covers in the mirror.
    pub mirrored_cover_spread: Vec<CoverStream>,
    /// From the order of the lifted board to that of its mirror image.
    pub to_mirror: Swaps,
    /// Back.
    pub from_mirror: Swaps,
    /// The first word with the piece in the lower part, in source and target.
    pub lower: [usize; 2],
    /// Cells of the fixed parts on which the piece cannot stand.
    pub without_room: Vec<usize>,
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
        self.narrow.clear();
        self.spread.clear();
        self.without_room.clear();
        for (row, code) in [(0, plan.rows[0]), (layout.rows - 1, plan.rows[1])] {
            let full = (0..layout.columns).filter(|&place| heights::height(code, place) == 3);
            self.without_room.extend(full.map(|place| cell_at(row, layout.by_place[place])));
        }
        for streams in [&mut self.mirrored, &mut self.mirrored_spread] {
            streams.clear();
        }
        let covers = [&mut self.covers, &mut self.mirrored_covers];
        for streams in covers.into_iter().chain([&mut self.cover_spread, &mut self.mirrored_cover_spread]) {
            streams.clear();
        }
        self.upper_cells(layout, lifts, plan, first);
        let boards =
            [upper, lifts.mirrors(upper_sum)[upper] as usize].map(|upper| layout.run(plan.middle, upper_sum, upper));
        self.sources(layout, plan, boards);
        self.targets(layout, plan, boards, first);
        if !(self.mirrored.is_empty() && self.mirrored_spread.is_empty()) {
            self.swaps(layout, lifts, plan);
        }
    }

    fn upper_cells(&mut self, layout: &Layout, lifts: &PartLifts, plan: &Plan, first: usize) {
        for cell in 0..lifts.cells() {
            let raised = lifts.raised(self.upper_sum, cell)[self.upper];
            let (row, column) = (1 + cell / layout.columns, layout.by_place[cell % layout.columns]);
            if raised == Raised::NO_ROOM {
                self.without_room.push(cell_at(row, column));
                continue;
            }
            let board = layout.run(plan.middle + 1, self.upper_sum + 1, raised.number());
            let place = raised.place();
            let start = plan.starts[0] + board * plan.widths[0];
            self.wide.push(Stream { start, cell: cell_at(row, column), selection: plan.gather[place] });
            let start = plan.starts[1] - first + board * plan.widths[1];
            self.spread.push(Stream { start, cell: cell_at(row, column), selection: plan.spread[place] });
            for (number, cover) in plan.covers.iter().enumerate() {
                if plan.target == Array::Wins && row == 1 && layout.by_place[cover.place].abs_diff(column) <= 1 {
                    self.cover_spread.push(CoverStream { cover: number, start, selection: cover.middle[place] });
                }
            }
        }
    }

    // `boards` are the first boards of the run and of its mirror image.
    fn sources(&mut self, layout: &Layout, plan: &Plan, boards: [usize; 2]) {
        let starts = |edge: &Edge| boards.map(|board| edge.start + board * edge.width);
        for (number, edge) in plan.sources.iter().enumerate() {
            let ([start, mirrored], cell) = (starts(edge), edge_cell(layout, edge));
            if let Some(selection) = edge.images.straight {
                let streams = if edge.width == plan.widths[0] { &mut self.wide } else { &mut self.narrow };
                streams.push(Stream { start, cell, selection });
            } else if let Some(selection) = &edge.images.mirrored {
                self.mirrored.push(MirroredStream { start: mirrored, edge: number, cell, selection: **selection });
            }
        }
        for (number, cover) in plan.covers.iter().enumerate() {
            let [start, mirrored] = starts(&plan.sources[cover.source]);
            if let Some(selection) = cover.images.straight {
                self.covers.push(CoverStream { cover: number, start, selection });
            } else if let Some(selection) = &cover.images.mirrored {
                self.mirrored_covers.push(CoverStream { cover: number, start: mirrored, selection: **selection });
            }
        }
    }

    fn targets(&mut self, layout: &Layout, plan: &Plan, boards: [usize; 2], first: usize) {
        for (number, edge) in plan.targets.iter().enumerate() {
            let [start, mirrored] = boards.map(|board| edge.start - first + board * edge.width);
            let cell = edge_cell(layout, edge);
            if let Some(selection) = edge.images.straight {
                self.spread.push(Stream { start, cell, selection });
            }
            if let Some(selection) = &edge.images.mirrored {
                self.mirrored_spread.push(MirroredStream {
                    start: mirrored,
                    edge: number,
                    cell,
                    selection: **selection,
                });
            }
            for (cover, images) in
                plan.covers.iter().enumerate().filter_map(|(n, cover)| Some((n, cover.edges[number].as_ref()?)))
            {
                if let Some(selection) = images.straight {
                    self.cover_spread.push(CoverStream { cover, start, selection });
                }
                if let Some(selection) = &images.mirrored {
                    self.mirrored_cover_spread.push(CoverStream { cover, start: mirrored, selection: **selection });
                }
            }
        }
    }

    fn swaps(&mut self, layout: &Layout, lifts: &PartLifts, plan: &Plan) {
        let mirrored_rows = plan.rows.map(|row| heights::mirrored(row, 1, layout.columns));
        let mirrored = lifts.mirrors(self.upper_sum)[self.upper] as usize;
        let swaps = |rows, upper| {
            let upper_swaps = lifts.swaps(self.upper_sum, upper);
            let (fixed, lower) = fixed_swaps(layout, true, rows, plan.middle, self.upper_sum, upper_swaps);
            Swaps { fixed, lower }
        };
        [self.to_mirror, self.from_mirror] = [swaps(plan.rows, self.upper), swaps(mirrored_rows, mirrored)];
    }
}

fn edge_cell(layout: &Layout, edge: &Edge) -> usize {
    cell_at(if edge.in_top { 0 } else { layout.rows - 1 }, layout.by_place[edge.place])
}
