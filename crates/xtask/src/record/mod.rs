//! Runs a command and records its output, time, memory and machine as results/NAME.json.

mod machine;
mod measure;
mod names;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};

use measure::DiskWatch;
use names::Names;

/// Runs `command` in the top folder and writes results/NAME.json if it succeeds.
pub fn record(root: &Path, name: &str, command: &[&str]) -> Result<()> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    ensure!(
        name.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && name.chars().all(fits),
        "`{name}` is not a name for a file: letters, digits, `-`, `_` and `.`"
    );
    let record = run(root, command)?;
    let file = Path::new("results").join(format!("{name}.json"));
    std::fs::create_dir_all(root.join("results")).context("cannot make results/")?;
    let text = serde_json::to_string_pretty(&record)? + "\n";
    std::fs::write(root.join(&file), text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: {} s, {} bytes at most", file.display(), record["seconds"], record["peak_rss_bytes"]);
    Ok(())
}

/// The record of one run.
fn run(root: &Path, command: &[&str]) -> Result<Json> {
    let names = Names::of(root, command);
    let machine = machine::describe(root);
    let date = machine::today(root);
    let program_commit = machine::program_commit(root, command[0]);
    let watch = std::env::var_os("KANZEN_DATA").map(|folder| DiskWatch::start(folder.into()));
    let run = measure::run(root, command)?;
    let disk = watch.map(DiskWatch::stop);
    ensure!(run.status.success(), "{} ended with {}; nothing is recorded", command[0], run.status);
    let output = match serde_json::from_str(&run.output) {
        Ok(json) => names.hide_in(json),
        Err(_) => Json::String(names.hide(&run.output)),
    };
    let mut record = json!({
        "command": names.command(command),
        "date": date,
        "machine": machine,
        "seconds": thousandths(run.seconds),
        "user_seconds": thousandths(run.user_seconds),
        "system_seconds": thousandths(run.system_seconds),
        "peak_rss_bytes": run.peak_rss_bytes,
    });
    if let Some(commit) = program_commit {
        record["program_commit"] = commit.into();
    }
    if let Some(bytes) = disk.filter(|&bytes| bytes > 0) {
        record["peak_disk_bytes"] = bytes.into();
    }
    record["output"] = output;
    Ok(record)
}

fn thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(root: &Path, script: &str) -> Result<Json> {
        run(root, &["sh", "-c", script])
    }

    #[test]
    fn output_that_is_json_stays_json() {
        let folder = tempfile::tempdir().unwrap();
        let record = sh(folder.path(), r#"echo '{"positions": 7, "values": ["win"]}'"#).unwrap();
        assert_eq!(record["output"], json!({"positions": 7, "values": ["win"]}));
        assert_eq!(record["command"], r#"sh -c 'echo '\''{"positions": 7, "values": ["win"]}'\'''"#);
        assert!(record["peak_rss_bytes"].as_u64().unwrap() > 100_000);
        assert!(record["machine"]["cores"].as_u64().unwrap() >= 1);
    }

    #[test]
    fn other_output_is_text_without_paths() {
        let folder = tempfile::tempdir().unwrap();
        let record = sh(folder.path(), "printf 'in %s/target\\n' \"$PWD\"").unwrap();
        assert_eq!(record["output"], "in target\n");
    }

    #[test]
    fn a_run_that_fails_is_not_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let error = record(folder.path(), "bad", &["sh", "-c", "exit 3"]).unwrap_err();
        assert_eq!(error.to_string(), "sh ended with exit status: 3; nothing is recorded");
        assert!(!folder.path().join("results").exists());
    }

    #[test]
    fn a_record_is_written_under_its_name() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), "small-1", &["echo", "fine"]).unwrap();
        let text = std::fs::read_to_string(folder.path().join("results/small-1.json")).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap()["output"], "fine\n");
        for name in ["../up", "a/b", "", "a b", ".hidden"] {
            assert!(record(folder.path(), name, &["true"]).is_err(), "{name:?}");
        }
    }
}
