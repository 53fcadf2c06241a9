//! The published way: one value for each board and forbidden move, in sweeps until nothing changes.
//!
//! A bit-vector over boards x 25 says which positions there are: bit 0 of a board without a forbidden move, bit n with
//! the move of number n forbidden. A dictionary over it gives each its place in the array of values. No un-moves, no
//! counting of open moves, no boards apart: slow, and a check of the other way. For the class with the fewest pieces
//! only, from which no move leads to another class.
//!
//! Reference: Takizawa, Complete Analysis of Board Game "Ostle".

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use kanzen::index::Dictionary;
use kanzen::machine::cpu::{Gather, Work, dispatch};
use rayon::prelude::*;

use crate::ostle::board::Board;
use crate::ostle::index::ClassIndex;
use crate::ostle::ko::{Ko, may_be_twisted};
use crate::ostle::moves::{Effect, Move};
use crate::ostle::rules::Ostle;

/// Bits for each board.
const BITS: u64 = 25;
/// Boards that a thread sweeps at a time.
const SHARE: usize = 4096;

/// The class with the fewest pieces, solved position by position.
pub struct ByPositions<'g> {
    game: &'g Ostle,
    index: ClassIndex,
    positions: Dictionary,
    levels: Vec<AtomicU8>,
}

impl<'g> ByPositions<'g> {
    /// Lists the positions. Those of boards that are won at once are left out.
    pub fn new(game: &'g Ostle) -> ByPositions<'g> {
        let least = game.army().least;
        let index = ClassIndex::new(least, least);
        let universe = u64::from(index.slots()) * BITS;
        let listed: Vec<AtomicU64> = (0..universe.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        (0..index.slots())
            .into_par_iter()
            .for_each(|slot| dispatch(List { game, index: &index, slot, listed: &listed }));
        let positions = Dictionary::from_bits(listed.into_iter().map(AtomicU64::into_inner).collect(), universe);
        let levels = (0..positions.len()).map(|_| AtomicU8::new(0)).collect();
        ByPositions { game, index, positions, levels }
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.positions.len()
    }

    /// The numbering of the boards.
    pub fn index(&self) -> &ClassIndex {
        &self.index
    }

    /// The level of a position, if it is one: of a board, with the move of a number forbidden, or none for 0.
    pub fn level(&self, slot: u32, forbidden: u8) -> Option<u8> {
        let place = self.positions.rank(u64::from(slot) * BITS + u64::from(forbidden))?;
        Some(self.levels[place as usize].load(Relaxed))
    }

    /// Sweeps until nothing changes; `swept` hears of each sweep how many positions it decided.
    pub fn solve(&self, mut swept: impl FnMut(u8, u64)) {
        // A board none of whose positions is open has nothing more to learn.
        let mut open: Vec<u32> = (0..self.index.slots())
            .into_par_iter()
            .filter(|&slot| !self.game.wins_at_once(&self.index.board(slot)))
            .collect();
        let mut idle = 0;
        for level in 2..=u8::MAX {
            let decided: u64 =
                open.par_chunks(SHARE).map(|slots| dispatch(Sweep { positions: self, slots, level })).sum();
            swept(level, decided);
            // Wins and losses alternate: two sweeps without news are the end.
            idle = if decided == 0 { idle + 1 } else { 0 };
            if idle == 2 {
                break;
            }
            open = open.into_par_iter().filter(|&slot| self.is_open(slot)).collect();
        }
    }

    fn is_open(&self, slot: u32) -> bool {
        (0..BITS as u8).any(|forbidden| self.level(slot, forbidden) == Some(0))
    }

    /// Decides the positions of a board that are won or lost in exactly `level` plies.
    #[inline(always)]
    fn look_at<B: Gather>(&self, bits: B, slot: u32, level: u8, moves: &mut Vec<(u8, u32, u8)>) -> u64 {
        moves.clear();
        each_child(bits, self.game, &self.index, slot, |mv, child, forbidden| {
            // A child that is won at once is no listed position: its level is 1.
            let theirs = forbidden.and_then(|forbidden| self.level(child, forbidden)).unwrap_or(1);
            // What is decided in this very sweep does not count yet.
            moves.push((mv, child, if theirs < level { theirs } else { 0 }));
        });
        let mut decided = 0;
        for forbidden in 0..BITS as u8 {
            if self.level(slot, forbidden) != Some(0) {
                continue;
            }
            let left = moves.iter().filter(|&&(mv, _, _)| mv != forbidden);
            let theirs = left.map(|&(_, _, theirs)| theirs);
            let value = match theirs.clone().filter(|theirs| *theirs != 0 && theirs & 1 == 0).min() {
                Some(lost) => lost + 1,
                None if theirs.clone().all(|theirs| theirs & 1 == 1) => theirs.max().map_or(0, |won| won + 1),
                None => 0,
            };
            if value == level {
                let place = self.positions.rank(u64::from(slot) * BITS + u64::from(forbidden)).expect("it is listed");
                self.levels[place as usize].store(level, Relaxed);
                decided += 1;
            }
        }
        decided
    }
}

/// The positions that the moves of a board lead to.
struct List<'p> {
    game: &'p Ostle,
    index: &'p ClassIndex,
    slot: u32,
    listed: &'p [AtomicU64],
}

impl Work for List<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        each_child(bits, self.game, self.index, self.slot, |_, child, forbidden| {
            if let Some(forbidden) = forbidden {
                let bit = u64::from(child) * BITS + u64::from(forbidden);
                self.listed[(bit / 64) as usize].fetch_or(1 << (bit % 64), Relaxed);
            }
        });
    }
}

/// A thread's share of a sweep.
struct Sweep<'p, 'g> {
    positions: &'p ByPositions<'g>,
    slots: &'p [u32],
    level: u8,
}

impl Work for Sweep<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> u64 {
        let mut moves = Vec::with_capacity(24);
        self.slots.iter().map(|&slot| self.positions.look_at(bits, slot, self.level, &mut moves)).sum()
    }
}

/// Each quiet move of a board: its number, the slot of the child, and the number of the move that is forbidden there, 0
/// for none; nothing if the child is won at once.
#[inline(always)]
fn each_child<B: Gather>(
    bits: B,
    game: &Ostle,
    index: &ClassIndex,
    slot: u32,
    mut visit: impl FnMut(u8, u32, Option<u8>),
) {
    let board = index.board(slot);
    board.each_move_and_back(true, |mv, next, effect, way_back| {
        if !matches!(effect, Effect::Quiet { .. }) {
            return;
        }
        let found = index.find(bits, &next);
        if game.wins_at_once(&next) {
            return visit(mv.number(&board), found.slot, None);
        }
        let child = || next.under(found.symmetry);
        let twisted = || may_be_twisted(&next) || found.in_symmetric_row && next.is_symmetric();
        let forbidden = match way_back {
            _ if game.ko() == Ko::Symmetric && twisted() => first_way_back(index, &child(), slot),
            None => 0,
            Some(back) => back.under(found.symmetry).number(&child()),
        };
        visit(mv.number(&board), found.slot, Some(forbidden));
    });
}

/// The first move that leads to a copy of the board of a slot, as the published algorithm 2 finds it.
fn first_way_back(index: &ClassIndex, child: &Board, slot: u32) -> u8 {
    let mut first: Option<Move> = None;
    child.each_move(|mv, after, effect| {
        if first.is_none() && matches!(effect, Effect::Quiet { .. }) && index.place(&after).slot == slot {
            first = Some(mv);
        }
    });
    first.map_or(0, |mv| mv.number(child))
}
