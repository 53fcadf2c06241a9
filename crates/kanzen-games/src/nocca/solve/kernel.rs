//! The sweep of one lifted slab: gather, neighbours, spread.
//!
//! The lifted boards of a run differ in the lower part of the middle only, and stand in the order of its numbers. With
//! the piece put anywhere else the boards are again in that order, one after the other; with the piece in the lower
//! part a table tells the number:
//!
//! ```text
//! piece on the top row     -------->           grid of sets, a cell each       -------->
//!          the upper part  -------->           . . o . .                       -------->   the same places
//!          the lower part  -> table ->         . o x o .   or of neighbours    -> table ->
//!          the bottom row  -------->           . . o . .                       -------->
//! ```
//!
//! One kernel serves both arrays and all sizes: the words of a set (4, 2 or 1) are constants of the compiled copies.

use kanzen::machine::cpu::{Gather, Isa, Work, dispatch_on};

use super::lifts::{Lifts, NO_ROOM};
use super::plan::Plan;
use super::run::{GRID, MirroredStream, Run, at};
use crate::nocca::index::colouring::{Bits, MOST_WORDS, Selection};
use crate::nocca::index::layout::{Array, Layout};

type Grid = [u64; GRID];

/// What all slabs of a sweep share.
pub struct Sweep<'a> {
    /// The numbering.
    pub layout: &'a Layout,
    /// What lifting a piece does to the numbers.
    pub lifts: &'a Lifts,
    /// The other array than the one in which positions are found.
    pub source: &'a [u64],
    /// Ones, if the set is all that is not in the source; else zeros.
    pub flip: u64,
}

impl Sweep<'_> {
    /// Sweeps a lifted slab; `target` is the part of the target array that begins at word `first`.
    pub fn slab(&self, isa: Isa, plan: &Plan, target: &mut [u64], first: usize) {
        dispatch_on(isa, SlabWork { sweep: self, plan, target, first });
    }
}

struct SlabWork<'a> {
    sweep: &'a Sweep<'a>,
    plan: &'a Plan,
    target: &'a mut [u64],
    first: usize,
}

impl Work for SlabWork<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        slab(cpu, self.sweep, self.plan, self.target, self.first);
    }
}

#[inline(always)]
fn slab<C: Gather>(cpu: C, sweep: &Sweep<'_>, plan: &Plan, target: &mut [u64], first: usize) {
    match plan.widths {
        [4, 4] => slab_of::<C, 4, 2, 4, 2>(cpu, sweep, plan, target, first),
        [4, 2] => slab_of::<C, 4, 2, 2, 2>(cpu, sweep, plan, target, first),
        [4, 1] => slab_of::<C, 4, 2, 1, 1>(cpu, sweep, plan, target, first),
        [2, 4] => slab_of::<C, 2, 1, 4, 1>(cpu, sweep, plan, target, first),
        [2, 2] => slab_of::<C, 2, 1, 2, 1>(cpu, sweep, plan, target, first),
        [2, 1] => slab_of::<C, 2, 1, 1, 1>(cpu, sweep, plan, target, first),
        [1, 4] => slab_of::<C, 1, 1, 4, 1>(cpu, sweep, plan, target, first),
        [1, 2] => slab_of::<C, 1, 1, 2, 1>(cpu, sweep, plan, target, first),
        _ => slab_of::<C, 1, 1, 1, 1>(cpu, sweep, plan, target, first),
    }
}

/// `S` words a board of the source, `N` with one more stack in the guarded row, `T` in the target, `A` a lifted set.
#[inline(always)]
fn slab_of<C: Gather, const S: usize, const N: usize, const T: usize, const A: usize>(
    cpu: C,
    sweep: &Sweep<'_>,
    plan: &Plan,
    target: &mut [u64],
    first: usize,
) {
    let layout = sweep.layout;
    let mut run = Run::default();
    for upper_sum in 0..=plan.middle {
        let boards = layout.lower.len(plan.middle - upper_sum);
        for upper in 0..layout.upper.len(upper_sum) {
            if boards > 0 {
                run.prepare(layout, &sweep.lifts.upper, plan, first, upper_sum, upper);
                Boards { cpu, sweep, plan, run: &run, lower_sum: plan.middle - upper_sum }.each::<S, N, T, A>(target);
            }
        }
    }
}

/// The boards of a run.
struct Boards<'a, C> {
    cpu: C,
    sweep: &'a Sweep<'a>,
    plan: &'a Plan,
    run: &'a Run,
    lower_sum: u32,
}

