//! Sweeps the lifted boards of one slab: gather, union over neighbours, spread.
//!
//! The lifted boards of a run differ only in the lower part of the middle and are stored in the order of its rank. With
//! the piece put on any other cell, the boards are again stored in that order, one after the other. With the piece in
//! the lower part, a table gives the rank:
//!
//! ```text
//! piece on the top row     -------->           tile of sets, a cell each       -------->
//!          the upper part  -------->           . . o . .                       -------->   the same cells
//!          the lower part  -> table ->         . o x o .   or of neighbours    -> table ->
//!          the bottom row  -------->           . . o . .                       -------->
//! ```
//!
//! Of two mirror images of a slab one is stored. Where that is the mirror image, the kernel permutes a set into its
//! piece order while the set is smallest: without the lifted piece.
//!
//! A run is swept tile by tile, and a tile cell by cell: all boards of a run share the same selections. One kernel
//! serves both arrays and all sizes: the words of a set (4, 2 or 1) are constants of the compiled copies.

use std::ops::Range;

use kanzen_core::machine::cpu::{Gather, Isa, Work, dispatch_on};

use super::plan::{CoverStream, MirroredStream, Plan, Run, Stream, Swaps};
use super::steps::{Lifts, Raised};
use super::tile::{LANES, Tile, cell_at};
use crate::nocca::index::colouring::{Bits, MOST_WORDS, Selection, Space};
use crate::nocca::index::layout::{Array, Layout};

/// What all slabs of a sweep share.
pub struct Sweep<'a> {
    /// The index.
    pub layout: &'a Layout,
    /// The tables for adding and removing a piece.
    pub lifts: &'a Lifts,
    /// The array that the moves lead to.
    pub source: &'a [u64],
    /// All ones if the set is the complement of the source, else zeros.
    pub flip: u64,
}

impl Sweep<'_> {
    /// Sweeps the lifted boards of one slab. `target` is the part of the target array that begins at word `first`.
    pub fn slab(&self, isa: Isa, plan: &Plan, target: &mut [u64], first: usize) {
        dispatch_on(isa, SlabWork { sweep: self, isa, plan, target, first })
    }
}

struct SlabWork<'a> {
    sweep: &'a Sweep<'a>,
    isa: Isa,
    plan: &'a Plan,
    target: &'a mut [u64],
    first: usize,
}

impl Work for SlabWork<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        // A cover takes two words only if the guarded row has one stack and the goal row none.
        match self.plan.widths {
            [4, 4] => self.slab::<C, 4, 2, 4, 2, 1>(cpu),
            [4, 2] => self.slab::<C, 4, 2, 2, 2, 1>(cpu),
            [4, 1] => self.slab::<C, 4, 2, 1, 1, 1>(cpu),
            [2, 4] => self.slab::<C, 2, 1, 4, 1, 2>(cpu),
            [2, 2] => self.slab::<C, 2, 1, 2, 1, 1>(cpu),
            [2, 1] => self.slab::<C, 2, 1, 1, 1, 1>(cpu),
            [1, 4] => self.slab::<C, 1, 1, 4, 1, 1>(cpu),
            [1, 2] => self.slab::<C, 1, 1, 2, 1, 1>(cpu),
            _ => self.slab::<C, 1, 1, 1, 1, 1>(cpu),
        }
    }
}

