//! Counts positions by the fewest plies from the start, breadth first, with two bytes per board.
//!
//! A position is a board with a forbidden move, but a board needs to remember two arrivals only. All positions of a
//! board share their moves except for one: the first arrival plays all moves but the forbidden one, and the next
//! arrival with another forbidden move, or with none, adds the one that was left out. Later arrivals add nothing.
//!
//! A forbidden move identifies the previous board, so each such position has exactly one incoming edge and is new; one
//! bit distinguishes the positions without a forbidden move.
//!
//! The published table 3 ignores the ban. A forbidden move leads back to the previous board, so no board is found
//! earlier; and it leads to a position with a forbidden move of its own, found once. So one search counts both ways: a
//! move that is left out counts at once for the one, and for the other when it is added, in the layer of the second
//! arrival.
//!
//! ```text
//! few boards     a table of the boards reached so far        memory grows with the layers
//! many           two bytes for every board                   memory of the whole game
//! ```

mod dense;
mod expand;
mod layers;
mod seen;
mod sparse;
#[cfg(test)]
mod tests;

use kanzen::progress::Observer;
use kanzen::{Budget, Error, Game};
use kanzen_core::machine;
use kanzen_core::machine::cpu::Gather;
use serde::Serialize;

use self::dense::Dense;
use self::seen::Visit;
use self::sparse::{Outgrown, Sparse};
use kanzen_games::ostle::Ostle;
use kanzen_games::ostle::all_classes;
use kanzen_games::ostle::board::Board;
use kanzen_games::ostle::index::{CanonicalSlot, Found};
use kanzen_games::ostle::ko::Ko;
use kanzen_games::ostle::moves::{Effect, Move};
use kanzen_games::ostle::{GroupClass, consecutive};

/// The number of positions at each distance from the initial one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached {
    /// With the ko rule.
    pub honoured: Vec<u64>,
    /// With forbidden moves played: the published table 3.
    pub ignored: Vec<u64>,
}

impl From<[Vec<u64>; 2]> for Reached {
    fn from([honoured, ignored]: [Vec<u64>; 2]) -> Reached {
        Reached { honoured, ignored }
    }
}

/// The number of boards at which the table gives way to two bytes per board.
const FEW: usize = 1 << 20;

/// The boards of a game, with consecutive slots.
struct Search<'g> {
    game: &'g Ostle,
    classes: Vec<GroupClass>,
    slots: u32,
}

/// The memory of the boards reached so far.
trait Boards: Sync {
    /// Prefetches the memory of a board.
    fn fetch(&self, slot: u32);

    /// Records an arrival and returns the number of positions that are new by it.
    fn arrive(&self, slot: u32, layer: u16, arrival: Visit) -> u64;
}

/// Counts the positions at each distance from the initial one, up to symmetry, to layer `depth` or to the last.
pub fn reach(game: &Ostle, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reached, Error> {
    reach_with(game, depth, FEW, budget, observer)
}

/// The same with a given size of the table.
fn reach_with(
    game: &Ostle,
    depth: Option<u32>,
    few: usize,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Reached, Error> {
    let (classes, slots) = consecutive(all_classes(game))?;
    let search = Search { game, classes, slots };
    machine::pool(budget.threads)?.install(|| {
        let start = search.place(&game.initial().board).slot;
        match Sparse::new(&search, start).reach(depth, few, budget, observer)? {
            Ok(layers) => Ok(layers.into()),
            Err(Outgrown { layers, sparse }) => {
                Ok(Dense::of(&search, &sparse, budget)?.reach(layers, depth, observer, sparse)?.into())
            }
        }
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

    /// Visits all moves of an irregular board, each arrival once, and whether the move is forbidden.
    fn expand_irregular(&self, slot: u32, board: &Board, forbidden: u8, visit: &mut dyn FnMut(u32, Visit, bool)) {
        let mut known = Vec::new();
        board.each_move_and_back(true, |mv, next, effect, way_back| {
            if !self.goes_on(board, effect) {
                return;
            }
            let found = self.place(&next);
            let is_forbidden = forbidden != 0 && mv.number(board) == forbidden;
            let child = next.under(found.symmetry);
            let arrival = match self.game.ko() {
                Ko::Literal => way_back.map_or(Visit::FREE, |back| arrival_by(&child, back.under(found.symmetry))),
                Ko::Symmetric => self.symmetric_arrival(slot, &child),
            };
            // Two moves of a symmetric board that mirror each other arrive at the same position.
            let key = way_back.map(|back| smallest_number(&child, back.under(found.symmetry)));
            let key = (found.slot, if self.game.ko() == Ko::Literal { key } else { None });
            if !known.contains(&key) {
                known.push(key);
                visit(found.slot, arrival, is_forbidden);
            }
        });
    }

    /// A ban matters only if a single move leads back to the board of `slot`.
    fn symmetric_arrival(&self, slot: u32, child: &Board) -> Visit {
        let mut back = Vec::new();
        child.each_move(|mv, after, effect| {
            if matches!(effect, Effect::Quiet { .. }) && self.place(&after).slot == slot {
                back.push(mv.number(child).into());
            }
        });
        Visit { free: back.is_empty(), forbidden: if let [alone] = back[..] { alone } else { 0 } }
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

/// The arrival by a reversible move: a ban on a move with mirror images has no effect.
fn arrival_by(child: &Board, way_back: Move) -> Visit {
    let images: Vec<Move> = (0..8).filter(|&s| child.under(s) == *child).map(|s| way_back.under(s)).collect();
    let alone = images.iter().all(|&image| image == way_back);
    Visit { free: false, forbidden: if alone { way_back.number(child).into() } else { 0 } }
}

/// The smallest number of a move and its images under the symmetries of the board.
fn smallest_number(board: &Board, mv: Move) -> u8 {
    let images = (0..8).filter(|&s| board.under(s) == *board).map(|s| mv.under(s).number(board));
    images.min().expect("the identity is one")
}