impl<C: Gather> Boards<'_, C> {
    #[inline(always)]
    fn each<const S: usize, const N: usize, const T: usize, const A: usize>(&self, target: &mut [u64]) {
        let (cpu, run, plan, layout) = (self.cpu, self.run, self.plan, self.sweep.layout);
        let lifts = &self.sweep.lifts.lower;
        let lower_cells = self.lower_cells();
        let mut grids = Grids { sets: [[0; GRID]; A], three: [[0; GRID]; A], near: [[0; GRID]; A] };
        let mut covers = [0u128; 5];
        for lower in 0..layout.lower.len(self.lower_sum) {
            for stream in &run.wide {
                let set = self.load::<S>(stream.start + lower * S);
                grids.put(stream.cell, gather::<C, S, A>(cpu, &set, &stream.selection));
            }
            for stream in &run.narrow {
                let set = self.load::<N>(stream.start + lower * N);
                grids.put(stream.cell, gather::<C, N, A>(cpu, &set, &stream.selection));
            }
            let raised = lifts.raised(self.lower_sum, lower);
            let places = lifts.place_on(self.lower_sum, lower);
            for ((&raised, &place), &cell) in raised.iter().zip(places).zip(&lower_cells) {
                let mut bits = [0; A];
                if raised != NO_ROOM {
                    let set = self.load::<S>(run.lower[0] + raised as usize * S);
                    let selection = &plan.gather[run.upper_sum as usize + usize::from(place)];
                    bits = gather::<C, S, A>(cpu, &set, selection);
                }
                grids.put(cell, bits);
            }
            for ((bits, start), cover) in covers.iter_mut().zip(&run.covers).zip(&plan.covers) {
                if let Some(start) = start {
                    *bits = cover.selection.gather(cpu, &self.load::<S>(start + lower * S));
                }
            }
            for stream in &run.mirrored {
                self.gather_mirrored::<A>(stream, lower, &mut grids, &mut covers);
            }

            grids.meet(layout.rows);
            for stream in &run.spread {
                let start = stream.start + lower * T;
                spread::<C, T, A>(cpu, grids.near(stream.cell), &stream.selection, &mut target[start..start + T]);
            }
            for ((&raised, &place), &cell) in raised.iter().zip(places).zip(&lower_cells) {
                if raised != NO_ROOM {
                    let start = run.lower[1] + raised as usize * T;
                    let selection = &plan.spread[run.upper_sum as usize + usize::from(place)];
                    spread::<C, T, A>(cpu, grids.near(cell), selection, &mut target[start..start + T]);
                }
            }
            for stream in &run.cover_spread {
                let start = stream.start + lower * T;
                stream.selection.spread(cpu, covers[stream.cover], &mut target[start..start + T]);
            }
            self.spread_covers_below::<T>(lower, &covers, target);
            for stream in &run.mirrored_spread {
                self.spread_mirrored(stream, lower, wide::<A>(grids.near(stream.cell)), &covers, target);
            }
        }
    }

    /// The grid cells of the lower part.
    fn lower_cells(&self) -> [usize; 10] {
        let layout = self.sweep.layout;
        let first_row = layout.rows - 1 - layout.lower.cells() / layout.columns;
        let mut cells = [0; 10];
        for (cell, place) in cells.iter_mut().zip(0..layout.lower.cells()) {
            *cell = at(first_row + place / layout.columns, layout.by_place[place % layout.columns]);
        }
        cells
    }

    #[inline(always)]
    fn load<const W: usize>(&self, start: usize) -> [u64; W] {
        let set: &[u64; W] = self.sweep.source[start..start + W].try_into().expect("as many words");
        set.map(|word| word ^ self.sweep.flip)
    }

    /// Covers that go to the lower part of the middle: it is next to the bottom row, and to the top row if there is no
    /// upper part.
    #[inline(always)]
    fn spread_covers_below<const T: usize>(&self, lower: usize, covers: &[u128; 5], target: &mut [u64]) {
        let (layout, plan, run) = (self.sweep.layout, self.plan, self.run);
        let next_row = match plan.target {
            Array::Losses => layout.lower.cells() - layout.columns,
            Array::Wins if layout.upper.cells() == 0 => 0,
            Array::Wins => return,
        };
        let raised = self.sweep.lifts.lower.raised(self.lower_sum, lower);
        let places = self.sweep.lifts.lower.place_on(self.lower_sum, lower);
        for (cover, &bits) in plan.covers.iter().zip(covers) {
            if bits == 0 {
                continue;
            }
            for place in 0..layout.columns {
                let cell = next_row + place;
                if raised[cell] != NO_ROOM && layout.by_place[place].abs_diff(layout.by_place[cover.place]) <= 1 {
                    let start = run.lower[1] + raised[cell] as usize * T;
                    let selection = &cover.middle[run.upper_sum as usize + usize::from(places[cell])];
                    selection.spread(self.cpu, bits, &mut target[start..start + T]);
                }
            }
        }
    }

    #[inline(always)]
    fn gather_mirrored<const A: usize>(
        &self,
        stream: &MirroredStream,
        lower: usize,
        grids: &mut Grids<A>,
        covers: &mut [u128; 5],
    ) {
        let plan = self.plan;
        let edge = &plan.sources[stream.edge];
        let mirrored = self.sweep.lifts.lower.mirrored(self.lower_sum, lower);
        let start = stream.start + mirrored * edge.width;
        let mut set = [0; MOST_WORDS];
        for (word, from) in set.iter_mut().zip(&self.sweep.source[start..start + edge.width]) {
            *word = from ^ self.sweep.flip;
        }
        self.mirror(plan.target.other(), edge.rows, stream, mirrored, &mut set);
        grids.put(stream.cell, narrowed(edge.selection.gather(self.cpu, &set)));
        for (cover, bits) in plan.covers.iter().zip(covers) {
            if cover.source == stream.edge {
                *bits = cover.selection.gather(self.cpu, &set);
            }
        }
    }

    #[inline(always)]
    fn spread_mirrored(
        &self,
        stream: &MirroredStream,
        lower: usize,
        near: u128,
        covers: &[u128; 5],
        target: &mut [u64],
    ) {
        let plan = self.plan;
        let edge = &plan.targets[stream.edge];
        let mut set = [0; MOST_WORDS];
        edge.selection.spread(self.cpu, near, &mut set);
        for (cover, &bits) in plan.covers.iter().zip(covers) {
            if let Some(selection) = &cover.edges[stream.edge] {
                selection.spread(self.cpu, bits, &mut set);
            }
        }
        let mut write = |start: usize, set: &Bits| {
            for (word, new) in target[start..start + edge.width].iter_mut().zip(set) {
                *word |= new;
            }
        };
        if let Some(straight) = stream.straight {
            write(straight + lower * edge.width, &set);
        }
        self.mirror(plan.target, edge.rows, stream, lower, &mut set);
        let mirrored = self.sweep.lifts.lower.mirrored(self.lower_sum, lower);
        write(stream.start + mirrored * edge.width, &set);
    }

    /// Brings a set into the order of the mirror image; `lower` is the lower part in the order it has now.
    #[inline(always)]
    fn mirror(&self, array: Array, rows: [u32; 2], stream: &MirroredStream, lower: usize, set: &mut Bits) {
        let space = self.sweep.layout.space(array, rows[0], rows[1]);
        for &piece in &stream.swaps {
            space.swap(self.cpu, set, piece);
        }
        for &piece in self.sweep.lifts.lower.swaps(self.lower_sum, lower) {
            space.swap(self.cpu, set, stream.lower + piece);
        }
    }
}

