//! Numbers the orbits of opponent masks by their representatives, and numbers positions without holes.
//!
//! Opening a database must take no time: orbits are counted, and the representatives of one size are listed on first
//! use, in a millisecond or two. The solver has faster tables that agree with these lists.
//!
//! An orbit with a trivial stabilizer has a position in each slot. The positions of the few other orbits are counted by
//! Burnside's lemma and found by a scan of their slots.

use std::sync::OnceLock;

use kanzen_core::index::combinations::{rank_within, unrank_within};
use kanzen_core::index::{Combinations, Permutation, PermutationGroup, binomial, sets_kept};
use kanzen_core::machine::cpu::pdep;

use super::phases::{Phase, position};
use crate::morris::{Morris, Position};

/// Points of a mask that are checked first.
const TOP: u32 = 8;

/// Positions with fixed counts of the mover's and the opponent's men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Half {
    pub mover: u32,
    pub opponent: u32,
    /// Whether rings permute freely.
    pub flying: bool,
    /// Slots per orbit.
    pub per_orbit: u64,
    pub slots: u64,
}

impl Half {
    /// Returns the symmetry group of the positions.
    pub fn group(self, game: &Morris) -> &PermutationGroup {
        if self.flying { &game.board().flying_symmetries } else { &game.board().symmetries }
    }

    /// Splits a slot into the orbit and the rank in it.
    #[inline(always)]
    pub fn split(self, slot: u64) -> (u32, u64) {
        ((slot / self.per_orbit) as u32, slot % self.per_orbit)
    }
}

/// The orbit numbers of a game.
pub struct Numbering {
    points: u32,
    /// By number of pieces.
    sliding: Vec<Orbits>,
    flying: Option<Orbits>,
}

/// The orbits of masks of one size.
struct Orbits {
    count: u64,
    representatives: OnceLock<Vec<u32>>,
}

impl Numbering {
    /// Builds the orbit numbers of a game.
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

    /// Returns the half with these counts; `flying` if both sides fly.
    pub fn half(&self, mover: u32, opponent: u32, flying: bool) -> Half {
        let per_orbit = binomial(self.points - opponent, mover);
        let half = Half { mover, opponent, flying, per_orbit, slots: 0 };
        Half { slots: per_orbit * self.orbits(half).count, ..half }
    }

    /// Returns the smallest mask of each orbit of a half's opponents, ascending.
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

/// Lists the masks of a size that are the smallest of their orbit.
///
/// Masks with the same highest points are checked together: a symmetry that maps those points among themselves makes
/// all of them smaller, or all larger, unless it fixes the highest part.
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

/// The positions of some classes, numbered consecutively.
pub struct Counted {
    parts: Vec<Part>,
}

struct Part {
    in_hand: u32,
    half: Half,
    first: u64,
    positions: u64,
    /// The number of the first position of each orbit, made on first use.
    starts: OnceLock<Vec<u64>>,
}

impl Counted {
    /// Numbers the positions of some classes.
    pub fn new(game: &Morris, classes: impl Iterator<Item = Phase>) -> Counted {
        let mut first = 0;
        let mut parts = Vec::new();
        for phase in classes {
            for (_, half) in phase.halves() {
                let positions = of_half(game, half);
                parts.push(Part { in_hand: phase.in_hand(), half, first, positions, starts: OnceLock::new() });
                first += positions;
            }
        }
        Counted { parts }
    }

    /// Returns the number of positions in a class.
    pub fn of_class(game: &Morris, phase: Phase) -> u64 {
        phase.halves().map(|(_, half)| of_half(game, half)).sum()
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.first + part.positions)
    }

    /// Returns the position of a number.
    pub fn position(&self, game: &Morris, numbering: &Numbering, number: u64) -> Option<Position> {
        let at = self.parts.partition_point(|part| part.first <= number).checked_sub(1)?;
        let part = &self.parts[at];
        let (half, within) = (part.half, number - part.first);
        if within >= part.positions {
            return None;
        }
        let representatives = numbering.representatives(game, half);
        let starts = part.starts.get_or_init(|| starts(game, half, representatives));
        let orbit = starts.partition_point(|&start| start <= within) - 1;
        let rank = within - starts[orbit];
        let opponent = u64::from(representatives[orbit]);
        let free = !opponent & u64::from(game.board().all());
        let mover = match &stabilizer(game, half, opponent)[..] {
            [_] => unrank_within(half.mover, rank, free),
            stabilizer => smallest_movers(half, free, stabilizer).nth(rank as usize)?,
        };
        Some(position(part.in_hand, mover as u32, opponent as u32))
    }

    /// Returns the number of a canonical position: the inverse of [`position`](Counted::position).
    pub fn number(
        &self,
        game: &Morris,
        numbering: &Numbering,
        (in_hand, half): (u32, Half),
        mover: u64,
        opponent: u64,
    ) -> Option<u64> {
        let part = self.parts.iter().find(|part| part.in_hand == in_hand && part.half == half)?;
        let representatives = numbering.representatives(game, half);
        let starts = part.starts.get_or_init(|| starts(game, half, representatives));
        let orbit = representatives.binary_search(&(opponent as u32)).ok()?;
        let free = !opponent & u64::from(game.board().all());
        let rank = match &stabilizer(game, half, opponent)[..] {
            [_] => rank_within(mover, free),
            stabilizer => smallest_movers(half, free, stabilizer).position(|other| other == mover)? as u64,
        };
        Some(part.first + starts[orbit] + rank)
    }
}

/// Lists the mover's masks on free points that are minimal under the opponent's stabilizer, ascending.
fn smallest_movers(half: Half, free: u64, stabilizer: &[&Permutation]) -> impl Iterator<Item = u64> {
    let smallest = |mover: &u64| stabilizer.iter().all(|symmetry| symmetry.apply(*mover) >= *mover);
    let movers = Combinations::new(free.count_ones(), half.mover).iter().map(|mask| pdep(mask, free));
    movers.filter(smallest).collect::<Vec<u64>>().into_iter()
}

fn of_half(game: &Morris, half: Half) -> u64 {
    half.group(game).count_orbits(&[half.opponent, half.mover]) as u64
}

/// Returns the stabilizer of the opponent's mask, the identity included.
fn stabilizer(game: &Morris, half: Half, opponent: u64) -> Vec<&Permutation> {
    half.group(game).symmetries().iter().filter(|symmetry| symmetry.apply(opponent) == opponent).collect()
}

fn starts(game: &Morris, half: Half, representatives: &[u32]) -> Vec<u64> {
    let mut start = 0;
    let mut starts = Vec::with_capacity(representatives.len());
    for &opponent in representatives {
        starts.push(start);
        let stabilizer = stabilizer(game, half, opponent.into());
        start += match stabilizer.len() as u64 {
            1 => half.per_orbit,
            symmetries => {
                let kept = |images| sets_kept(images, u64::from(!opponent), half.mover)[half.mover as usize];
                stabilizer.iter().map(|symmetry| kept(symmetry.images())).sum::<u64>() / symmetries
            }
        };
    }
    starts
}
