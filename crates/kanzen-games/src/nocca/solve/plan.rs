//! Plans the sweep of one slab of lifted boards: which bits to gather, and where to spread them.
//!
//! A sweep finds all positions of one array from which the mover has a move into a set of the other array. It visits
//! every board with one of the mover's pieces lifted:
//!
//! ```text
//! set, piece on y  --gather-->  lifted board  --neighbours x of y-->  --spread-->  positions with the piece on x
//! ```
//!
//! Some positions have no bit, and that limits the colourings of a lifted board. In the source set, the tops of its
//! mover's goal row (the *guarded* row) belong to the sweep's mover. In the result, the tops of the sweep's mover's own
//! goal row belong to the opponent. So a lifted board needs only colourings with both properties. There is one
//! exception: a piece put on a stack of the guarded row covers its top, which may then be the opponent's. These
//! colourings, one set per stack, are the *covers*.
//!
//! All selections depend only on the rows and on the rank of the lifted piece among the others: a [`Plan`] serves a
//! whole slab. A [`Run`] is the part of it that one run of boards needs: those that share the upper part of the middle.

use super::steps::{PartLifts, Raised};
use super::tile::cell_at;
use crate::nocca::index::colouring::{Selection, Space};
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout, fixed_swaps};

/// A cell of the top or bottom row on which the lifted piece may stand.
pub struct Edge {
    /// Whether the cell is in the top row.
    pub in_top: bool,
    /// The place in the row.
    pub place: usize,
    /// The rows with the piece on the cell.
    pub rows: [u32; 2],
    /// The number of the slab, or of its mirror image if that one is stored.
    pub slab: usize,
    /// The first word of the slab.
    pub start: usize,
    /// Words per board.
    pub width: usize,
    /// The selected colourings.
    pub images: Images,
}

/// A selection in the piece order of a board and in that of its mirror image, each where that image is stored.
///
/// Both are present if the slab is its own mirror image and the lifted slab is not: both must be written.
pub struct Images {
    /// In the order of the board itself.
    pub straight: Option<Selection>,
    /// In the order of the mirror image; rare.
    pub mirrored: Option<Box<Selection>>,
}

/// A stack of the guarded row whose top, an opponent's piece, the lifted piece covers.
pub struct Cover {
    /// The number of the edge among the sources.
    pub source: usize,
    /// The place in the row.
    pub place: usize,
    /// The colourings with the piece on this stack.
    pub images: Images,
    /// The same with the piece in the middle, by its rank among the middle pieces.
    pub middle: Vec<Selection>,
    /// The same with the piece on a cell of the guarded row, by number of the target.
    pub edges: Vec<Option<Images>>,
}

/// The plan for all lifted boards of one slab.
pub struct Plan {
    /// The array to write.
    pub target: Array,
    /// The rows of the lifted board.
    pub rows: [u32; 2],
    /// The number of the slab with the piece in the middle.
    pub slab: usize,
    /// Pieces in the middle.
    pub middle: u32,
    /// The first words of the boards with the piece in the middle, in source and target.
    pub starts: [usize; 2],
    /// Words per board in source and target.
    pub widths: [usize; 2],
    /// Colourings lifted from the middle, by the rank of the lifted piece among the middle pieces.
    pub gather: Vec<Selection>,
    /// Colourings put down in the middle.
    pub spread: Vec<Selection>,
    /// The cells of the top and bottom rows to lift from.
    pub sources: Vec<Edge>,
    /// The cells of the top and bottom rows to put down on.
    pub targets: Vec<Edge>,
    /// The covers.
    pub covers: Vec<Cover>,
}

impl Plan {
    /// Plans the lifted boards with `middle` pieces between these rows, whose slab must be the stored one.
    pub fn new(layout: &Layout, target: Array, rows: [u32; 2], middle: u32) -> Plan {
        Planner { layout, target, rows, middle }.plan()
    }

    /// Returns the numbers of the slabs that the plan reads.
    pub fn source_slabs(&self) -> impl Iterator<Item = usize> {
        self.sources.iter().map(|edge| edge.slab).chain([self.slab])
    }

    /// Returns the numbers of the slabs that the plan writes.
    pub fn target_slabs(&self) -> impl Iterator<Item = usize> {
        self.targets.iter().map(|edge| edge.slab).chain([self.slab])
    }

    /// Returns the space of the lifted board's colourings, or with `covered` that of a cover; `None` if there are none.
    ///
    /// The tops of the guarded row are the mover's (except a cover) and the tops of the goal row are the opponent's.
    /// Only the other pieces have free colours.
    pub fn lifted_space<'a>(&self, layout: &'a Layout, covered: bool) -> Option<&'a Space> {
        let [top, bottom] = self.rows.map(heights::occupied);
        let side = layout.columns as i32;
        let whites = match self.target {
            Array::Losses => side - 1 - bottom as i32 + i32::from(covered),
            Array::Wins => side - bottom as i32 - i32::from(covered),
        };
        layout.space_of(2 * layout.columns as u32 - 1 - top - bottom, whites)
    }

    /// Returns the number of lifted boards.
    pub fn boards(&self, layout: &Layout) -> usize {
        layout.middles(self.middle)
    }
}

