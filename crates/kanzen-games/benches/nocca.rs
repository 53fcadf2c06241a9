//! Benchmarks the sweeps of NOCCA x NOCCA, in nanoseconds per lifted board.
//!
//! `cargo bench -p kanzen-games --bench nocca [-- ROWS COLUMNS ROUNDS THREADS]` (default: 5 rows, 4 columns, all
//! rounds, 1 thread) prints one JSON object. A lifted board covers all colourings of its pieces: 126 for 9 pieces.

#[path = "measure/nocca.rs"]
mod sweeps;

use kanzen_games::nocca::Nocca;
use serde_json::json;

use self::sweeps::{MeasuredRound, measure};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (rows, columns) = (numbers.next().unwrap_or(5), numbers.next().unwrap_or(4));
    let (rounds, threads) = (numbers.next().unwrap_or(1000), numbers.next().unwrap_or(1));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let game = Nocca::new(rows, columns).expect("a valid board");
    let measured = pool.install(|| measure(&game, rounds)).expect("enough memory");
    let nanoseconds = |round: &MeasuredRound| round.sweep.as_secs_f64() * 1e9 / round.lifted.max(1) as f64;
    let line = |round: &MeasuredRound| {
        json!({
            "distance": round.distance, "positions": round.positions, "lifted": round.lifted,
            "seconds": round.sweep.as_secs_f64(), "ns_per_lifted": nanoseconds(round),
        })
    };
    let swept = || measured.iter().filter(|round| round.lifted > 0);
    let lifted: u64 = swept().map(|round| round.lifted).sum();
    let seconds: f64 = swept().map(|round| round.sweep.as_secs_f64()).sum();
    let report = json!({
        "rows": rows, "columns": columns, "threads": threads, "lifted": lifted, "seconds": seconds,
        "ns_per_lifted": seconds * 1e9 / lifted as f64, "rounds": measured.iter().map(line).collect::<Vec<_>>(),
    });
    println!("{report:#}");
}
