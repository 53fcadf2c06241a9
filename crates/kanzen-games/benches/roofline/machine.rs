//! Measures the random-access rate of the machine's memory.

use std::hint::black_box;
use std::time::Instant;

use kanzen_core::machine::prefetch;
use rayon::prelude::*;

/// Bytes of a cache line.
pub const LINE: usize = 64;
/// Cache lines of the memory that is read at random: far more than any cache holds.
const LINES: usize = 1 << 25;
/// Lines that each thread reads.
const READS: usize = 1 << 24;
/// The prefetch distance in lines.
const AHEAD: usize = 32;

/// Millions of random cache lines per second, with prefetch, that all threads of the current pool together read, or
/// read and write.
pub fn random_lines(write: bool) -> f64 {
    let mut memory = vec![[1u64; LINE / 8]; LINES];
    let threads = rayon::current_num_threads();
    let per_thread = LINES / threads;
    let seconds = (0..3).map(|_| {
        let start = Instant::now();
        memory.par_chunks_mut(per_thread).for_each(|lines| {
            let count = lines.len();
            let place = |read: usize| ((read as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize % count;
            let mut sum = 0u64;
            for read in 0..READS {
                prefetch(&lines[place(read + AHEAD)]);
                let line = &mut lines[place(read)];
                sum = sum.wrapping_add(line[0]);
                if write {
                    line[0] = sum;
                }
            }
            black_box(sum);
        });
        start.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::INFINITY, f64::min);
    (threads * READS) as f64 / best / 1e6
}
