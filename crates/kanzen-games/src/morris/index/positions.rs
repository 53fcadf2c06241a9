//! The positions of a database by number, without the slots that stay empty.
//!
//! An orbit that no symmetry keeps has a position in each slot. In the others the positions are counted by Burnside's
//! lemma and found by going through the slots: there are few of them.

use std::sync::OnceLock;

use kanzen::index::combinations::{rank_within, unrank_within};
use kanzen::index::{Combinations, Permutation, sets_kept};
use kanzen::machine::cpu::pdep;

use super::numbering::{Half, Numbering};
use super::phases::{Phase, position};
use crate::morris::{Morris, Position};

/// Positions of some classes, numbered one after the other.
pub struct Counted {
    parts: Vec<Part>,
}

struct Part {
    in_hand: u32,
    half: Half,
    first: u64,
    positions: u64,
    /// The number of the first position of each orbit, made when first asked for.
    starts: OnceLock<Vec<u64>>,
}

impl Counted {
    /// The positions of these classes.
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

    /// How many positions a class has.
    pub fn of_class(game: &Morris, phase: Phase) -> u64 {
        phase.halves().map(|(_, half)| of_half(game, half)).sum()
    }

    /// How many there are.
    pub fn positions(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.first + part.positions)
    }

    /// The position of a number.
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
        let mover = match &keeping(game, half, opponent)[..] {
            [_] => unrank_within(half.mover, rank, free),
            keeping => smallest_movers(half, free, keeping).nth(rank as usize)?,
        };
        Some(position(part.in_hand, mover as u32, opponent as u32))
    }

    /// The number of a canonical position: [`position`](Counted::position) turned round.
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
        let rank = match &keeping(game, half, opponent)[..] {
            [_] => rank_within(mover, free),
            keeping => smallest_movers(half, free, keeping).position(|other| other == mover)? as u64,
        };
        Some(part.first + starts[orbit] + rank)
    }
}

/// The mover's masks on free points that none of the symmetries which keep the opponent makes smaller, ascending.
fn smallest_movers(half: Half, free: u64, keeping: &[&Permutation]) -> impl Iterator<Item = u64> {
    let smallest = |mover: &u64| keeping.iter().all(|symmetry| symmetry.apply(*mover) >= *mover);
    let movers = Combinations::new(free.count_ones(), half.mover).iter().map(|mask| pdep(mask, free));
    movers.filter(smallest).collect::<Vec<u64>>().into_iter()
}

fn of_half(game: &Morris, half: Half) -> u64 {
    half.group(game).count_orbits(&[half.opponent, half.mover]) as u64
}

/// The symmetries that keep the opponent, the identity among them.
fn keeping(game: &Morris, half: Half, opponent: u64) -> Vec<&Permutation> {
    half.group(game).symmetries().iter().filter(|symmetry| symmetry.apply(opponent) == opponent).collect()
}

fn starts(game: &Morris, half: Half, representatives: &[u32]) -> Vec<u64> {
    let mut start = 0;
    let mut starts = Vec::with_capacity(representatives.len());
    for &opponent in representatives {
        starts.push(start);
        let keeping = keeping(game, half, opponent.into());
        start += match keeping.len() as u64 {
            1 => half.per_orbit,
            symmetries => {
                let kept = |images| sets_kept(images, u64::from(!opponent), half.mover)[half.mover as usize];
                keeping.iter().map(|symmetry| kept(symmetry.images())).sum::<u64>() / symmetries
            }
        };
    }
    starts
}
