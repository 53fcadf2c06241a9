//! Solves NOCCA x NOCCA: retrograde analysis by rounds over sets of positions, one bit per position.
//!
//! ```text
//! rounds    one round per ply: which positions are decided in 0, 1, 2, ... plies
//! sweep     all positions with a move into a set (on several threads), or un-moves of a few positions
//! plan      which bits to gather and spread for one slab of lifted boards, and for one run of such boards
//! kernel    gather, union over neighbours, spread
//! tile      the sets of 32 boards, one board per lane
//! steps     moves and un-moves of a single position, and the tables that both ways use
//! set       the words of one array, their new bits, and the windows that bound the memory of a round
//! ```
//!
//! [`kanzen_solve::rounds::solve`] runs the rounds and stores them. This file holds the solver, the census and the
//! cost forecast.

pub mod kernel;
pub mod plan;
mod rounds;
pub mod set;
pub mod steps;
mod sweep;
mod tile;

#[cfg(test)]
pub use rounds::Arrays;
pub use rounds::NoccaRounds;

use kanzen::{Error, Tally, Value};
use kanzen_core::index::{Index, binomial};
use kanzen_query::ALL_POSITIONS;
use kanzen_solve::{Counting, Forecast, Job, Solution, SolvedClass, Solver};
use serde_json::json;

use self::set::{Counts, most_words};
use super::index::{NoccaIndex, Sweeps, label};
use super::rules::Nocca;
use crate::nocca::index::heights::{Part, mirrored, occupied, sum};
use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::numbering::{own_mirror_bits, placements, up_to_mirror};

impl Solver<Nocca> for Sweeps {
    fn forecast(&self, game: &Nocca) -> Forecast {
        forecast(game.rows, game.columns)
    }

    fn counting(&self) -> Counting {
        Counting::All
    }

    fn solve(&self, game: &Nocca, job: &Job<'_>) -> Result<Solution, Error> {
        let index = NoccaIndex::new(game);
        let rounds = kanzen_solve::rounds::solve(&NoccaRounds::new(index.layout()), job)?;
        let NoccaCensus { up_to_symmetry: tally, all } = census(index.layout(), &rounds);
        Ok(Solution {
            settings: [(ALL_POSITIONS.to_owned(), json!(all))].into_iter().collect(),
            classes: vec![SolvedClass { label: label(), slots: tally.positions(), tally }],
            files: index.classes().iter().map(|class| class.plane_file()).collect(),
        })
    }
}

/// The number of positions of each value.
struct NoccaCensus {
    /// Counted up to mirror images and exchange of colours.
    pub up_to_symmetry: Tally,
    /// Counted without symmetry reduction.
    pub all: Tally,
}

/// Counts all positions that have a bit.
fn with_bits(layout: &Layout) -> Counts {
    let own_mirror = own_mirror_bits(layout, Array::Losses).len() as u64;
    let mut counts = Counts { own_mirror, ..Counts::default() };
    for (slab, _) in layout.slabs(Array::Losses) {
        let colourings = layout.space(Array::Losses, slab.top, slab.bottom).words().len();
        let count = if slab.symmetric { &mut counts.symmetric } else { &mut counts.plain };
        *count += (slab.boards * colourings) as u64;
    }
    counts
}

/// Builds the census from the counts of all rounds. Positions without a bit win at once; positions that no round finds
/// are draws.
fn census(layout: &Layout, rounds: &[Counts]) -> NoccaCensus {
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
        // Black to move has as many positions as white to move.
        all: tally(placements(rows, columns) / 2, Counts::all, 2),
    }
}

/// Counts the rows of each shape: pieces, stacks, and whether a row is its own mirror image.
fn rows_by_shape(columns: usize) -> Vec<([usize; 2], bool, u64)> {
    let mut shapes = std::collections::BTreeMap::new();
    for row in 0..1u32 << (2 * columns) {
        let shape = ([sum(row) as usize, occupied(row) as usize], mirrored(row, 1, columns) == row);
        *shapes.entry(shape).or_default() += 1;
    }
    shapes.into_iter().map(|((shape, symmetric), rows)| (shape, symmetric, rows)).collect()
}

/// The size of the work.
struct Size {
    /// Words of an array.
    words: f64,
    /// Lifted boards of a full sweep.
    lifted: f64,
    /// Lifted slabs.
    slabs: f64,
}

fn size(rows: usize, columns: usize) -> Size {
    let pieces = 2 * columns;
    let part = Part::new(rows - 2, columns, pieces as u32);
    let middles = |sum: usize| part.len(sum as u32) as u64;
    let shapes = rows_by_shape(columns);
    let mut size = Size { words: 0.0, lifted: 0.0, slabs: 0.0 };
    for ([top, stacks], top_symmetric, tops) in &shapes {
        let width = binomial((pieces - stacks) as u32, columns as u32).div_ceil(64);
        for ([bottom, _], bottom_symmetric, bottoms) in &shapes {
            let kept = if *top_symmetric && *bottom_symmetric { 1.0 } else { 0.5 };
            let slabs = kept * (tops * bottoms) as f64;
            if top + bottom <= pieces {
                size.words += slabs * (middles(pieces - top - bottom) * width) as f64;
            }
            if top + bottom < pieces {
                size.lifted += slabs * middles(pieces - 1 - top - bottom) as f64;
                size.slabs += slabs;
            }
        }
    }
    size
}

/// Returns the bytes that a solve reserves: both arrays, the largest window of new positions, a list of few positions,
/// the plans of both sweeps, and tables.
///
/// Fitted to runs whose new positions were all in memory at once; each took less than this, by under a quarter. For the
/// board with windows, the part that is never in memory at once is subtracted.
fn memory(rows: usize, columns: usize) -> u64 {
    let size = size(rows, columns);
    let not_at_once = size.words - most_words(size.words as usize) as f64;
    // Between windows two lists are in memory: the positions found by the last round and by this one.
    let lists = if not_at_once > 0.0 { size.lifted / 2.0 + size.lifted / 6.0 } else { size.lifted / 2.0 };
    (24.15 * size.words - 8.0 * not_at_once + lists + 9300.0 * size.slabs) as u64 + (3 << 20)
}

/// Bytes of the program itself.
const PROGRAM: u64 = 8 << 20;

/// Estimates the whole cost: time per lifted board over all rounds, bytes per word of an array.
fn forecast(rows: usize, columns: usize) -> Forecast {
    let size = size(rows, columns);
    // Six rows need more rounds, and five columns produce positions faster than the disk writes them.
    let microseconds = if rows == 6 { 35.0 } else { 15.0 };
    Forecast {
        positions: Some(placements(rows, columns)),
        seconds: 0.1 + size.lifted * microseconds * 1e-6,
        memory_bytes: memory(rows, columns) + PROGRAM,
        data_bytes: (64.0 * size.words * 0.25) as u64 + (16 << 10),
        // The logs of all rounds, and the planes that replace them one by one.
        disk_bytes: (64.0 * size.words * 0.37) as u64 + (1 << 20),
    }
}
