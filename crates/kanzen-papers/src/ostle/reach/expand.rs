//! Generates the moves of a board and delivers the arrivals at its children.

use kanzen_core::machine::cpu::Gather;

use super::seen::Visit;
use super::{Boards, Search, arrival_by};
use kanzen_games::ostle::board::{ALL, back, image, squares, step};
use kanzen_games::ostle::class_at;

/// Arrivals in flight: enough to hide the latency of memory.
const RING: usize = 32;

/// Plays the moves of a board: all but the forbidden one, or, with `only`, that one.
#[inline(always)]
pub fn expand<B: Gather, M: Boards>(
    bits: B,
    search: &Search<'_>,
    slot: u32,
    forbidden: u8,
    only: bool,
    arrivals: &mut Arrivals<'_, M>,
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
    // A single call, so that it is inlined and compiled for this processor's instructions.
    board.each_move_and_back(row.is_none(), |mv, next, effect, way_back| {
        let is_forbidden = forbidden != 0 && mv.number(&board) == forbidden;
        if only && !is_forbidden || !search.goes_on(&board, effect) {
            return;
        }
        let found = search.find(bits, &next);
        let arrival = match way_back {
            None => Visit::FREE,
            Some(back) if found.in_symmetric_row => arrival_by(&next.under(found.symmetry), back.under(found.symmetry)),
            Some(back) => Visit { free: false, forbidden: found.number(back, back.from == next.hole).into() },
        };
        if is_forbidden {
            arrivals.forbidden(found.slot, arrival, only);
        } else {
            arrivals.push(found.slot, arrival);
        }
    });
    // A step is never reversible, so it is never forbidden.
    if let Some(row) = row.filter(|_| !only) {
        // In the orientation of the row, every step leads to a board of that row.
        let mover = image(row.symmetry, board.mover);
        let empty = ALL & !(mover | row.mover | board.pit());
        for direction in 0..4 {
            for from in squares(mover & step(empty, back(direction))) {
                let from = 1 << from;
                let after = mover ^ from ^ step(from, direction);
                arrivals.push(row.slot(bits, after) + children.base, Visit::FREE);
            }
        }
    }
}

/// Arrivals in flight to words that are being prefetched.
pub struct Arrivals<'b, M> {
    boards: &'b M,
    layer: u16,
    ring: [(u32, Visit); RING],
    sent: usize,
    done: usize,
    new: u64,
    /// Forbidden moves that were left out, and those that a later arrival added.
    left_out: u64,
    made_up_for: u64,
}

impl<'b, M: Boards> Arrivals<'b, M> {
    /// Starts the arrivals of a layer.
    pub fn new(boards: &'b M, layer: u16) -> Arrivals<'b, M> {
        let ring = [(0, Visit::FREE); RING];
        Arrivals { boards, layer, ring, sent: 0, done: 0, new: 0, left_out: 0, made_up_for: 0 }
    }

    /// Delivers the rest and returns the number of new positions: with the ban honoured, and with it ignored.
    #[inline(always)]
    pub fn finish(mut self) -> [u64; 2] {
        while self.done < self.sent {
            self.deliver();
        }
        [self.new, self.new + self.left_out - self.made_up_for]
    }

    #[inline(always)]
    fn push(&mut self, slot: u32, arrival: Visit) {
        self.boards.fetch(slot);
        if self.sent - self.done == RING {
            self.deliver();
        }
        self.ring[self.sent % RING] = (slot, arrival);
        self.sent += 1;
    }

    /// A move forbidden to the first arrival, in the layer of that arrival or of the second one.
    #[inline(always)]
    fn forbidden(&mut self, slot: u32, arrival: Visit, second: bool) {
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
        self.new += self.boards.arrive(slot, self.layer, arrival);
    }
}
