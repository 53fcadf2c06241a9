//! The work on one tile of a run: what is gathered from where, what is spread to where.
//!
//! The piece stands on a cell of the top row, of the upper part or of the bottom row, where the boards come in the order of
//! the run; or in the lower part, where a table tells their numbers; or on a row whose mirror image is kept: there a set is
//! brought from the order of one image into that of the other while it is smallest, without the lifted piece.

use std::ops::Range;

use kanzen::machine::cpu::Gather;

use super::kernel::Sweep;
use super::lifts::Raised;
use super::plan::Plan;
use super::run::{CoverStream, MirroredStream, Run, Stream, Swaps};
use super::tile::{LANES, Tile, cell_at};
use crate::nocca::index::colouring::{Bits, Selection, Space};
use crate::nocca::index::layout::Array;

/// The boards of a run.
pub struct RunBoards<'a, C> {
    /// How bits are gathered.
    pub cpu: C,
    /// What all slabs share.
    pub sweep: &'a Sweep<'a>,
    /// What all runs of a slab share.
    pub plan: &'a Plan,
    /// The run.
    pub run: &'a Run,
    /// Pieces of the lower part.
    pub lower_sum: u32,
    /// How many boards the run has.
    pub boards: usize,
    /// The spaces of lifted colourings, and of those of covers.
    pub spaces: [Option<&'a Space>; 2],
    /// What a set of each is exchanged with to be flipped.
    pub flips: [Bits; 2],
}

/// The number of the space of lifted colourings.
const LIFTED: usize = 0;
/// The number of the space of the colourings of covers.
const COVERED: usize = 1;

impl<C: Gather> RunBoards<'_, C> {
    /// Fills the boards of a tile from the source: `S` words a board, `N` with one more stack in the guarded row.
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
                if raised != Raised::NO_ROOM {
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

    /// Adds what is next to the cells of a tile to the target, `T` words a board.
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
                if raised != Raised::NO_ROOM {
                    let selection = &selections[raised.place() % PLACES];
                    let to = &mut boards[raised.number()];
                    spread::<C, T, A>(self.cpu, tile.near(from, lane), selection, to);
                }
            }
        }
    }

    /// Covers that go to the lower part of the middle: it is next to the bottom row, and to the top row if there is no
    /// upper part.
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
                    if raised != Raised::NO_ROOM {
                        let selection = &selections[raised.place() % PLACES];
                        spread::<C, T, K>(self.cpu, covers, selection, &mut boards[raised.number()]);
                    }
                }
            }
        }
    }

    /// Whether there may be something next to a cell: where most is in a set, it is not worth a look.
    #[inline(always)]
    fn any_near<const A: usize, const K: usize>(&self, tile: &Tile<A, K>, cell: usize) -> bool {
        self.sweep.flip != 0 || tile.any_near(cell)
    }

    /// Spreads sets, one for each of the boards, to the mirror images of them.
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

    /// Brings a set into the order of the mirror image; `lower` is the lower part in the order it has now.
    #[inline(always)]
    fn swapped<const A: usize>(&self, space: usize, swaps: &Swaps, lower: usize, mut bits: [u64; A]) -> [u64; A] {
        // Nothing and everything stay what they are.
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

    /// The cell of a tile for a cell of the lower part.
    #[inline(always)]
    fn lower_cell(&self, cell: usize) -> usize {
        let layout = self.sweep.layout;
        let first_row = layout.rows - 1 - layout.lower.cells() / layout.columns;
        cell_at(first_row + cell / layout.columns, layout.by_place[cell % layout.columns])
    }

    /// Some boards of the source.
    #[inline(always)]
    fn source<const W: usize>(&self, start: usize, boards: Range<usize>) -> &[[u64; W]] {
        self.sweep.source[start + boards.start * W..start + boards.end * W].as_chunks().0
    }

    /// What a set of a space is exchanged with to be flipped.
    #[inline(always)]
    fn flip<const A: usize>(&self, space: usize) -> [u64; A] {
        std::array::from_fn(|word| self.flips[space][word])
    }
}

/// Some boards of the target.
#[inline(always)]
fn target_boards<const T: usize>(target: &mut [u64], start: usize, boards: Range<usize>) -> &mut [[u64; T]] {
    target[start + boards.start * T..start + boards.end * T].as_chunks_mut().0
}

/// Room for a selection of each place among the pieces of the lower part: at most ten, and a power of two.
const PLACES: usize = 16;

/// Selections by place, as many as there are, where no place is out of bounds.
#[inline(always)]
fn by_place(selections: &[Selection]) -> [Selection; PLACES] {
    let mut all = [Selection::default(); PLACES];
    all.iter_mut().zip(selections).for_each(|(to, from)| *to = *from);
    all
}

/// Something for each lane of a tile, with its number.
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

/// As [`Selection::gather`], into one word where one is enough.
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

/// As [`Selection::spread`], from one word where one is enough.
#[inline(always)]
fn spread<C: Gather, const T: usize, const A: usize>(cpu: C, bits: [u64; A], selection: &Selection, to: &mut [u64; T]) {
    if A > 1 {
        return selection.spread(cpu, wide(bits), to);
    }
    for (word, target) in to.iter_mut().enumerate() {
        *target |= cpu.pdep(bits[0] >> shift(selection, word), selection.mask[word]);
    }
}

/// How far the bits of a word are from the first, where all are in one word. Those of the first are nowhere else.
#[inline(always)]
fn shift(selection: &Selection, word: usize) -> u8 {
    if word == 0 { 0 } else { selection.shift[word] & 63 }
}
