//! Games as the catalogue has them, solved, opened and asked.
//!
//! Here and not beside the games: tests of a single game are built without the catalogue, which takes as long to compile
//! as all games together.

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

/// Enough for every game that is solved here.
const BUDGET: Budget = Budget { threads: 2, memory: 4 << 30 };

fn solve(entry: &Entry, data: &Path) -> SolveReport {
    let run = Run { budget: BUDGET, checkpoint_every: Duration::from_secs(60), observer: &Silent };
    entry.solve(data, &run).unwrap()
}
