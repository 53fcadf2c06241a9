//! What solving a game will cost, from the sizes of its classes.

use kanzen::index::binomial;

use super::classes::hands;
use super::{Kept, Morris};

/// How much there is to solve and to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Moving positions up to symmetry.
    pub positions: u64,
    /// Slots of the moving classes.
    pub moving: u64,
    /// Slots of the placing classes.
    pub placing: u64,
    /// Slots that the database keeps.
    pub stored: u64,
    /// Bytes of memory for the class that needs most, with the earlier ones it looks into.
    pub largest_class: u64,
    /// Bytes of memory for the tables of the numbering.
    pub tables: u64,
}

impl Morris {
    /// What solving this game will cost.
    pub fn cost(&self) -> Cost {
        let (men, points) = (self.men(), self.board().points);
        let group = &self.board().symmetries;
        let orbits: Vec<u64> = (0..=men).map(|size| group.count_orbits(&[size]) as u64).collect();
        let half = |mover: u32, opponent: u32| match opponent <= men && mover <= men {
            true => orbits[opponent as usize] * binomial(points - opponent, mover),
            false => 0,
        };
        let both = |x: u32, y: u32| if x == y { half(x, y) } else { half(x, y) + half(y, x) };
        let mut cost = Cost { positions: 0, moving: 0, placing: 0, stored: 0, largest_class: 0, tables: 0 };
        for (more, fewer) in (3..=men).flat_map(|more| (3..=more).map(move |fewer| (more, fewer))) {
            let both_fly = self.flies(more) && self.flies(fewer);
            let group = if both_fly { &self.board().flying_symmetries } else { group };
            cost.positions += group.count_orbits(&[more, fewer]) as u64 * if more == fewer { 1 } else { 2 };
            let slots = both(more, fewer);
            cost.moving += slots;
            // Four bytes for each slot in work, two for each slot of the classes that takes lead to.
            let taken: u64 = [(more, fewer - 1), (more - 1, fewer)].iter().map(|&(x, y)| both(x, y)).sum();
            cost.largest_class = cost.largest_class.max(4 * slots + slots / 32 + 2 * taken);
        }
        let kept = Kept::of(self);
        cost.stored = cost.moving;
        for in_hand in 1..=2 * men {
            let (mover_hand, opponent_hand) = hands(in_hand);
            for mover in 3u32.saturating_sub(mover_hand)..=men - mover_hand {
                for opponent in 3u32.saturating_sub(opponent_hand)..=men - opponent_hand {
                    let slots = half(mover, opponent);
                    cost.placing += slots;
                    if kept.keeps(in_hand) {
                        cost.stored += slots;
                    }
                    let after = |left: u32| if in_hand == 1 { both(left, mover + 1) } else { half(left, mover + 1) };
                    let next = after(opponent) + opponent.checked_sub(1).map_or(0, after);
                    cost.largest_class = cost.largest_class.max(4 * slots + 2 * next);
                }
            }
        }
        cost.tables = (0..=men).map(|size| 8 * binomial(points, size) + 20 * orbits[size as usize]).sum();
        cost
    }
}
