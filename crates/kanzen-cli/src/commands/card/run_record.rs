//! Parses the record of a solve for the data card.

use std::path::Path;

use anyhow::Context;
use kanzen::catalogue::Card;
use kanzen_core::human_bytes;
use serde::Deserialize;

use crate::words;

/// A record has at most so many bytes.
const MOST_BYTES: u64 = 16 << 20;

/// What `cargo xtask record` keeps of a run, or the report of `solve --json` alone.
#[derive(Deserialize)]
pub struct RunRecord {
    command: Option<String>,
    /// The day, as `2026-11-16`.
    pub date: Option<String>,
    machine: Option<Machine>,
    /// The commit that the program was built from; older records have only the one of the checkout.
    program_commit: Option<String>,
    peak_disk_bytes: Option<u64>,
    output: Report,
}

#[derive(Deserialize)]
struct Machine {
    cpu: Option<String>,
    cores: Option<u64>,
    system: Option<String>,
    rustc: Option<String>,
    commit: Option<String>,
}

#[derive(Deserialize)]
struct Report {
    game: String,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    seconds: Option<f64>,
    threads: Option<u64>,
    peak_rss_bytes: Option<u64>,
}

impl RunRecord {
    /// Reads one, and refuses that of another game or of other counts.
    pub fn read(file: &Path, card: &Card) -> anyhow::Result<RunRecord> {
        let name = file.display();
        let length = std::fs::metadata(file).with_context(|| format!("cannot read {name}"))?.len();
        anyhow::ensure!(length <= MOST_BYTES, "{name} is too long for the record of a run");
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let record: RunRecord = serde_json::from_str(&text).or_else(|_| {
            let output = serde_json::from_str(&text).with_context(|| format!("{name} is no record of a solve"))?;
            anyhow::Ok(RunRecord {
                command: None,
                date: None,
                machine: None,
                program_commit: None,
                peak_disk_bytes: None,
                output,
            })
        })?;
        let Report { game, positions, wins, losses, draws, .. } = &record.output;
        anyhow::ensure!(*game == card.game, "{name} is the record of {game:?}, not of {}", card.game);
        let same = (*positions, *wins, *losses, *draws) == (card.positions, card.wins, card.losses, card.draws);
        anyhow::ensure!(
            same,
            "{name} is the record of another database: it counts {positions} positions, {wins} wins, {losses} losses and {draws} draws"
        );
        Ok(record)
    }

    /// Its facts by their names.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let mut fact = |name, text: Option<String>| facts.extend(text.map(|text| (name, text)));
        fact("command", self.command.as_ref().map(|command| format!("`{command}`")));
        fact("date", self.date.clone());
        fact("time", self.output.seconds.map(words::time));
        fact("threads", self.output.threads.map(|threads| threads.to_string()));
        fact("memory, at most", self.output.peak_rss_bytes.map(human_bytes));
        fact("disk, at most", self.peak_disk_bytes.map(human_bytes));
        if let Some(machine) = &self.machine {
            let cores = machine.cores.map(|cores| words::counted(cores, "core"));
            let parts: Vec<String> =
                [machine.cpu.clone(), cores, machine.system.clone()].into_iter().flatten().collect();
            fact("machine", (!parts.is_empty()).then(|| parts.join(", ")));
            fact("compiler", machine.rustc.clone());
            fact(
                "commit",
                self.program_commit.as_ref().or(machine.commit.as_ref()).map(|commit| format!("`{commit}`")),
            );
        }
        facts
    }
}