impl SlabWork<'_> {
    /// `S` and `N` are the words of a source set, `N` with one more stack in the guarded row; `T` are those of a target
    /// set, `A` of a lifted set, `K` of a set of covers.
    #[inline(always)]
    fn slab<C: Gather, const S: usize, const N: usize, const T: usize, const A: usize, const K: usize>(self, cpu: C) {
        let SlabWork { sweep, isa, plan, target, first } = self;
        let layout = sweep.layout;
        let mut run = Run::default();
        let mut tile = Tile::<A, K>::new();
        let spaces = [false, true].map(|covered| plan.lifted_space(layout, covered));
        let flips = spaces.map(|space| space.map_or([0; MOST_WORDS], Space::all).map(|all| all & sweep.flip));
        for upper_sum in 0..=plan.middle {
            let boards = layout.lower.len(plan.middle - upper_sum);
            for upper in 0..layout.upper.len(upper_sum) {
                run.prepare(layout, &sweep.lifts.upper, plan, first, upper_sum, upper);
                let lower_sum = plan.middle - upper_sum;
                let boards_of = RunBoards { cpu, sweep, plan, run: &run, lower_sum, boards, spaces, flips };
                run.full_cells.iter().for_each(|&cell| tile.clear(cell));
                for first_board in (0..boards).step_by(LANES) {
                    tile.take(first_board, boards);
                    boards_of.gather::<S, N, A, K>(&mut tile);
                    tile.unite_neighbours(isa, layout.rows);
                    boards_of.spread::<T, A, K>(&tile, target);
                }
            }
        }
    }
}

/// The boards of one run, with the context that gathering and spreading need.
pub struct RunBoards<'a, C> {
    /// The processor's gather instructions.
    pub cpu: C,
    /// What all slabs share.
    pub sweep: &'a Sweep<'a>,
    /// What all runs of a slab share.
    pub plan: &'a Plan,
    pub run: &'a Run,
    /// Pieces in the lower part.
    pub lower_sum: u32,
    /// Boards of the run.
    pub boards: usize,
    /// The spaces of lifted colourings and of covers.
    pub spaces: [Option<&'a Space>; 2],
    /// For each space, the mask that flips a set.
    pub flips: [Bits; 2],
}

/// Number of the space of lifted colourings.
const LIFTED: usize = 0;
/// Number of the space of covers.
const COVERED: usize = 1;

