//! Positions by the fewest plies from the start.
//!
//! A position is a board with a forbidden move, but a board needs no more memory than for two arrivals. All positions
//! of a board have the same moves but one each: whoever arrives first plays all moves but the forbidden one, and the
//! next arrival with another forbidden move, or with none, adds the one that was left out. Nobody after adds anything.
//!
//! A forbidden move names the board before, so each such position is arrived at by one move of one board and is new;
//! positions without one are told apart by their bit.
//!
//! What if forbidden moves are played all the same, as in the published table 3? They lead back to where one came from,
//! so no board is found earlier; and what they lead to is a position with a forbidden move of its own, found once. So
//! one search counts both ways: a move that is left out counts at once for the one, and when it is made up for, in the
//! layer of the second arrival, for the other.

mod seen;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use kanzen::machine::cpu::{Gather, Work, dispatch};
use kanzen::machine::{self, AtomicWords, prefetch};
use kanzen::progress::Observer;
use kanzen::solve::layers::{Marks, breadth_first};
use kanzen::{Budget, Error, Game};
use serde::Serialize;

use crate::ostle::board::{ALL, Board, back, squares, step};
use crate::ostle::index::{CanonicalSlot, Found};
use crate::ostle::ko::Ko;
use crate::ostle::moves::{Effect, Move};
use crate::ostle::rules::Ostle;
use crate::ostle::solve::{GroupClass, all_classes, class_at, one_after_the_other};
use crate::ostle::symmetry::image;
use seen::{Arrival, Seen};

/// How many positions are at each distance from the initial one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached {
    /// As the rule says.
    pub honoured: Vec<u64>,
    /// Where forbidden moves are played all the same: the published table 3.
    pub ignored: Vec<u64>,
}

const BLOCK_BITS: u32 = 12;
const RING: usize = 32;

struct Search<'g> {
    game: &'g Ostle,
    classes: Vec<GroupClass>,
    slots: u32,
    /// Two boards to a word.
    words: AtomicWords,
    marks: Marks,
}

