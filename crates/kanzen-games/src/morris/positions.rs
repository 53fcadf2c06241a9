//! The positions of a database by number, without the slots that stay empty.
//!
//! An orbit that no symmetry keeps has a position in each slot. In the others the positions are counted by Burnside's
//! lemma and found by going through the slots: there are few of them.

use std::sync::OnceLock;

use super::classes::Class;
use super::graph::position;
use super::numbering::{Half, Numbering, Standing};
use super::{Morris, Position};

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
    pub fn new(game: &Morris, classes: impl Iterator<Item = (usize, Class)>) -> Counted {
        let mut first = 0;
        let mut parts = Vec::new();
        for (_, class) in classes {
            for (_, half) in class.halves() {
                let positions = of_half(game, half);
                parts.push(Part { in_hand: class.in_hand(), half, first, positions, starts: OnceLock::new() });
                first += positions;
            }
        }
        Counted { parts }
    }

    /// How many positions a class has.
    pub fn of_class(game: &Morris, class: Class) -> u64 {
        class.halves().map(|(_, half)| of_half(game, half)).sum()
    }

    /// How many there are.
    pub fn positions(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.first + part.positions)
    }

    /// The position of a number.
    pub fn position(&self, numbering: &Numbering, number: u64) -> Option<Position> {
        let at = self.parts.partition_point(|part| part.first <= number).checked_sub(1)?;
        let part = &self.parts[at];
        let within = number - part.first;
        if within >= part.positions {
            return None;
        }
        let starts = part.starts.get_or_init(|| starts(numbering, part.half));
        let orbit = starts.partition_point(|&start| start <= within) - 1;
        let rank = within - starts[orbit];
        let (opponents, half) = (numbering.opponents(part.half), part.half);
        let orbit = orbit as u32;
        let slot = if opponents.keeping(orbit).is_empty() {
            u64::from(orbit) * half.per_orbit + rank
        } else {
            let slots = u64::from(orbit) * half.per_orbit..u64::from(orbit + 1) * half.per_orbit;
            let is_position =
                |&slot: &u64| numbering.standing(half, orbit, numbering.unrank(half, slot).0) != Standing::Hole;
            slots.into_iter().filter(is_position).nth(rank as usize)?
        };
        let (mover, opponent) = numbering.unrank(half, slot);
        Some(position(part.in_hand, mover, opponent))
    }
}

fn of_half(game: &Morris, half: Half) -> u64 {
    let board = game.board();
    let group = if half.flying { &board.flying_symmetries } else { &board.symmetries };
    group.count_orbits(&[half.opponent, half.mover]) as u64
}

fn starts(numbering: &Numbering, half: Half) -> Vec<u64> {
    let opponents = numbering.opponents(half);
    let group = opponents.orbits.group();
    let mut start = 0;
    let mut starts = Vec::with_capacity(opponents.orbits.orbits() as usize);
    for orbit in 0..opponents.orbits.orbits() {
        starts.push(start);
        if opponents.keeping(orbit).is_empty() {
            start += half.per_orbit;
            continue;
        }
        let representative = opponents.orbits.representative(orbit);
        let kept: u64 = opponents
            .orbits
            .stabilizer(orbit)
            .iter()
            .map(|&symmetry| subsets_kept(group.symmetry(symmetry.into()).images(), representative, half.mover))
            .sum();
        start += kept / opponents.orbits.stabilizer(orbit).len() as u64;
    }
    starts
}

/// Subsets of `size` free points that a permutation keeps: unions of its cycles.
fn subsets_kept(images: &[u8], occupied: u64, size: u32) -> u64 {
    let mut ways = vec![0u64; size as usize + 1];
    ways[0] = 1;
    let mut seen = occupied;
    for start in 0..images.len() {
        let (mut point, mut length) = (start, 0);
        while seen >> point & 1 == 0 {
            seen |= 1 << point;
            length += 1;
            point = images[point].into();
        }
        if length > 0 {
            for total in (length..ways.len()).rev() {
                ways[total] += ways[total - length];
            }
        }
    }
    ways[size as usize]
}