impl<C: Gather> RunBoards<'_, C> {
    /// Fills a tile from the source.
    #[inline(always)]
    pub fn gather<const S: usize, const N: usize, const A: usize, const K: usize>(&self, tile: &mut Tile<A, K>) {
        let (run, plan) = (self.run, self.plan);
        for stream in &run.wide {
            self.gather_stream::<S, A, K>(stream, tile);
        }
        for stream in &run.narrow {
            self.gather_stream::<N, A, K>(stream, tile);
        }
        self.gather_lower::<S, A, K>(tile);
        for stream in &run.mirrored {
            match plan.sources[stream.edge].width == S {
                true => self.gather_mirrored::<S, A, K>(stream, tile),
                false => self.gather_mirrored::<N, A, K>(stream, tile),
            }
        }
        for stream in &run.covers {
            let (boards, flip) = (self.source::<S>(stream.start, tile.boards()), self.flip::<K>(COVERED));
            let selection = stream.selection;
            for (lane, set) in lanes(boards) {
                tile.covers[stream.cover][lane] = flipped(gather::<C, S, K>(self.cpu, set, &selection), flip);
            }
        }
        for stream in &run.mirrored_covers {
            let (boards, flip) = (self.source::<S>(stream.start, 0..self.boards), self.flip::<K>(COVERED));
            let mirrors = &self.sweep.lifts.lower.mirrors(self.lower_sum)[tile.boards()];
            for (lane, &mirror) in lanes(mirrors) {
                let mirror = mirror as usize;
                let bits = gather::<C, S, K>(self.cpu, &boards[mirror], &stream.selection);
                let bits = self.swapped(COVERED, &run.from_mirror, mirror, bits);
                tile.covers[stream.cover][lane] = flipped(bits, flip);
            }
        }
    }

    #[inline(always)]
    fn gather_stream<const W: usize, const A: usize, const K: usize>(&self, stream: &Stream, tile: &mut Tile<A, K>) {
        let (boards, flip) = (self.source::<W>(stream.start, tile.boards()), self.flip::<A>(LIFTED));
        let selection = stream.selection;
        for (lane, set) in lanes(boards) {
            let bits = gather::<C, W, A>(self.cpu, set, &selection);
            tile.put(stream.cell, lane, flipped(bits, flip));
        }
    }

    #[inline(always)]
    fn gather_lower<const S: usize, const A: usize, const K: usize>(&self, tile: &mut Tile<A, K>) {
        let (lifts, flip) = (&self.sweep.lifts.lower, self.flip::<A>(LIFTED));
        let boards = self.source::<S>(self.run.lower[0], 0..self.sweep.layout.lower.len(self.lower_sum + 1));
        let selections = by_place(&self.plan.gather[self.run.upper_sum as usize..]);
        for cell in 0..lifts.cells() {
            let to = self.lower_cell(cell);
            for (lane, &raised) in lanes(&lifts.raised(self.lower_sum, cell)[tile.boards()]) {
                let mut bits = [0; A];
                if raised != Raised::FULL {
                    let selection = &selections[raised.place() % PLACES];
                    bits = flipped(gather::<C, S, A>(self.cpu, &boards[raised.number()], selection), flip);
                }
                tile.put(to, lane, bits);
            }
        }
    }

    #[inline(always)]
    fn gather_mirrored<const W: usize, const A: usize, const K: usize>(
        &self,
        stream: &MirroredStream,
        tile: &mut Tile<A, K>,
    ) {
        let (boards, flip) = (self.source::<W>(stream.start, 0..self.boards), self.flip::<A>(LIFTED));
        let mirrors = &self.sweep.lifts.lower.mirrors(self.lower_sum)[tile.boards()];
        for (lane, &mirror) in lanes(mirrors) {
            let mirror = mirror as usize;
            let bits = gather::<C, W, A>(self.cpu, &boards[mirror], &stream.selection);
            let bits = self.swapped(LIFTED, &self.run.from_mirror, mirror, bits);
            tile.put(stream.cell, lane, flipped(bits, flip));
        }
    }

    /// Adds the neighbour sets of a tile to the target.
    #[inline(always)]
    pub fn spread<const T: usize, const A: usize, const K: usize>(&self, tile: &Tile<A, K>, target: &mut [u64]) {
        let run = self.run;
        for stream in run.spread.iter().filter(|stream| self.any_near(tile, stream.cell)) {
            let boards = target_boards::<T>(target, stream.start, tile.boards());
            let selection = stream.selection;
            for (lane, to) in boards.iter_mut().enumerate().take(LANES) {
                spread::<C, T, A>(self.cpu, tile.near(stream.cell, lane), &selection, to);
            }
        }
        self.spread_lower::<T, A, K>(tile, target);
        for stream in run.mirrored_spread.iter().filter(|stream| self.any_near(tile, stream.cell)) {
            let near = |lane| tile.near(stream.cell, lane);
            self.spread_mirrored::<T, A>(stream.start, &stream.selection, LIFTED, tile.boards(), near, target);
        }
        if run.covers.is_empty() && run.mirrored_covers.is_empty() {
            return;
        }
        for stream in run.cover_spread.iter() {
            let boards = target_boards::<T>(target, stream.start, tile.boards());
            let selection = stream.selection;
            for (lane, to) in boards.iter_mut().enumerate().take(LANES) {
                spread::<C, T, K>(self.cpu, tile.covers[stream.cover][lane], &selection, to);
            }
        }
        self.spread_covers_below::<T, A, K>(tile, target);
        for CoverStream { cover, start, selection } in &run.mirrored_cover_spread {
            let bits = |lane: usize| tile.covers[*cover][lane];
            self.spread_mirrored::<T, K>(*start, selection, COVERED, tile.boards(), bits, target);
        }
    }

    #[inline(always)]
    fn spread_lower<const T: usize, const A: usize, const K: usize>(&self, tile: &Tile<A, K>, target: &mut [u64]) {
        let lifts = &self.sweep.lifts.lower;
        let boards = target_boards::<T>(target, self.run.lower[1], 0..self.sweep.layout.lower.len(self.lower_sum + 1));
        let selections = by_place(&self.plan.spread[self.run.upper_sum as usize..]);
        for cell in 0..lifts.cells() {
            let from = self.lower_cell(cell);
            if !self.any_near(tile, from) {
                continue;
            }
            for (lane, &raised) in lanes(&lifts.raised(self.lower_sum, cell)[tile.boards()]) {
                if raised != Raised::FULL {
                    let selection = &selections[raised.place() % PLACES];
                    let to = &mut boards[raised.number()];
                    spread::<C, T, A>(self.cpu, tile.near(from, lane), selection, to);
                }
            }
        }
    }

    /// Spreads covers to the lower part of the middle. It is adjacent to the bottom row and, if there is no upper part,
    /// to the top row.
    #[inline(always)]
    fn spread_covers_below<const T: usize, const A: usize, const K: usize>(
        &self,
        tile: &Tile<A, K>,
        target: &mut [u64],
    ) {
        let (layout, plan, run) = (self.sweep.layout, self.plan, self.run);
        let lifts = &self.sweep.lifts.lower;
        let next_row = match plan.target {
            Array::Losses => layout.lower.cells() - layout.columns,
            Array::Wins if layout.upper.cells() == 0 => 0,
            Array::Wins => return,
        };
        let boards = target_boards::<T>(target, run.lower[1], 0..layout.lower.len(self.lower_sum + 1));
        for (cover, covers) in plan.covers.iter().zip(&tile.covers) {
            let covers = &covers[..tile.boards().len()];
            if covers.iter().all(|bits| *bits == [0; K]) {
                continue;
            }
            let selections = by_place(&cover.middle[run.upper_sum as usize..]);
            for place in 0..layout.columns {
                if layout.by_place[place].abs_diff(layout.by_place[cover.place]) > 1 {
                    continue;
                }
                let cell = next_row + place;
                for (&raised, &covers) in lifts.raised(self.lower_sum, cell)[tile.boards()].iter().zip(covers) {
                    if raised != Raised::FULL {
                        let selection = &selections[raised.place() % PLACES];
                        spread::<C, T, K>(self.cpu, covers, selection, &mut boards[raised.number()]);
                    }
                }
            }
        }
    }

    /// Whether a neighbour set may be non-empty. A complement is nearly always non-empty, so it is not tested.
    #[inline(always)]
    fn any_near<const A: usize, const K: usize>(&self, tile: &Tile<A, K>, cell: usize) -> bool {
        self.sweep.flip != 0 || tile.any_near(cell)
    }

    /// Spreads one set per board to the mirror images of the boards.
    #[inline(always)]
    fn spread_mirrored<const T: usize, const A: usize>(
        &self,
        start: usize,
        selection: &Selection,
        space: usize,
        boards: Range<usize>,
        bits: impl Fn(usize) -> [u64; A],
        target: &mut [u64],
    ) {
        let mirrors = self.sweep.lifts.lower.mirrors(self.lower_sum);
        let targets = target_boards::<T>(target, start, 0..self.boards);
        for (lane, (board, &mirror)) in boards.clone().zip(&mirrors[boards]).enumerate() {
            let bits = self.swapped(space, &self.run.to_mirror, board, bits(lane));
            spread::<C, T, A>(self.cpu, bits, selection, &mut targets[mirror as usize]);
        }
    }

    /// Permutes a set from the piece order of a board to that of its mirror image. `lower` is the rank of the lower
    /// part before.
    #[inline(always)]
    fn swapped<const A: usize>(&self, space: usize, swaps: &Swaps, lower: usize, mut bits: [u64; A]) -> [u64; A] {
        // The empty and the full set are invariant.
        if bits == [0; A] || bits == self.flip(space) {
            return bits;
        }
        let Some(space) = self.spaces[space] else { return bits };
        for &piece in &swaps.fixed {
            space.swap(self.cpu, &mut bits, piece);
        }
        for &piece in self.sweep.lifts.lower.swaps(self.lower_sum, lower) {
            space.swap(self.cpu, &mut bits, swaps.lower + piece);
        }
        bits
    }

    /// Returns the tile cell of a cell of the lower part.
    #[inline(always)]
    fn lower_cell(&self, cell: usize) -> usize {
        let layout = self.sweep.layout;
        let first_row = layout.rows - 1 - layout.lower.cells() / layout.columns;
        cell_at(first_row + cell / layout.columns, layout.by_place[cell % layout.columns])
    }

    /// Returns some boards of the source.
    #[inline(always)]
    fn source<const W: usize>(&self, start: usize, boards: Range<usize>) -> &[[u64; W]] {
        self.sweep.source[start + boards.start * W..start + boards.end * W].as_chunks().0
    }

    /// Returns the mask that flips a set of a space.
    #[inline(always)]
    fn flip<const A: usize>(&self, space: usize) -> [u64; A] {
        std::array::from_fn(|word| self.flips[space][word])
    }
}

