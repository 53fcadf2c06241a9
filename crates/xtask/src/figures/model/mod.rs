//! Tables that are worked out from recorded runs: what has not been run, by constants that were measured.
//!
//! ```text
//! <!-- model results/cluster-cost.json machines -->     the retrograde engine on more machines
//! <!-- model results/nocca-6x5.json nocca -->           a larger board of NOCCA
//! ```

mod machines;
mod nocca;

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;

/// Reads a file of results/ by its name.
pub type Read<'a> = dyn Fn(&str) -> Result<Json> + 'a;

/// The table of a model, in markdown.
pub fn table(file: &str, which: &str, read: &Read<'_>) -> Result<String> {
    match which {
        "machines" => machines::table(file, read),
        "nocca" => nocca::table(file, read),
        _ => bail!("`{which}` is no model: there are machines and nocca"),
    }
}

/// A number of a record.
fn number(file: &str, json: &Json, pointer: &str) -> Result<f64> {
    let found = json.pointer(pointer).and_then(Json::as_f64);
    found.with_context(|| format!("{file} has no number {pointer}"))
}

/// A table whose first columns are words and whose others are numbers.
fn markdown(words: usize, head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |", cells.join(" | "));
    let rules: Vec<&str> = (0..head.len()).map(|column| if column < words { "---" } else { "---:" }).collect();
    let mut lines = vec![line(head.to_vec()), format!("|{}|", rules.join("|"))];
    lines.extend(rows.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    lines.join("\n")
}
