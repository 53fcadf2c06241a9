//! Benchmarks the two phases of a round of Sixteen Musashi in GB/s, against copying memory on the same threads.
//!
//! `cargo bench -p kanzen-games --bench musashi [-- POINTS ROUNDS THREADS]` (default: 31 points, 4 rounds, 2 threads)
//! prints one JSON object. It counts each byte of the sets that a phase must read or write once.

#[path = "measure/copy.rs"]
mod copy;
#[path = "measure/musashi.rs"]
mod halves;

use kanzen_core::machine::cpu::Isa;
use kanzen_games::musashi::Musashi;
use serde_json::json;

use self::copy::copy_bandwidth;
use self::halves::{Phase, first_rounds};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (points, rounds) = (numbers.next().unwrap_or(31), numbers.next().unwrap_or(4));
    let threads = numbers.next().unwrap_or(2);
    let game = Musashi::new(points).expect("25, 31 or 33 points");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (copy, phases) = pool.install(|| (copy_bandwidth(), first_rounds(&game, Isa::best(), rounds)));
    let phases = phases.expect("enough memory");
    let line = |phase: &Phase| {
        let speed = phase.bytes as f64 / phase.seconds / 1e9;
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
