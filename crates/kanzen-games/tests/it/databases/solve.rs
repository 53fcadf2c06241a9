//! Solves a game of the catalogue for a test.

use std::path::Path;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, Run, SolveReport};
use kanzen::progress::Silent;

/// Enough for every game in these tests.
pub const BUDGET: Budget = Budget { threads: 2, memory: 4 << 30 };

pub fn solve(entry: &Entry, data: &Path) -> SolveReport {
    let run = Run { budget: BUDGET, checkpoint_every: Duration::from_secs(60), observer: &Silent };
    entry.solve(data, &run).unwrap()
}
