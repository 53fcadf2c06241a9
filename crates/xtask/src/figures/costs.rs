//! Collects cost and results of the recorded solves into `crates/kanzen-games/src/recorded.csv`.
//!
//! Forecasts and citations of the games are made of that table. It is part of the library, which ships without results/.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::problem::Problem;

const TABLE: &str = "crates/kanzen-games/src/recorded.csv";
const HEAD: &str = "# Complete solves on two threads, from results/; written by `cargo xtask figures`\n\
                    game,seconds,memory_bytes,data_bytes,disk_bytes,longest,record,date,commit,cpu,cores,positions,wins,losses,draws\n";

/// Writes the table if it differs from the records.
pub fn write(root: &Path) -> Result<()> {
    let (path, table) = (root.join(TABLE), table(root)?);
    if std::fs::read_to_string(&path).ok().as_deref() != Some(&table) {
        std::fs::write(&path, table).with_context(|| format!("cannot write {TABLE}"))?;
        println!("{TABLE}: changed");
    }
    Ok(())
}

/// Returns a problem if the table differs from the records.
pub fn check(root: &Path) -> Result<Option<Problem>> {
    let stale = std::fs::read_to_string(root.join(TABLE)).ok().as_deref() != Some(&table(root)?);
    Ok(stale.then(|| Problem::with(TABLE, "differs from results/: run `cargo xtask figures`")))
}

fn table(root: &Path) -> Result<String> {
    let mut rows = Vec::new();
    let folder = root.join("results");
    for file in std::fs::read_dir(&folder).context("cannot list results/")? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "json") {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            rows.extend(serde_json::from_str(&text).ok().and_then(|record| row(&name, &record)));
        }
    }
    rows.sort();
    Ok(HEAD.to_owned() + &rows.concat())
}

/// The row of a complete solve on two threads; `None` for other records.
fn row(name: &str, record: &Json) -> Option<String> {
    let (output, machine) = (&record["output"], &record["machine"]);
    if !record["command"].as_str()?.starts_with("kanzen solve ") || output["threads"] != 2 {
        return None;
    }
    let commit = Some(&record["program_commit"]).filter(|commit| commit.is_string()).unwrap_or(&machine["commit"]);
    let count = |value: &Json| Some(value.as_u64()?.to_string());
    // Names of processors may have commas, which would end the field.
    let word = |value: &Json| Some(value.as_str()?.replace(',', " "));
    let data = output["data_bytes"].as_u64()?;
    let fields = [
        word(&output["game"])?,
        format!("{:.3}", output["seconds"].as_f64()?),
        count(&output["peak_rss_bytes"])?,
        data.to_string(),
        record["peak_disk_bytes"].as_u64().unwrap_or(data).max(data).to_string(),
        count(&output["longest"]["distance"]).unwrap_or_default(),
        name.to_owned(),
        word(&record["date"])?,
        word(commit)?,
        word(&machine["cpu"])?,
        count(&machine["cores"])?,
        count(&output["positions"])?,
        count(&output["wins"])?,
        count(&output["losses"])?,
        count(&output["draws"])?,
    ];
    Some(fields.join(",") + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_is_a_whole_solve_on_two_threads() {
        let output = json!({
            "game": "go", "seconds": 1.25, "threads": 2, "peak_rss_bytes": 7, "data_bytes": 8,
            "positions": 6, "wins": 3, "losses": 2, "draws": 1,
        });
        let machine = json!({"cpu": "Abacus, large", "cores": 4, "commit": "c0ffee"});
        let command = "kanzen solve go --json";
        let record = json!({
            "command": command, "date": "2026-11-17", "machine": machine, "output": output, "peak_disk_bytes": 9,
        });
        let expected = "go,1.250,7,8,9,,go-again,2026-11-17,c0ffee,Abacus  large,4,6,3,2,1\n";
        assert_eq!(row("go-again", &record).as_deref(), Some(expected));
        let mut named = record.clone();
        named["program_commit"] = json!("facade");
        assert_eq!(row("go-again", &named), Some(expected.replace("c0ffee", "facade")));
        let mut alone = record.clone();
        alone["output"]["threads"] = json!(1);
        assert_eq!(row("go", &alone), None);
        let mut other = record;
        other["command"] = json!("rules_only go");
        assert_eq!(row("go", &other), None);
    }
}
