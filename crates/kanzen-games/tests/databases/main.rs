//! The games of the catalogue: solved, opened and queried.
//!
//! Unit tests leave out the catalogue, which takes as long to compile as all games together, so these tests are here.

mod deadline;
mod four_by_four;
mod morris;
mod musashi;
mod searched;

use std::path::Path;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, Run, SolveReport};
use kanzen::progress::Silent;

/// Enough for every game in these tests.
const BUDGET: Budget = Budget { threads: 2, memory: 4 << 30 };

fn solve(entry: &Entry, data: &Path) -> SolveReport {
    let run = Run { budget: BUDGET, checkpoint_every: Duration::from_secs(60), observer: &Silent };
    entry.solve(data, &run).unwrap()
}
