//! Benchmarks probes of an open database: a position and all its moves.
//!
//! `cargo bench -p kanzen-games --bench probe [-- GAME]` takes the game (default: nocca-3x4) from the folder in
//! `KANZEN_DATA`, or solves it into a temporary folder, and prints one JSON object: microseconds for a first (cold) and
//! a repeated (warm) probe of positions from random games, and for a repeated probe with trap counts.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use kanzen::catalogue::Run;
use kanzen::progress::Silent;
use kanzen_core::machine::whole_budget;
use kanzen_query::READS;

const POSITIONS: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or("nocca-3x4".into());
    let temporary = tempfile::tempdir()?;
    let data = std::env::var_os("KANZEN_DATA").map_or(temporary.path().to_owned(), PathBuf::from);
    let entry = kanzen_games::catalogue::find(&id)?;
    let run = Run { budget: whole_budget(), checkpoint_every: Duration::from_secs(300), observer: &Silent };
    let report = entry.solve(&data, &run)?;
    let positions = wander(&entry.open(&data)?)?;
    let game = entry.open(&data)?;
    // Like the command.
    game.keep(kanzen_core::machine::whole_budget().memory / 4);
    // With traps twice, so that the second run is warm.
    let [cold, warm, _, traps] = [false, false, true, true].map(|traps| times(&game, &positions, traps));
    let [cold, warm, traps] = [cold?, warm?, traps?];
    println!(
        "{{\"game\": \"{id}\", \"positions\": {}, \"bytes_per_position\": {:.2}, \"probes\": {}, \
         \"cold_median_us\": {:.0}, \"cold_p99_us\": {:.0}, \"warm_median_us\": {:.0}, \"warm_p99_us\": {:.0}, \
         \"warm_max_us\": {:.0}, \"traps_warm_median_us\": {:.0}, \"traps_warm_p99_us\": {:.0}, \
         \"traps_of_plain\": {:.1}}}",
        report.positions,
        report.data_bytes as f64 / report.positions as f64,
        positions.len(),
        cold[cold.len() / 2],
        cold[cold.len() * 99 / 100],
        warm[warm.len() / 2],
        warm[warm.len() * 99 / 100],
        warm[warm.len() - 1],
        traps[traps.len() / 2],
        traps[traps.len() * 99 / 100],
        traps.iter().sum::<f64>() / warm.iter().sum::<f64>(),
    );
    Ok(())
}

/// Microseconds per position, ascending.
fn times(game: &kanzen::catalogue::Solved, positions: &[String], traps: bool) -> Result<Vec<f64>, kanzen::Error> {
    let mut times = Vec::new();
    for position in positions {
        let start = Instant::now();
        let at = game.at(Some(position))?;
        if traps { at.probe_traps(READS) } else { at.probe() }?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Positions from seeded random games.
fn wander(game: &kanzen::catalogue::Solved) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut positions = Vec::new();
    let mut luck = 1u64;
    let mut position = game.initial();
    while positions.len() < POSITIONS {
        positions.push(position.clone());
        let moves = game.at(Some(&position))?.probe()?.moves;
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position = match moves.len() {
            0 => game.initial(),
            many => moves[(luck >> 33) as usize % many].position.clone(),
        };
    }
    Ok(positions)
}