/// How many positions are at each distance from the initial one, up to symmetry, to layer `depth` or to the last.
pub fn reach(game: &Ostle, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reached, Error> {
    let (classes, slots) = one_after_the_other(all_classes(game))?;
    budget.allows("the layers", 2 * u64::from(slots))?;
    let words = AtomicWords::zeroed("the layers", slots.div_ceil(2) as usize)?;
    let marks = Marks::new((slots as usize).div_ceil(1 << BLOCK_BITS));
    let search = Search { game, classes, slots, words, marks };
    machine::pool(budget.threads)?.install(|| {
        let start = search.place(&game.initial().board);
        search.arrive(start.slot, 0, Arrival::FREE);
        let [honoured, ignored] = breadth_first(&search.marks, [1, 1], depth, observer, |blocks, layer| {
            dispatch(Share { search: &search, blocks, layer: layer as u16 })
        })?;
        Ok(Reached { honoured, ignored })
    })
}

impl Search<'_> {
    #[inline(always)]
    fn class_of(&self, pieces: (u32, u32)) -> &GroupClass {
        self.classes.iter().find(|class| class.index.pieces() == pieces).expect("a class of the game")
    }

    #[inline(always)]
    fn find<B: Gather>(&self, bits: B, board: &Board) -> Found {
        let class = self.class_of((board.mover.count_ones(), board.opponent.count_ones()));
        let found = class.index.find(bits, board);
        Found { slot: found.slot + class.base, ..found }
    }

    fn place(&self, board: &Board) -> CanonicalSlot {
        let class = self.class_of((board.mover.count_ones(), board.opponent.count_ones()));
        let place = class.index.place(board);
        CanonicalSlot { slot: place.slot + class.base, ..place }
    }

    fn half(&self, slot: u32) -> (&AtomicU32, u32) {
        (&self.words[slot as usize / 2], 16 * (slot & 1))
    }

    /// Notes an arrival and tells how many positions are new by it.
    #[inline(always)]
    fn arrive(&self, slot: u32, layer: u16, arrival: Arrival) -> u64 {
        let (word, shift) = self.half(slot);
        let mut now = word.load(Relaxed);
        loop {
            let before = Seen((now >> shift) as u16);
            let after = before.after(layer, arrival);
            let new = u64::from(!arrival.free || before.free() == 0);
            if after == before {
                return new;
            }
            let next = now & !(0xffff << shift) | u32::from(after.0) << shift;
            match word.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) => {
                    self.marks.set((slot >> BLOCK_BITS) as usize, u32::from(layer));
                    return new;
                }
                Err(other) => now = other,
            }
        }
    }

    /// All moves of an irregular board, each way to arrive once, and whether the move is forbidden.
    fn expand_irregular(&self, slot: u32, board: &Board, forbidden: u8, visit: &mut dyn FnMut(u32, Arrival, bool)) {
        let mut known = Vec::new();
        board.each_move_and_back(true, |mv, next, effect, way_back| {
            if !self.goes_on(board, effect) {
                return;
            }
            let found = self.place(&next);
            let is_forbidden = forbidden != 0 && mv.number(board) == forbidden;
            let child = next.under(found.symmetry);
            let arrival = match self.game.ko() {
                Ko::Literal => way_back.map_or(Arrival::FREE, |back| arrival_by(&child, back.under(found.symmetry))),
                Ko::Symmetric => self.symmetric_arrival(slot, &child),
            };
            // Two moves of a symmetric board that mirror each other arrive at one position.
            let key = way_back.map(|back| smallest_number(&child, back.under(found.symmetry)));
            let key = (found.slot, if self.game.ko() == Ko::Literal { key } else { None });
            if !known.contains(&key) {
                known.push(key);
                visit(found.slot, arrival, is_forbidden);
            }
        });
    }

    /// A ban makes a difference if one move alone leads back to the board of a slot.
    fn symmetric_arrival(&self, slot: u32, child: &Board) -> Arrival {
        let mut back = Vec::new();
        child.each_move(|mv, after, effect| {
            if matches!(effect, Effect::Quiet { .. }) && self.place(&after).slot == slot {
                back.push(mv.number(child).into());
            }
        });
        Arrival { free: back.is_empty(), forbidden: if let [alone] = back[..] { alone } else { 0 } }
    }

    /// Whether a move with this effect does not end the game.
    #[inline(always)]
    fn goes_on(&self, board: &Board, effect: Effect) -> bool {
        let least = self.game.army().least;
        match effect {
            Effect::Quiet { .. } => true,
            Effect::Capture => board.opponent.count_ones() > least,
            Effect::Suicide => board.mover.count_ones() > least,
        }
    }
}

/// The arrival at a board by a move that can be taken back: a ban on a move with mirror images makes no difference.
fn arrival_by(child: &Board, way_back: Move) -> Arrival {
    let images: Vec<Move> = (0..8).filter(|&s| child.under(s) == *child).map(|s| way_back.under(s)).collect();
    let alone = images.iter().all(|&image| image == way_back);
    Arrival { free: false, forbidden: if alone { way_back.number(child).into() } else { 0 } }
}

/// The smallest number of a move and its images under the symmetries of its board.
fn smallest_number(board: &Board, mv: Move) -> u8 {
    let images = (0..8).filter(|&s| board.under(s) == *board).map(|s| mv.under(s).number(board));
    images.min().expect("the identity is one")
}

/// A thread's share of a layer.
struct Share<'s, 'g> {
    search: &'s Search<'g>,
    blocks: &'s [usize],
    layer: u16,
}

impl Work for Share<'_, '_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> [u64; 2] {
        let Share { search, blocks, layer } = self;
        let mut arrivals = Arrivals {
            search,
            layer: layer + 1,
            ring: [(0, Arrival::FREE); RING],
            sent: 0,
            done: 0,
            new: 0,
            left_out: 0,
            made_up_for: 0,
        };
        for &block in blocks {
            let first = (block as u32) << BLOCK_BITS;
            for slot in first..search.slots.min(first + (1 << BLOCK_BITS)) {
                let (word, shift) = search.half(slot);
                let seen = Seen((word.load(Relaxed) >> shift) as u16);
                let (now, later) = (seen.first() == layer + 1, seen.second() == layer + 1);
                if now || later {
                    expand(bits, search, slot, seen.forbidden() as u8, later, &mut arrivals);
                }
            }
        }
        while arrivals.done < arrivals.sent {
            arrivals.deliver();
        }
        [arrivals.new, arrivals.new + arrivals.left_out - arrivals.made_up_for]
    }
}

