//! The published method: one value per position, in full sweeps until nothing changes.
//!
//! A bit-vector of boards x 25 marks the positions: bit 0 for a board without a forbidden move, bit n with move number
//! n forbidden. A dictionary over it ranks each position into the array of values. It uses no un-moves, no counts of
//! open moves and no special boards, so it is slow and an independent check of the engine. It covers only the class
//! with the fewest pieces, from which no move leads to another class.
//!
//! Reference: Takizawa, Complete Analysis of Board Game "Ostle".

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use kanzen_core::index::Dictionary;
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use rayon::prelude::*;

use kanzen_games::ostle::Ostle;
use kanzen_games::ostle::board::Board;
use kanzen_games::ostle::index::ClassIndex;
use kanzen_games::ostle::ko::{Ko, may_be_twisted};
use kanzen_games::ostle::moves::{Effect, Move};

/// Bits per board.
const BITS: u64 = 25;
/// Boards in a task.
const SHARE: usize = 4096;

/// The class with the fewest pieces, solved position by position.
pub struct ByPositions<'g> {
    game: &'g Ostle,
    index: ClassIndex,
    positions: Dictionary,
    levels: Vec<AtomicU8>,
}

impl<'g> ByPositions<'g> {
    /// Lists the positions, without those of boards with an immediate win.
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

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.positions.len()
    }

    /// The index of the boards.
    pub fn index(&self) -> &ClassIndex {
        &self.index
    }

    /// The level of a board with the move of a number forbidden, or with none for 0; `None` if it is not a position.
    pub fn level(&self, slot: u32, forbidden: u8) -> Option<u8> {
        let place = self.positions.rank(u64::from(slot) * BITS + u64::from(forbidden))?;
        Some(self.levels[place as usize].load(Relaxed))
    }

    /// Sweeps until nothing changes; `swept` receives the level of each sweep and the number of positions that it
    /// decided.
    pub fn solve(&self, mut swept: impl FnMut(u8, u64)) {
        // Boards whose positions are all decided leave the list.
        let mut open: Vec<u32> = (0..self.index.slots())
            .into_par_iter()
            .filter(|&slot| !self.game.wins_at_once(&self.index.board(slot)))
            .collect();
        let mut idle = 0;
        for level in 2..=u8::MAX {
            let decided: u64 =
                open.par_chunks(SHARE).map(|slots| dispatch(Sweep { positions: self, slots, level })).sum();
            swept(level, decided);
            // Wins and losses alternate: two sweeps without a change are the end.
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
    fn sweep_board<B: Gather>(&self, bits: B, slot: u32, level: u8, moves: &mut Vec<(u8, u32, u8)>) -> u64 {
        moves.clear();
        each_child(bits, self.game, &self.index, slot, |mv, child, forbidden| {
            // A child with an immediate win is not a listed position: its level is 1.
            let theirs = forbidden.and_then(|forbidden| self.level(child, forbidden)).unwrap_or(1);
            // A value decided in this sweep does not count yet.
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

/// Marks the positions that the moves of a board lead to.
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

/// A task of a sweep.
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
        self.slots.iter().map(|&slot| self.positions.sweep_board(bits, slot, self.level, &mut moves)).sum()
    }
}

/// Generates the quiet moves of a board: its number, the slot of the child, and the number of the move that is
/// forbidden there, 0 for none; `None` if the child has an immediate win.
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

/// The first move that leads to a copy of the board of a slot, like algorithm 2 of the paper.
fn first_way_back(index: &ClassIndex, child: &Board, slot: u32) -> u8 {
    let mut first: Option<Move> = None;
    child.each_move(|mv, after, effect| {
        if first.is_none() && matches!(effect, Effect::Quiet { .. }) && index.place(&after).slot == slot {
            first = Some(mv);
        }
    });
    first.map_or(0, |mv| mv.number(child))
}
