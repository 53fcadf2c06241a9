//! The two halves of a round of Sixteen Musashi in GB/s, against copying memory on the same threads.
//!
//! `cargo bench -p kanzen-games --bench musashi [-- POINTS ROUNDS THREADS]` (31 points, 4 rounds, 2 threads unless told
//! otherwise) prints one JSON object. Bytes are those of the sets that a half must read and write at least once.

use std::time::Instant;

use kanzen::Error;
use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::{Rounds, ScheduleStep};
use kanzen_games::musashi::{Musashi, MusashiIndex, MusashiRounds};
use rayon::prelude::*;
use serde_json::json;

/// One half of a round: how long it took, and how many bytes of sets it had to read and write at least.
struct Phase {
    round: usize,
    name: &'static str,
    seconds: f64,
    /// Each set once: those read, and those written.
    bytes: u64,
}

/// Plays the first rounds on a board, without a log, in the current pool of threads.
fn first_rounds(game: &Musashi, isa: Isa, most: usize) -> Result<Vec<Phase>, Error> {
    let index = MusashiIndex::new(game);
    let rounds = MusashiRounds::new(game.board(), &index, isa);
    let mut engine = rounds.begin()?;
    let bytes = 1u64 << index.layout().bits() >> 3;
    let mut phases = Vec::new();
    for round in 0..most {
        let mut lose = Phase { round, name: "lose", seconds: 0.0, bytes: 0 };
        let mut win = Phase { round, name: "win", seconds: 0.0, bytes: 0 };
        for &step in rounds.steps() {
            let start = Instant::now();
            match step {
                ScheduleStep::Make { set, buffer } => {
                    engine.lose(set, buffer);
                    lose.seconds += start.elapsed().as_secs_f64();
                    lose.bytes += (engine.reads(set) as u64 + 1) * bytes;
                }
                ScheduleStep::Renew { set, buffer } => {
                    engine.win(set, buffer, |make| {
                        (0..rounds.shapes()[set].chunks()).into_par_iter().for_each(|chunk| drop(make(chunk)));
                        Ok(())
                    })?;
                    win.seconds += start.elapsed().as_secs_f64();
                    win.bytes += 3 * bytes; // the lost set is read, the won set read and written
                }
            }
        }
        engine.end_round();
        phases.extend([lose, win]);
    }
    Ok(phases)
}

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