struct Planner<'a> {
    layout: &'a Layout,
    target: Array,
    rows: [u32; 2],
    middle: u32,
}

impl Planner<'_> {
    fn plan(&self) -> Plan {
        let (source, target) = (self.target.other(), self.target);
        let top_pieces = heights::sum(self.rows[0]);
        let places = || (0..=self.middle).map(|place| top_pieces + place);
        let select = |array, cover| places().map(|at| self.selection(array, self.rows, at, cover)).collect();
        let [top, bottom] = self.rows;
        let exists = self.layout.slab(top, bottom).is_some();
        assert!(exists, "only stored slabs are swept");
        let array_start = |array| self.layout.start(array, top, bottom);
        let guards_top = source == Array::Losses;
        let sources = [true, false].into_iter().flat_map(|in_top| self.edges(source, in_top)).collect();
        let targets: Vec<Edge> = self.edges(target, guards_top).collect();
        let mut plan = Plan {
            target,
            rows: self.rows,
            slab: self.layout.slab_number(top, bottom),
            middle: self.middle,
            starts: [source, target].map(array_start),
            widths: [source, target].map(|array| self.layout.space(array, top, bottom).width()),
            gather: select(source, None),
            spread: select(target, None),
            sources,
            targets,
            covers: Vec::new(),
        };
        plan.covers = self.covers(&plan);
        plan
    }

    fn columns(&self) -> usize {
        self.layout.columns
    }

    /// Lists the cells of a row that are not full, with the slab of `array` that has the lifted piece there.
    fn edges(&self, array: Array, in_top: bool) -> impl Iterator<Item = Edge> {
        let row = usize::from(!in_top);
        (0..self.columns()).filter_map(move |place| {
            let mut rows = self.rows;
            rows[row] = heights::raised(rows[row], place)?;
            let [top, bottom] = rows;
            let slab = self.layout.slab(top, bottom);
            let kept = if slab.is_some() { rows } else { self.mirrored_rows(rows) };
            Some(Edge {
                in_top,
                place,
                rows,
                slab: self.layout.slab_number(kept[0], kept[1]),
                start: self.layout.start(array, kept[0], kept[1]),
                width: self.layout.space(array, top, bottom).width(),
                images: self.images(array, rows, in_top, place, None),
            })
        })
    }

    fn mirrored_rows(&self, rows: [u32; 2]) -> [u32; 2] {
        rows.map(|row| heights::mirrored(row, 1, self.columns()))
    }

    /// Selects the colourings with the piece on a cell of the top or bottom row, in the stored images. `cover` is the
    /// place of a covered stack of the guarded row.
    fn images(&self, array: Array, rows: [u32; 2], in_top: bool, place: usize, cover: Option<usize>) -> Images {
        let mirror = Planner { rows: self.mirrored_rows(self.rows), ..*self };
        let guards_top = self.target == Array::Wins;
        let select = |planner: &Planner<'_>, rows, place, cover: Option<usize>| {
            let cover = cover.map(|cover| 1 << (planner.piece_on(guards_top, cover) - 1));
            planner.selection(array, rows, planner.piece_on(in_top, place), cover)
        };
        let mirrored_place = |place| heights::mirrored_place(place, self.columns());
        let slab = self.layout.slab(rows[0], rows[1]);
        let both = slab.is_some_and(|slab| slab.symmetric) && mirror.rows != self.rows;
        Images {
            straight: slab.map(|_| select(self, rows, place, cover)),
            mirrored: (both || slab.is_none()).then(|| {
                Box::new(select(&mirror, self.mirrored_rows(rows), mirrored_place(place), cover.map(mirrored_place)))
            }),
        }
    }

    fn covers(&self, plan: &Plan) -> Vec<Cover> {
        let source = self.target.other();
        let in_top = source == Array::Losses;
        let row = self.rows[usize::from(!in_top)];
        let covered = plan.sources.iter().enumerate();
        let covered = covered.filter(|(_, edge)| edge.in_top == in_top && heights::height(row, edge.place) > 0);
        covered
            .map(|(number, edge)| {
                let cover = Some(1 << (self.piece_on(in_top, edge.place) - 1));
                let top_pieces = heights::sum(self.rows[0]);
                let on_edge = |target: &Edge| {
                    let near = self.next_to_each_other(edge.place, target.place);
                    near.then(|| self.images(self.target, target.rows, in_top, target.place, Some(edge.place)))
                };
                Cover {
                    source: number,
                    place: edge.place,
                    images: self.images(source, edge.rows, in_top, edge.place, Some(edge.place)),
                    middle: (0..=self.middle)
                        .map(|place| self.selection(self.target, self.rows, top_pieces + place, cover))
                        .collect(),
                    edges: plan.targets.iter().map(on_edge).collect(),
                }
            })
            .collect()
    }

    fn next_to_each_other(&self, place: usize, other: usize) -> bool {
        let by_place = heights::columns_by_place(self.columns());
        by_place[place].abs_diff(by_place[other]) == 1
    }

    /// Returns the rank among all pieces of a piece put on a cell of a row.
    fn piece_on(&self, in_top: bool, place: usize) -> u32 {
        match in_top {
            true => heights::place_on(self.rows[0], place),
            false => heights::sum(self.rows[0]) + self.middle + heights::place_on(self.rows[1], place),
        }
    }

    /// Returns the top pieces of the lifted board's top or bottom row.
    fn tops(&self, in_top: bool) -> u32 {
        match in_top {
            true => heights::tops(self.rows[0], self.columns()),
            false => heights::tops(self.rows[1], self.columns()) << (heights::sum(self.rows[0]) + self.middle),
        }
    }

    /// Selects the colourings of boards with `rows` in which piece `at` is the mover's, the tops of the guarded row are
    /// the mover's (except `cover`), and the tops of the goal row are the opponent's.
    fn selection(&self, array: Array, rows: [u32; 2], at: u32, cover: Option<u32>) -> Selection {
        let goal_is_top = self.target == Array::Losses;
        let cover = cover.unwrap_or(0);
        let mine = opened(self.tops(!goal_is_top) & !cover, at) | 1 << at;
        let theirs = opened(self.tops(goal_is_top) | cover, at);
        let (white, black) = if self.target == Array::Losses { (mine, theirs) } else { (theirs, mine) };
        let [top, bottom] = rows;
        let [white, black] = [white, black].map(|pieces| self.layout.with_bits(array, top, bottom, pieces));
        self.layout.space(array, top, bottom).select(white, black)
    }
}

