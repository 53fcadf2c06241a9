//! Measures the cost of solving a game from its rules alone, even if the catalogue has a specialised engine for it.
//!
//! ```sh
//! cargo run --release -p kanzen-games --example rules_only -- nocca-3x4
//! ```
//!
//! The database goes to the folder in `KANZEN_DATA`, or to a temporary one.

use std::sync::Arc;

use std::path::PathBuf;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, GameInfo, Run};
use kanzen::progress::Silent;
use kanzen_games::{catalogue, nocca::Nocca};
use kanzen_solve::{Forecast, RulesOnly};
use serde_json::json;

/// The game with the generic solver: NOCCA from its rules, tiny games from the catalogue.
fn entry(id: &str) -> Result<Arc<Entry>, Box<dyn std::error::Error>> {
    let Some(size) = id.strip_prefix("nocca-") else { return Ok(catalogue::find(id)?) };
    let (rows, columns) = size.split_once('x').ok_or("expected nocca-RxC")?;
    let game = Nocca::new(rows.parse()?, columns.parse()?).ok_or("no such board")?;
    let info = GameInfo { id: id.to_owned(), title: id.to_owned(), rules: String::new() };
    let forecast = Forecast { positions: None, seconds: 0.0, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 };
    Ok(Arc::new(Entry::new(info, game, RulesOnly::new(forecast))))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().nth(1).ok_or("which game? such as nocca-3x4, tictactoe, stones-10000")?;
    let temporary = tempfile::tempdir()?;
    let data = std::env::var_os("KANZEN_DATA").map_or(temporary.path().to_owned(), PathBuf::from);
    let budget = Budget::new(2, 12 << 30);
    let run = Run { budget, checkpoint_every: Duration::from_secs(300), observer: &Silent };
    let report = entry(&id)?.solve(&data, &run)?;
    let mut output = json!(report);
    let positions = report.positions.max(1) as f64;
    output["data_bytes_per_position"] = json!(report.data_bytes as f64 / positions);
    output["memory_bytes_per_position"] = json!(report.peak_rss_bytes.map(|bytes| bytes as f64 / positions));
    println!("{output}");
    Ok(())
}
