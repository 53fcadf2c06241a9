//! What a solve will cost, before it starts: from counts, without a layout.

use kanzen::index::binomial;
use kanzen::solve::Forecast;

use super::windows::most_words;
use crate::nocca::index::count::placements;
use crate::nocca::index::heights::{Part, mirrored, occupied, sum};

/// Rows counted by pieces, stacks, and whether they are their own mirror image.
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
    /// Lifted boards of a sweep.
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

/// Bytes that the solve takes: both arrays and the largest window of what a round finds, a list of few positions, the
/// plans of both sweeps, tables. Fitted to runs in which all that a round finds was in memory at once, all of which took
/// less, by less than a quarter; of the board that has windows, what is not there at once is left out.
pub fn memory(rows: usize, columns: usize) -> u64 {
    let size = size(rows, columns);
    let not_at_once = size.words - most_words(size.words as usize) as f64;
    // Between windows both lists are there: what the round before has found, and what this one has.
    let lists = if not_at_once > 0.0 { size.lifted / 2.0 + size.lifted / 6.0 } else { size.lifted / 2.0 };
    (24.15 * size.words - 8.0 * not_at_once + lists + 9300.0 * size.slabs) as u64 + (3 << 20)
}

/// Bytes that the program takes besides.
const PROGRAM: u64 = 8 << 20;

/// The whole forecast: what the sweeps of a lifted board take in all rounds, and what the positions of a word take.
pub fn of(rows: usize, columns: usize) -> Forecast {
    let size = size(rows, columns);
    // Six rows have more rounds than others, and five columns more positions than the disk is fast.
    let microseconds = if rows == 6 { 35.0 } else { 15.0 };
    Forecast {
        positions: Some(placements(rows, columns)),
        seconds: 0.1 + size.lifted * microseconds * 1e-6,
        memory_bytes: memory(rows, columns) + PROGRAM,
        data_bytes: (64.0 * size.words * 0.25) as u64 + (16 << 10),
        // The logs of all rounds, and the planes that replace them one after the other.
        disk_bytes: (64.0 * size.words * 0.37) as u64 + (1 << 20),
    }
}
