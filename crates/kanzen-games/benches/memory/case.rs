//! One solve in a process of its own: what its solver reserved, and what the process took.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, GameInfo, Run};
use kanzen::progress::Silent;
use kanzen::solve::{Forecast, RulesOnly};
use kanzen_games::{catalogue, nocca::Nocca};

/// What a process may take beyond what its solver reserved, besides a twentieth of it.
const BESIDES: u64 = 64 << 20;
/// Names the line that a process tells its result in.
const MARK: &str = "memory of a solve:";

/// What a solve took.
#[derive(Clone, Copy)]
pub struct Case {
    /// The most bytes that the solver had reserved at a time.
    pub reserved: u64,
    /// The most bytes that the process held.
    pub peak: u64,
    /// How long it took.
    pub seconds: f64,
}

impl Case {
    /// Whether the process took no more than was reserved.
    pub fn holds(&self) -> bool {
        self.peak <= self.reserved + self.reserved / 20 + BESIDES
    }

    /// Solves a game here, in this process, and prints what it took.
    pub fn solve(id: &str, threads: usize) -> Result<(), Box<dyn std::error::Error>> {
        let data = tempfile::tempdir()?;
        let budget = Budget::new(threads, 20 << 30);
        let run = Run { budget, checkpoint_every: Duration::from_secs(300), observer: &Silent };
        let report = entry(id)?.solve(data.path(), &run)?;
        let reserved = report.reserved_bytes.ok_or("solved before")?;
        let peak = report.peak_rss_bytes.ok_or("this system does not tell the peak")?;
        println!("\n{MARK} {reserved} {peak} {}", report.seconds);
        Ok(())
    }

    /// What a process that calls [`solve`](Case::solve) has told.
    pub fn of(process: &mut Command) -> Result<Case, Box<dyn std::error::Error>> {
        let output = process.output()?;
        let text = String::from_utf8(output.stdout)?;
        let told = text.lines().find_map(|line| line.strip_prefix(MARK));
        let told = told.ok_or_else(|| format!("{text}{}", String::from_utf8_lossy(&output.stderr)))?;
        let numbers: Vec<f64> = told.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [reserved, peak, seconds] = numbers[..] else { return Err(told.into()) };
        Ok(Case { reserved: reserved as u64, peak: peak as u64, seconds })
    }
}

/// A game of the catalogue, or NOCCA by its rules alone: `rules:nocca-3x4`.
fn entry(id: &str) -> Result<Arc<Entry>, Box<dyn std::error::Error>> {
    let Some(name) = id.strip_prefix("rules:") else { return Ok(catalogue::find(id)?) };
    let size = name.strip_prefix("nocca-").and_then(|size| size.split_once('x')).ok_or("expected rules:nocca-RxC")?;
    let game = Nocca::new(size.0.parse()?, size.1.parse()?).ok_or("no such board")?;
    let info = GameInfo { id: name.to_owned(), title: name.to_owned(), rules: String::new() };
    let forecast = Forecast { positions: None, seconds: 0.0, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 };
    Ok(Arc::new(Entry::new(info, game, RulesOnly::new(forecast))))
}
