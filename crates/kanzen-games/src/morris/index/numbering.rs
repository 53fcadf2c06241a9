//! The orbits of the opponent's masks, numbered by their smallest ones.
//!
//! Opening a database should take no time: how many orbits there are is counted, and the smallest masks of one size are
//! listed when first asked for, in a millisecond or two. The solver has faster tables that agree with these lists.

use std::sync::OnceLock;

use kanzen::index::{Combinations, Permutation, PermutationGroup, binomial};

use crate::morris::Morris;

/// Points of a mask that are looked at first.
const TOP: u32 = 8;

/// Positions with these counts, the mover's and the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Half {
    pub mover: u32,
    pub opponent: u32,
    /// Whether rings permute freely.
    pub flying: bool,
    /// Slots of each orbit.
    pub per_orbit: u64,
    pub slots: u64,
}

impl Half {
    /// The symmetries of its positions.
    pub fn group(self, game: &Morris) -> &PermutationGroup {
        if self.flying { &game.board().flying_symmetries } else { &game.board().symmetries }
    }

    /// The orbit of a slot, and its rank there.
    #[inline(always)]
    pub fn split(self, slot: u64) -> (u32, u64) {
        ((slot / self.per_orbit) as u32, slot % self.per_orbit)
    }
}

/// The numbers of all orbits of a game.
pub struct Numbering {
    points: u32,
    /// By the number of pieces.
    sliding: Vec<Orbits>,
    flying: Option<Orbits>,
}

/// The orbits of masks of one size.
struct Orbits {
    count: u64,
    representatives: OnceLock<Vec<u32>>,
}

impl Numbering {
    /// The numbering of a game.
    pub fn new(game: &Morris) -> Numbering {
        let board = game.board();
        let orbits = |group: &PermutationGroup, size: u32| Orbits {
            count: group.count_orbits(&[size]) as u64,
            representatives: OnceLock::new(),
        };
        Numbering {
            points: board.points,
            sliding: (0..=game.men()).map(|size| orbits(&board.symmetries, size)).collect(),
            flying: game.has_flying().then(|| orbits(&board.flying_symmetries, 3)),
        }
    }

    /// Positions with these counts; `flying` if both sides fly.
    pub fn half(&self, mover: u32, opponent: u32, flying: bool) -> Half {
        let per_orbit = binomial(self.points - opponent, mover);
        let half = Half { mover, opponent, flying, per_orbit, slots: 0 };
        Half { slots: per_orbit * self.orbits(half).count, ..half }
    }

    /// The smallest mask of each orbit of a half's opponents, ascending.
    pub fn representatives(&self, game: &Morris, half: Half) -> &[u32] {
        let list = || representatives(half.group(game), self.points, half.opponent);
        self.orbits(half).representatives.get_or_init(list)
    }

    fn orbits(&self, half: Half) -> &Orbits {
        match &self.flying {
            Some(flying) if half.flying => flying,
            _ => &self.sliding[half.opponent as usize],
        }
    }
}

/// The masks of a size that no symmetry makes smaller.
///
/// Masks with the same highest points are looked at together: a symmetry that keeps those points among themselves makes
/// them all smaller, or all larger, unless it keeps what stands there.
fn representatives(group: &PermutationGroup, points: u32, size: u32) -> Vec<u32> {
    let low = points.saturating_sub(TOP);
    let high_points = ((1u64 << points) - 1) >> low << low;
    let (inner, others): (Vec<&Permutation>, Vec<&Permutation>) =
        group.symmetries().iter().skip(1).partition(|symmetry| symmetry.apply(high_points) == high_points);
    let mut found = Vec::new();
    for high in (0..1u64 << (points - low)).map(|high| high << low) {
        let Some(left) = size.checked_sub(high.count_ones()) else { continue };
        if inner.iter().any(|symmetry| symmetry.apply(high) < high) {
            continue;
        }
        let undecided: Vec<&Permutation> =
            inner.iter().filter(|symmetry| symmetry.apply(high) == high).chain(&others).copied().collect();
        let masks = Combinations::new(low, left).iter().map(|rest| high | rest);
        let smallest = |mask: &u64| undecided.iter().all(|symmetry| symmetry.apply(*mask) >= *mask);
        found.extend(masks.filter(smallest).map(|mask| mask as u32));
    }
    found
}
