//! The sweep of one lifted slab: gather, neighbours, spread.
//!
//! The lifted boards of a run differ in the lower part of the middle only, and stand in the order of its numbers. With
//! the piece put anywhere else the boards are again in that order, one after the other; with the piece in the lower
//! part a table tells the number:
//!
//! ```text
//! piece on the top row     -------->           tile of sets, a cell each       -------->
//!          the upper part  -------->           . . o . .                       -------->   the same places
//!          the lower part  -> table ->         . o x o .   or of neighbours    -> table ->
//!          the bottom row  -------->           . . o . .                       -------->
//! ```
//!
//! A run is swept tile by tile, and a tile cell by cell: which colourings take part is the same for all its boards.
//! One kernel serves both arrays and all sizes: the words of a set (4, 2 or 1) are constants of the compiled copies.

use kanzen::machine::cpu::{Gather, Isa, Work, dispatch_on};

use super::boards::RunBoards;
use super::lifts::Lifts;
use super::plan::Plan;
use super::run::Run;
use super::tile::{LANES, Tile};
use crate::nocca::index::colouring::{MOST_WORDS, Space};
use crate::nocca::index::layout::Layout;

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
        // Where a cover takes two words, the guarded row has one stack and the goal row none.
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
    /// `S` words a board of the source, `N` with one more stack in the guarded row, `T` in the target, `A` a lifted set,
    /// `K` one of a cover.
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
                run.without_room.iter().for_each(|&cell| tile.clear(cell));
                for first_board in (0..boards).step_by(LANES) {
                    tile.take(first_board, boards);
                    boards_of.gather::<S, N, A, K>(&mut tile);
                    tile.meet(isa, layout.rows);
                    boards_of.spread::<T, A, K>(&tile, target);
                }
            }
        }
    }
}