#[inline(always)]
fn wide<const A: usize>(bits: [u64; A]) -> u128 {
    bits.iter().rev().fold(0, |all, &word| all << 64 | u128::from(word))
}

#[inline(always)]
fn narrowed<const A: usize>(bits: u128) -> [u64; A] {
    std::array::from_fn(|word| (bits >> (64 * word)) as u64)
}

/// As [`Selection::gather`], into one word where one is enough.
#[inline(always)]
fn gather<C: Gather, const W: usize, const A: usize>(cpu: C, set: &[u64; W], selection: &Selection) -> [u64; A] {
    if A > 1 {
        return narrowed(selection.gather(cpu, set));
    }
    let mut bits = [0; A];
    for (word, members) in set.iter().enumerate() {
        bits[0] |= cpu.pext(*members, selection.mask[word]) << (selection.shift[word] & 63);
    }
    bits
}

/// As [`Selection::spread`], from one word where one is enough.
#[inline(always)]
fn spread<C: Gather, const T: usize, const A: usize>(cpu: C, bits: [u64; A], selection: &Selection, to: &mut [u64]) {
    if A > 1 {
        return selection.spread(cpu, wide(bits), to);
    }
    for (word, target) in to[..T].iter_mut().enumerate() {
        *target |= cpu.pdep(bits[0] >> (selection.shift[word] & 63), selection.mask[word]);
    }
}

/// A cell for each cell of the board, with an empty border; in `near`, the union of up to eight neighbours.
struct Grids<const A: usize> {
    sets: [Grid; A],
    three: [Grid; A],
    near: [Grid; A],
}

impl<const A: usize> Grids<A> {
    #[inline(always)]
    fn put(&mut self, cell: usize, bits: [u64; A]) {
        for (grid, word) in self.sets.iter_mut().zip(bits) {
            grid[cell] = word;
        }
    }

    #[inline(always)]
    fn near(&self, cell: usize) -> [u64; A] {
        std::array::from_fn(|word| self.near[word][cell])
    }

    /// Fills in the neighbours. Beside the board stand results that nobody reads.
    #[inline(always)]
    fn meet(&mut self, rows: usize) {
        for ((sets, three), near) in self.sets.iter().zip(&mut self.three).zip(&mut self.near) {
            for row in 0..rows {
                let start = at(row, 0) - 1;
                let [left, own, right] = [start - 1, start, start + 1].map(|start| eight(sets, start));
                for lane in 0..8 {
                    near[start + lane] = left[lane] | right[lane];
                    three[start + lane] = left[lane] | own[lane] | right[lane];
                }
            }
            for row in 0..rows {
                let start = at(row, 0) - 1;
                let [above, below] = [start - 8, start + 8].map(|start| eight(three, start));
                for lane in 0..8 {
                    near[start + lane] |= above[lane] | below[lane];
                }
            }
        }
    }
}

#[inline(always)]
fn eight(grid: &Grid, start: usize) -> [u64; 8] {
    grid[start..start + 8].try_into().expect("eight words")
}