#[inline(always)]
fn expand<B: Gather>(
    bits: B,
    search: &Search<'_>,
    slot: u32,
    forbidden: u8,
    only: bool,
    arrivals: &mut Arrivals<'_, '_>,
) {
    let class = class_at(&search.classes, slot);
    let strip = class.index.strip(class.index.strip_of(slot - class.base));
    let board = class.index.board_in(bits, &strip, slot - class.base);
    if search.game.ko().is_irregular(&board, class.index.is_symmetric(&strip, &board)) {
        return search.expand_irregular(slot, &board, forbidden, &mut |slot, arrival, is_forbidden| {
            if is_forbidden {
                arrivals.forbidden(slot, arrival, only);
            } else if !only {
                arrivals.push(slot, arrival);
            }
        });
    }
    let children = search.class_of((board.opponent.count_ones(), board.mover.count_ones()));
    let row = children.index.row(strip.hole_number, board.opponent);
    // One call, so that it is inlined and compiled for the processor at hand like the rest.
    board.each_move_and_back(row.is_none(), |mv, next, effect, way_back| {
        let is_forbidden = forbidden != 0 && mv.number(&board) == forbidden;
        if only && !is_forbidden || !search.goes_on(&board, effect) {
            return;
        }
        let found = search.find(bits, &next);
        let arrival = match way_back {
            None => Arrival::FREE,
            Some(back) if found.in_symmetric_row => arrival_by(&next.under(found.symmetry), back.under(found.symmetry)),
            Some(back) => Arrival { free: false, forbidden: found.number(back, back.from == next.hole).into() },
        };
        if is_forbidden {
            arrivals.forbidden(found.slot, arrival, only);
        } else {
            arrivals.push(found.slot, arrival);
        }
    });
    // No step can be taken back, so none is ever forbidden.
    if let Some(row) = row.filter(|_| !only) {
        // Turned as the other side's pieces lie in their row, every step leads to a board of that row.
        let mover = image(row.symmetry, board.mover);
        let empty = ALL & !(mover | row.mover | board.pit());
        for direction in 0..4 {
            for from in squares(mover & step(empty, back(direction))) {
                let from = 1 << from;
                let after = mover ^ from ^ step(from, direction);
                arrivals.push(row.slot(bits, after) + children.base, Arrival::FREE);
            }
        }
    }
}

/// Arrivals under way to words that are being fetched.
struct Arrivals<'s, 'g> {
    search: &'s Search<'g>,
    layer: u16,
    ring: [(u32, Arrival); RING],
    sent: usize,
    done: usize,
    new: u64,
    /// Forbidden moves that were left out, and those that another position of their board has played since.
    left_out: u64,
    made_up_for: u64,
}

impl Arrivals<'_, '_> {
    #[inline(always)]
    fn push(&mut self, slot: u32, arrival: Arrival) {
        prefetch(&self.search.words[slot as usize / 2]);
        if self.sent - self.done == RING {
            self.deliver();
        }
        self.ring[self.sent % RING] = (slot, arrival);
        self.sent += 1;
    }

    /// A move that is forbidden to whoever arrived first, in the layer of that arrival or of a second one.
    #[inline(always)]
    fn forbidden(&mut self, slot: u32, arrival: Arrival, second: bool) {
        debug_assert!(!arrival.free, "what can be forbidden can be taken back");
        if second {
            self.made_up_for += 1;
            self.push(slot, arrival);
        } else {
            self.left_out += 1;
        }
    }

    #[inline(always)]
    fn deliver(&mut self) {
        let (slot, arrival) = self.ring[self.done % RING];
        self.done += 1;
        self.new += self.search.arrive(slot, self.layer, arrival);
    }
}
