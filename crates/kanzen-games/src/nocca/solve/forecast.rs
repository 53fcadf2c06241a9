//! What a solve will cost, before it starts: from counts, without a layout.

use kanzen::index::binomial;
use kanzen::solve::Forecast;

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

/// Three arrays, the plans of both sweeps, tables, and chunks of the database in work.
pub fn memory(rows: usize, columns: usize) -> u64 {
    let size = size(rows, columns);
    (24.0 * size.words + 12e3 * size.slabs + 250e6) as u64
}

/// Bytes of disk at the peak: the logs of all rounds, and the planes that replace them one after the other.
fn disk(size: &Size) -> u64 {
    (64.0 * size.words * 0.55) as u64 + (1 << 20)
}

/// The whole forecast.
pub fn of(rows: usize, columns: usize) -> Forecast {
    let size = size(rows, columns);
    Forecast {
        positions: Some(placements(rows, columns)),
        seconds: 0.1 + size.lifted * 10e-6 + size.slabs * 5e-5,
        memory_bytes: memory(rows, columns),
        data_bytes: (64.0 * size.words * 0.3) as u64 + (64 << 10),
        disk_bytes: disk(&size),
    }
}