/// Returns some boards of the target.
#[inline(always)]
fn target_boards<const T: usize>(target: &mut [u64], start: usize, boards: Range<usize>) -> &mut [[u64; T]] {
    target[start + boards.start * T..start + boards.end * T].as_chunks_mut().0
}

/// Selections per place of a piece in the lower part: at most ten, rounded up to a power of two so that indices need
/// no bounds check.
const PLACES: usize = 16;

/// Copies selections into a table that any place below [`PLACES`] indexes.
#[inline(always)]
fn by_place(selections: &[Selection]) -> [Selection; PLACES] {
    let mut all = [Selection::default(); PLACES];
    all.iter_mut().zip(selections).for_each(|(to, from)| *to = *from);
    all
}

/// Numbers the items of a tile by lane.
#[inline(always)]
fn lanes<T>(items: &[T]) -> impl Iterator<Item = (usize, &T)> {
    items.iter().enumerate().take(LANES)
}

#[inline(always)]
fn flipped<const A: usize>(bits: [u64; A], flip: [u64; A]) -> [u64; A] {
    std::array::from_fn(|word| bits[word] ^ flip[word])
}

#[inline(always)]
fn wide<const A: usize>(bits: [u64; A]) -> u128 {
    bits.iter().rev().fold(0, |all, &word| all << 64 | u128::from(word))
}