/// Inserts a zero bit at `at`: renumbers a set of pieces after one more came in.
fn opened(pieces: u32, at: u32) -> u32 {
    let below = (1 << at) - 1;
    pieces & below | (pieces & !below) << 1
}

/// The boards of a run with the lifted piece on one cell: consecutive in memory.
pub struct Stream {
    /// The first word of the first board.
    pub start: usize,
    /// The cell in the tile.
    pub cell: usize,
    /// The selected colourings.
    pub selection: Selection,
}

/// A stream whose mirror image is stored.
pub struct MirroredStream {
    /// The first word of the mirrored run.
    pub start: usize,
    /// The number of the edge in the plan.
    pub edge: usize,
    /// The cell in the tile.
    pub cell: usize,
    /// The selected colourings, in the order of the mirror image.
    pub selection: Selection,
}

/// The colourings of a cover that come from or go to a cell outside the lower part.
pub struct CoverStream {
    /// The number of the cover.
    pub cover: usize,
    /// The first word of the first board, or of the first mirrored one.
    pub start: usize,
    /// The colourings, in the order of the stored image.
    pub selection: Selection,
}

/// Swaps of adjacent pieces that turn a lifted board's piece order into its mirror image's, except for the lower part.
#[derive(Default)]
pub struct Swaps {
    pub fixed: Vec<u8>,
    /// The rank of the first piece of the lower part.
    pub lower: u8,
}

/// The streams of one run.
#[derive(Default)]
pub struct Run {
    /// Pieces in the upper part.
    pub upper_sum: u32,
    /// The rank of the upper part.
    pub upper: usize,
    /// Sources with the plan's width.
    pub wide: Vec<Stream>,
    /// Sources with one more stack in the guarded row.
    pub narrow: Vec<Stream>,
    /// Mirrored sources.
    pub mirrored: Vec<MirroredStream>,
    /// Sources of covers.
    pub covers: Vec<CoverStream>,
    /// Mirrored sources of covers.
    pub mirrored_covers: Vec<CoverStream>,
    /// Targets.
    pub spread: Vec<Stream>,
    /// Mirrored targets.
    pub mirrored_spread: Vec<MirroredStream>,
    /// Targets of covers.
    pub cover_spread: Vec<CoverStream>,
    /// Mirrored targets of covers.
    pub mirrored_cover_spread: Vec<CoverStream>,
    /// Swaps from the piece order of the lifted board to that of its mirror image.
    pub to_mirror: Swaps,
    /// The inverse swaps.
    pub from_mirror: Swaps,
    /// The first words with the piece in the lower part, in source and target.
    pub lower: [usize; 2],
    /// Full cells outside the lower part: the piece cannot stand there.
    pub full_cells: Vec<usize>,
}

impl Run {
    /// Fills in the run. `first` is the word of the target array from which the kernel counts.
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
        self.full_cells.clear();
        for (row, code) in [(0, plan.rows[0]), (layout.rows - 1, plan.rows[1])] {
            let full = (0..layout.columns).filter(|&place| heights::height(code, place) == 3);
            self.full_cells.extend(full.map(|place| cell_at(row, layout.by_place[place])));
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
            if raised == Raised::FULL {
                self.full_cells.push(cell_at(row, column));
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
