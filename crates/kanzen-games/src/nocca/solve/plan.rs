//! How one sweep handles one lifted slab.
//!
//! A sweep finds all positions of one array from which the mover has a move into a set of the other array. It visits
//! every board with one of the mover's pieces lifted:
//!
//! ```text
//! set, piece on y  --gather-->  lifted board  --neighbours x of y-->  --spread-->  positions with the piece on x
//! ```
//!
//! Positions without bits shape it. In the set, the tops of the row its mover wants to reach (the *guarded* row) are
//! the sweep's mover's; in the result, the tops of the sweep's mover's own goal row are the opponent's. So a lifted
//! board needs only colourings with both, but for one exception: a piece put on a stack of the guarded row covers its
//! top, which may then be the opponent's. These colourings, one set for each such stack, are the *covers*.
//!
//! All selections depend on the rows and on the place of the lifted piece among the others alone: a plan has them for
//! a whole slab.

use crate::nocca::index::colouring::{Selection, Space};
use crate::nocca::index::heights;
use crate::nocca::index::layout::{Array, Layout};

/// A cell of the top or bottom row on which the lifted piece may stand.
pub struct Edge {
    /// Whether it is in the top row.
    pub in_top: bool,
    /// Its place in the row.
    pub place: usize,
    /// The rows with the piece on it.
    pub rows: [u32; 2],
    /// The number of the slab, or of its mirror image if that is the one kept.
    pub slab: usize,
    /// The first word of it.
    pub start: usize,
    /// Words a board.
    pub width: usize,
    /// The colourings that take part.
    pub images: Images,
}

/// A selection in the order of a board's pieces and in that of its mirror image: each where that image is kept.
///
/// Both are if the slab is its own mirror image and the lifted one is not: then both must be written.
pub struct Images {
    /// In the order of the board itself.
    pub straight: Option<Selection>,
    /// In the order of the mirror image. Few have it.
    pub mirrored: Option<Box<Selection>>,
}

/// A stack of the guarded row whose top, an opponent's piece, the lifted piece covers.
pub struct Cover {
    /// Its number among the sources.
    pub source: usize,
    /// Its place in the row.
    pub place: usize,
    /// The colourings, with the piece on this stack.
    pub images: Images,
    /// The same with the piece in the middle, by its place among the middle pieces.
    pub middle: Vec<Selection>,
    /// The same with the piece on a cell of the guarded row, by the number of the target.
    pub edges: Vec<Option<Images>>,
}

/// A lifted slab and all that its sweep needs.
pub struct Plan {
    /// The array that is written.
    pub target: Array,
    /// The rows of the lifted board.
    pub rows: [u32; 2],
    /// The number of the slab with the piece in the middle.
    pub slab: usize,
    /// Pieces in the middle.
    pub middle: u32,
    /// The first word of the boards with the piece in the middle, in the source and the target.
    pub starts: [usize; 2],
    /// Words a board there.
    pub widths: [usize; 2],
    /// Colourings lifted from the middle, by the place of the lifted piece among the middle pieces.
    pub gather: Vec<Selection>,
    /// Colourings put down in the middle.
    pub spread: Vec<Selection>,
    /// The cells of the top and bottom rows to lift from.
    pub sources: Vec<Edge>,
    /// Those to put down on.
    pub targets: Vec<Edge>,
    /// The exception.
    pub covers: Vec<Cover>,
}

impl Plan {
    /// The plan for the lifted boards with these rows, which must be kept; `middle` pieces are between them.
    pub fn new(layout: &Layout, target: Array, rows: [u32; 2], middle: u32) -> Plan {
        Planner { layout, target, rows, middle }.plan()
    }

    /// The slabs it reads.
    pub fn source_slabs(&self) -> impl Iterator<Item = usize> {
        self.sources.iter().map(|edge| edge.slab).chain([self.slab])
    }

    /// The slabs it writes.
    pub fn target_slabs(&self) -> impl Iterator<Item = usize> {
        self.targets.iter().map(|edge| edge.slab).chain([self.slab])
    }

    /// The space of the lifted board's colourings, if there are any. With `covered`, that of a cover's.
    ///
    /// The tops of the guarded row are the mover's (but for a cover) and those of the goal row the opponent's: only the
    /// others have colours.
    pub fn lifted_space<'a>(&self, layout: &'a Layout, covered: bool) -> Option<&'a Space> {
        let [top, bottom] = self.rows.map(heights::occupied);
        let side = layout.columns as i32;
        let whites = match self.target {
            Array::Losses => side - 1 - bottom as i32 + i32::from(covered),
            Array::Wins => side - bottom as i32 - i32::from(covered),
        };
        layout.space_of(2 * layout.columns as u32 - 1 - top - bottom, whites)
    }

    /// The number of middles.
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
        assert!(exists, "only slabs that are kept are swept");
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

    /// Cells of a row that have room, with the slabs of an array in which the lifted piece stands on them.
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

    /// The selection of colourings with the piece on a cell of the top or bottom row, in the images that are kept. A
    /// cover is the place of a stack of the guarded row.
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

    /// Where a piece put on a cell of a row stands among all pieces.
    fn piece_on(&self, in_top: bool, place: usize) -> u32 {
        match in_top {
            true => heights::place_on(self.rows[0], place),
            false => heights::sum(self.rows[0]) + self.middle + heights::place_on(self.rows[1], place),
        }
    }

    /// The top pieces of the lifted board's top or bottom row.
    fn tops(&self, in_top: bool) -> u32 {
        match in_top {
            true => heights::tops(self.rows[0], self.columns()),
            false => heights::tops(self.rows[1], self.columns()) << (heights::sum(self.rows[0]) + self.middle),
        }
    }

    /// The colourings of boards with `rows` in which the piece `at` is the mover's, and of the lifted board's tops
    /// those of the guarded row are the mover's (but not `cover`) and those of the goal row the opponent's.
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

/// A set of pieces after one more came in at a place: it is not in the set.
fn opened(pieces: u32, at: u32) -> u32 {
    let below = (1 << at) - 1;
    pieces & below | (pieces & !below) << 1
}
