//! Precomputes what would otherwise need the whole database: statistics, longest games, puzzles.

use std::path::Path;

use kanzen::catalogue::Entry;
use kanzen_web::{EXAMPLES, Source};
use serde::Serialize;

use super::put;

/// Puzzles are those of this seed.
const SEED: u64 = 1;

/// Writes the statistics, the longest games, the puzzles and the source of a database, as the HTTP API returns them.
pub fn write(entry: &Entry, data: &Path, out: &Path, puzzles: usize) -> anyhow::Result<()> {
    let solved = entry.open(data)?;
    let stats = solved.stats()?;
    put_json(out, "stats.json", &stats)?;
    put(out, "stats.csv", stats.plain_csv().as_bytes())?;
    put(out, "published.csv", solved.csv()?.as_bytes())?;
    put_json(out, "longest.json", &solved.longest_games(EXAMPLES)?)?;
    put_json(out, "puzzles.json", &solved.puzzles(puzzles, SEED)?)?;
    put_json(out, "provenance.json", &Source::new(entry.provenance(data)?))
}

fn put_json(out: &Path, name: &str, answer: &impl Serialize) -> anyhow::Result<()> {
    put(out, name, &serde_json::to_vec(answer)?)
}
