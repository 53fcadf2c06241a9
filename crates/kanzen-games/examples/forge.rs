//! Fuzzes the database reader with hundreds of thousands of forged databases, each with every query.
//!
//! ```sh
//! cargo run --release -p kanzen-games --example forge -- 100000 1
//! ```
//!
//! The arguments are the number of forgeries, a seed, and optionally the number of the first forgery, to reproduce one.
//! It prints one JSON object and fails if a forgery caused a fault.

#[path = "../tests/timing/forged/mod.rs"]
mod forged;

use std::collections::BTreeMap;
use std::time::Instant;

use forged::{Summary, databases, try_forgery};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let count = numbers.next().transpose()?.unwrap_or(1000);
    let seed = numbers.next().transpose()?.unwrap_or(1);
    let first = numbers.next().transpose()?.unwrap_or(0);
    let all = databases();
    let start = Instant::now();
    let mut summary = Summary::default();
    if count > 1 {
        std::panic::set_hook(Box::new(|_| {}));
    }
    for number in first..first + count {
        let (faults, wrong) = (summary.faults.len(), summary.passed_wrongly.len());
        try_forgery(&all, seed, number, &mut summary);
        summary.faults[faults..].iter().for_each(|fault| eprintln!("{fault}"));
        summary.passed_wrongly[wrong..].iter().for_each(|wrong| eprintln!("passed verify --full: {wrong}"));
        if number % 1000 == 999 {
            eprintln!("{} forgeries, {} faults", number + 1 - first, summary.faults.len());
        }
    }
    let mut kinds: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    for ((kind, outcome), times) in &summary.outcomes {
        kinds.entry(kind).or_default().insert(format!("{outcome:?}"), *times);
    }
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    summary
        .outcomes
        .iter()
        .for_each(|((_, outcome), times)| *outcomes.entry(format!("{outcome:?}")).or_default() += times);
    println!(
        "{}",
        serde_json::to_string_pretty(&json!({
            "forgeries": summary.forgeries,
            "seed": seed,
            "games": summary.games,
            "outcomes": outcomes,
            "kinds": kinds,
            "panics": summary.panics,
            "faults": summary.faults.len(),
            "passed_wrongly": summary.passed_wrongly.len(),
            "slowest_seconds": summary.slowest.as_secs_f64(),
            "peak_bytes_of_one": summary.peak,
            "seconds": start.elapsed().as_secs_f64(),
        }))?
    );
    if summary.faults.is_empty() && summary.passed_wrongly.is_empty() {
        Ok(())
    } else {
        Err("some forgeries caused faults".into())
    }
}
