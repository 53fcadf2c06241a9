//! Measures the memory copy bandwidth.

use std::time::Instant;

use rayon::prelude::*;

/// Gigabytes per second, read and written, on all threads of the current pool: half a gigabyte each, best of five.
pub fn copy_bandwidth() -> f64 {
    let from = vec![1u64; 1 << 26];
    let mut to = vec![0u64; 1 << 26];
    let seconds = (0..5).map(|_| {
        let start = Instant::now();
        to.par_chunks_mut(1 << 16).zip(from.par_chunks(1 << 16)).for_each(|(to, from)| to.copy_from_slice(from));
        start.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::INFINITY, f64::min);
    assert_eq!(to[12345], 1);
    (2 * 8 * from.len()) as f64 / best / 1e9
}
