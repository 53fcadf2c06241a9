//! The paper's hash of placements: two ZDDs, one after the other.
//!
//! ```text
//!   placement --first ZDD--> number among all placements --second ZDD--> number among the unique, pseudo-reachable ones
//! ```
//!
//! The first ZDD has two variables per point, white and black, ring by ring clockwise from the top-left corner, the
//! outermost ring first. The variables of the second are the bits of the first one's number, the highest first.

use crate::zdd::{Ascending, Builder, Zdd, top_down};
use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Error};
use kanzen_core::index::Permutation;

use super::strings::Strings;
use super::{Placements, printed_second_nodes};
use kanzen_games::morris::Morris;

/// Members between two checks of the budget and the observer.
const CHECK_EVERY: u64 = 1 << 16;

/// Builds the first ZDD: all placements with three or more men a side.
pub fn first_zdd(game: &Morris) -> Zdd {
    let (points, men) = (game.board().points, game.men());
    // The state of the construction: pieces so far, and whether white stands on the current point.
    let root = (0u32, 0u32, false);
    top_down(2 * points, root, |level, (white, black, occupied), take| {
        let asks_for_white = level % 2 == 0;
        if take && occupied {
            return None;
        }
        let (white, black) = (white + u32::from(take && asks_for_white), black + u32::from(take && !asks_for_white));
        let occupied = take && asks_for_white;
        // Free points left to fill, without one that white occupies.
        let free = (level - 1).div_ceil(2) - u32::from(occupied);
        let lacking = 3u32.saturating_sub(white) + 3u32.saturating_sub(black);
        let white_free = (level - 1) / 2;
        let enough = lacking <= free && white + white_free >= 3;
        (white <= men && black <= men && enough).then_some((white, black, occupied))
    })
}

/// Builds the second ZDD: the `total` numbers of the unique and pseudo-reachable placements.
///
/// This takes seconds for up to seven men, and minutes and gigabytes for nine or more, so it observes the budget's
/// memory.
pub fn second_zdd(game: &Morris, total: u64, budget: &Budget, observer: &dyn Observer) -> Result<Zdd, Error> {
    observer.event(Event::Stage { name: "second ZDD", total: Some(total) });
    let strings = Strings::new(game);
    let mut numbers = Ascending::new();
    let (mut members, mut trouble) = (0, Ok(()));
    strings.members(&mut |number| {
        numbers.push(number);
        members += 1;
        if members & (CHECK_EVERY - 1) == 0 {
            observer.event(Event::Steps { steps: CHECK_EVERY });
            trouble = if observer.stop() {
                Err(Error::Stopped)
            } else {
                check_memory(game, &numbers, members, total, budget)
            };
        }
        trouble.is_ok()
    });
    trouble.map(|()| numbers.finish())
}

/// Nodes made between two checks of the budget, at most: some per member.
const NODES_BETWEEN_CHECKS: u64 = CHECK_EVERY * 8;

/// Refuses to grow beyond the budget, and reports a sufficient one.
fn check_memory(game: &Morris, numbers: &Ascending, members: u64, total: u64, budget: &Budget) -> Result<(), Error> {
    if Builder::memory_for(numbers.nodes() + NODES_BETWEEN_CHECKS) <= budget.memory {
        return Ok(());
    }
    // Later members share more nodes: the total is at most proportional to the members.
    let by_members = numbers.nodes() as f64 * (total.max(members) as f64 / members as f64);
    // The paper's node counts equal ours, or nearly so.
    let nodes = printed_second_nodes(game.men()).map_or(by_members as u64, |printed| printed + printed / 50);
    let needed = Builder::memory_for(nodes.max(numbers.nodes()) + NODES_BETWEEN_CHECKS);
    Err(Error::Memory { what: "the second ZDD".to_owned(), needed, budget: budget.memory })
}

/// The hash: ranks placements without gaps, and unranks them.
pub struct PlacementHash<'a> {
    game: &'a Morris,
    first: Zdd,
    second: Zdd,
}

impl<'a> PlacementHash<'a> {
    /// Builds both ZDDs.
    pub fn new(game: &'a Morris, budget: &Budget, observer: &dyn Observer) -> Result<PlacementHash<'a>, Error> {
        let total = Placements::new(game).pseudo_reachable().values().sum();
        Ok(PlacementHash { game, first: first_zdd(game), second: second_zdd(game, total, budget, observer)? })
    }

    /// Returns the first ZDD.
    pub fn first(&self) -> &Zdd {
        &self.first
    }

    /// Returns the second ZDD.
    pub fn second(&self) -> &Zdd {
        &self.second
    }

    /// Returns the rank of a placement and of its mirror images, or `None` if it is not pseudo-reachable.
    ///
    /// ```
    /// use kanzen::Budget;
    /// use kanzen::progress::Silent;
    /// use kanzen_games::morris::Morris;
    /// use kanzen_papers::morris::PlacementHash;
    /// let game = Morris::new(3).unwrap();
    /// let hash = PlacementHash::new(&game, &Budget::new(1, 1 << 20), &Silent).unwrap();
    /// assert_eq!(hash.second().len(), 183);
    /// let (white, black) = hash.unrank(100).unwrap();
    /// assert_eq!(hash.rank(white, black), Some(100));
    /// assert_eq!(hash.rank(0b111, 0b111000), None); // a mill takes a man: black cannot have three
    /// ```
    pub fn rank(&self, white: u32, black: u32) -> Option<u64> {
        let board = self.game.board();
        let both_fly = self.game.flies(white.count_ones()) && self.game.flies(black.count_ones());
        let group = if both_fly { &board.flying_symmetries } else { &board.symmetries };
        let image = |s: &Permutation| self.word(s.apply(white.into()) as u32, s.apply(black.into()) as u32);
        // The numbers of the first ZDD ascend with its words.
        let smallest = group.symmetries().iter().map(image).min()?;
        self.second.rank(self.first.rank(smallest)?)
    }

    /// Returns the placement of a rank, white's pieces and black's, or `None` if the rank is too large.
    pub fn unrank(&self, number: u64) -> Option<(u32, u32)> {
        let word = self.first.unrank(self.second.unrank(number)?)?;
        let points = self.game.board().points;
        let of = |bit: u32| (0..points).filter(|p| word >> (2 * (points - 1 - p) + bit) & 1 == 1).map(|p| 1 << p).sum();
        let board = self.game.board();
        Some((board.by_place(of(1)), board.by_place(of(0))))
    }

    /// Returns the placement as a set of the first ZDD: two bits per point, white's first, the first point highest.
    fn word(&self, white: u32, black: u32) -> u64 {
        let points = self.game.board().points;
        let [white, black] = [white, black].map(|pieces| self.game.board().by_place(pieces));
        let bits = |point: u32| u64::from(2 * (white >> point & 1) + (black >> point & 1));
        (0..points).fold(0, |word, point| word << 2 | bits(point))
    }
}