#[inline(always)]
fn narrowed<const A: usize>(bits: u128) -> [u64; A] {
    std::array::from_fn(|word| (bits >> (64 * word)) as u64)
}

/// [`Selection::gather`], with a fast path for sets of one word.
#[inline(always)]
fn gather<C: Gather, const W: usize, const A: usize>(cpu: C, set: &[u64; W], selection: &Selection) -> [u64; A] {
    if A > 1 {
        return narrowed(selection.gather(cpu, set));
    }
    let mut bits = [0; A];
    for (word, members) in set.iter().enumerate() {
        bits[0] |= cpu.pext(*members, selection.mask[word]) << shift(selection, word);
    }
    bits
}

/// [`Selection::spread`], with a fast path for sets of one word.
#[inline(always)]
fn spread<C: Gather, const T: usize, const A: usize>(cpu: C, bits: [u64; A], selection: &Selection, to: &mut [u64; T]) {
    if A > 1 {
        return selection.spread(cpu, wide(bits), to);
    }
    for (word, target) in to.iter_mut().enumerate() {
        *target |= cpu.pdep(bits[0] >> shift(selection, word), selection.mask[word]);
    }
}

/// Returns the shift of a word's bits within a one-word set. A set with bits in its first word has them nowhere else.
#[inline(always)]
fn shift(selection: &Selection, word: usize) -> u8 {
    if word == 0 { 0 } else { selection.shift[word] & 63 }
}
