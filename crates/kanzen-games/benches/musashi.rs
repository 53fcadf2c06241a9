//! The two halves of a round of Sixteen Musashi in GB/s, against copying memory on the same threads.
//!
//! `cargo bench -p kanzen-games --bench musashi [-- POINTS ROUNDS THREADS]` (31 points, 4 rounds, 2 threads unless told
//! otherwise) prints one JSON object. Bytes are those of the sets that a half must read and write at least once.

use std::time::Instant;

use kanzen::machine::cpu::Isa;
use kanzen_games::musashi::{Musashi, Phase, first_rounds};
use rayon::prelude::*;
use serde_json::json;

/// Reads and writes a gigabyte in all, the best of five times; both count.
fn copy_bandwidth() -> f64 {
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

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (points, rounds) = (numbers.next().unwrap_or(31), numbers.next().unwrap_or(4));
    let threads = numbers.next().unwrap_or(2);
    let game = Musashi::new(points).expect("25, 31 or 33 points");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (copy, phases) = pool.install(|| (copy_bandwidth(), first_rounds(&game, Isa::best(), rounds)));
    let phases = phases.expect("enough memory");
    let line = |phase: &Phase| {
        let speed = phase.gigabytes_per_second();
        json!({
            "round": phase.round, "phase": phase.name, "seconds": phase.seconds, "bytes": phase.bytes,
            "gigabytes_per_second": speed, "of_copy_bandwidth": speed / copy,
        })
    };
    let report = json!({
        "points": points, "threads": threads, "instructions": Isa::best().name(),
        "copy_gigabytes_per_second": copy, "phases": phases.iter().map(line).collect::<Vec<_>>(),
    });
    println!("{report:#}");
}
