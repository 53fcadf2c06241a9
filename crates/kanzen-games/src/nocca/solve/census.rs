//! How many positions have which value, from the counts of the rounds.

use kanzen::{Tally, Value};

use super::set::Counts;
use crate::nocca::index::count::{placements, up_to_mirror};
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::own_mirror;

/// The census of a board.
pub struct NoccaCensus {
    /// Positions up to mirror images and colours.
    pub up_to_symmetry: Tally,
    /// All positions.
    pub all: Tally,
}

/// All positions that have bits.
fn with_bits(layout: &Layout) -> Counts {
    let own_mirror = own_mirror::own_mirror_bits(layout, Array::Losses).len() as u64;
    let mut counts = Counts { own_mirror, ..Counts::default() };
    for (slab, _) in layout.slabs(Array::Losses) {
        let colourings = layout.space(Array::Losses, slab.top, slab.bottom).words().len();
        let count = if slab.symmetric { &mut counts.symmetric } else { &mut counts.plain };
        *count += (slab.boards * colourings) as u64;
    }
    counts
}

/// The census after rounds that found so many positions each. Those without bits win at once, and what no round has
/// found is a draw.
pub fn census(layout: &Layout, rounds: &[Counts]) -> NoccaCensus {
    let (rows, columns) = (layout.rows, layout.columns);
    let with_bits = with_bits(layout);
    let tally = |positions: u64, count: fn(&Counts) -> u64, each: u64| {
        let mut tally = Tally::default();
        tally.add(Value::win(1), each * (positions - count(&with_bits)));
        let mut draws = count(&with_bits);
        for (distance, round) in (0..).zip(rounds) {
            let value = if distance % 2 == 0 { Value::loss(distance) } else { Value::win(distance) };
            tally.add(value, each * count(round));
            draws -= count(round);
        }
        tally.add(Value::DRAW, each * draws);
        tally
    };
    NoccaCensus {
        up_to_symmetry: tally(up_to_mirror(rows, columns), Counts::up_to_mirror, 1),
        // With black to move there are as many as with white.
        all: tally(placements(rows, columns) / 2, Counts::all, 2),
    }
}
