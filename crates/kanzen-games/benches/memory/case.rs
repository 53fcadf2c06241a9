//! Solves one game in its own process and compares the memory that its solver reserved with the process's peak.

use std::sync::Arc;

use std::process::Command;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, GameInfo, Run};
use kanzen::progress::Silent;
use kanzen_games::{catalogue, nocca::Nocca};
use kanzen_solve::{Forecast, RulesOnly};

/// The memory that a process may use beyond the reservation, in addition to a twentieth of it.
const BESIDES: u64 = 64 << 20;
/// Marks the line with the result of a process.
const MARK: &str = "memory of a solve:";

/// The memory and time of a solve.
#[derive(Clone, Copy)]
pub struct Case {
    /// The peak of the solver's reservations, in bytes.
    pub reserved: u64,
    /// The peak resident memory of the process, in bytes.
    pub peak: u64,
    /// The elapsed time.
    pub seconds: f64,
}

impl Case {
    /// Whether the process stayed within the reservation.
    pub fn holds(&self) -> bool {
        self.peak <= self.reserved + self.reserved / 20 + BESIDES
    }

    /// Solves a game in this process and prints the result.
    pub fn solve(id: &str, threads: usize) -> Result<(), Box<dyn std::error::Error>> {
        let data = tempfile::tempdir()?;
        let budget = Budget::new(threads, 20 << 30);
        let run = Run { budget, checkpoint_every: Duration::from_secs(300), observer: &Silent };
        let report = entry(id)?.solve(data.path(), &run)?;
        let reserved = report.reserved_bytes.ok_or("already solved")?;
        let peak = report.peak_rss_bytes.ok_or("this system does not report the peak")?;
        println!("\n{MARK} {reserved} {peak} {}", report.seconds);
        Ok(())
    }

    /// Runs a process that calls [`solve`](Case::solve) and parses its result.
    pub fn of(process: &mut Command) -> Result<Case, Box<dyn std::error::Error>> {
        let output = process.output()?;
        let text = String::from_utf8(output.stdout)?;
        let line = text.lines().find_map(|text| text.strip_prefix(MARK));
        let line = line.ok_or_else(|| format!("{text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [reserved, peak, seconds] = numbers[..] else { return Err(line.into()) };
        Ok(Case { reserved: reserved as u64, peak: peak as u64, seconds })
    }
}

/// A game of the catalogue, or NOCCA from its rules alone: `rules:nocca-3x4`.
fn entry(id: &str) -> Result<Arc<Entry>, Box<dyn std::error::Error>> {
    let Some(name) = id.strip_prefix("rules:") else { return Ok(catalogue::find(id)?) };
    let size = name.strip_prefix("nocca-").and_then(|size| size.split_once('x')).ok_or("expected rules:nocca-RxC")?;
    let game = Nocca::new(size.0.parse()?, size.1.parse()?).ok_or("no such board")?;
    let info = GameInfo { id: name.to_owned(), title: name.to_owned(), rules: String::new() };
    let forecast = Forecast { positions: None, seconds: 0.0, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 };
    Ok(Arc::new(Entry::new(info, game, RulesOnly::new(forecast))))
}
