//! The settings of a run, from the common options and the environment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use kanzen::Budget;
use kanzen_core::machine::{keep_within, machine_budget, room_within_limits, start_workers};
use kanzen_store::VfsPath;

use crate::args::Common;
use crate::output::Output;
use crate::program::Program;

/// Of the memory that is allowed, one part in so many is for what was read from a database.
const KEPT: u64 = 4;

/// The settings that every command gets.
pub struct Settings {
    /// The folder of the databases.
    pub data: VfsPath,
    /// Threads and memory.
    pub budget: Budget,
    /// Answers in JSON.
    pub json: bool,
    /// No progress.
    pub quiet: bool,
    /// How often a solve writes a checkpoint.
    pub checkpoint_every: Duration,
    /// Where answers go.
    pub output: Output,
    /// The program, and the games it offers.
    pub program: Program,
    /// The command line of the program.
    pub definition: clap::Command,
}

impl Settings {
    /// The settings that these options ask for.
    pub(crate) fn new(common: Common, program: Program, definition: clap::Command) -> anyhow::Result<Settings> {
        let data = match common.data {
            Some(folder) => folder,
            None => data_folder(|name| std::env::var_os(name), cfg!(target_os = "macos"))
                .context("no folder for the databases: give --data DIR, or set KANZEN_DATA")?,
        };
        let machine = machine_budget();
        // The limits of the system hold, whatever the option allows.
        let limit = room_within_limits().unwrap_or(u64::MAX);
        let memory = common.memory.map_or(machine.memory, |size| size.0.min(limit));
        let budget = Budget::new(common.threads.unwrap_or(machine.threads), memory);
        keep_within(budget);
        start_workers(budget.threads.min(machine.threads));
        Ok(Settings {
            data: VfsPath::new(program.vfs.clone(), data),
            budget,
            json: common.json,
            quiet: common.quiet,
            checkpoint_every: Duration::from_secs(common.checkpoint_seconds),
            output: Output::new(),
            program,
            definition,
        })
    }

    /// Bytes of what an answer has read that are kept for the next ones.
    pub fn kept(&self) -> u64 {
        self.budget.memory / KEPT
    }

    /// The same for a question that asks for very many positions all over a database, and has the memory to itself: what
    /// the system keeps of the files needs memory too.
    pub fn kept_by_many(&self) -> u64 {
        self.budget.memory / 2
    }

    /// Refuses `--json` for a command without JSON output.
    pub fn refuse_json(&self, why: &str) -> anyhow::Result<()> {
        anyhow::ensure!(!self.json, "--json does not go with this command: {why}");
        Ok(())
    }
}

/// Returns the default folder of the databases, from the environment.
fn data_folder(variable: impl Fn(&str) -> Option<OsString>, macos: bool) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = folder("KANZEN_DATA") {
        return Some(named);
    }
    if macos {
        return Some(folder("HOME")?.join("Library/Application Support/kanzen"));
    }
    // The XDG specification: a path that is not absolute is to be ignored.
    match folder("XDG_DATA_HOME").filter(|path| path.is_absolute()) {
        Some(shared) => Some(shared.join("kanzen")),
        None => Some(folder("HOME")?.join(".local/share/kanzen")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)], macos: bool) -> Option<String> {
        let lookup = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        data_folder(lookup, macos).map(|path| path.display().to_string())
    }

    #[test]
    fn the_variable_then_the_users_folder() {
        let home = ("HOME", "/home/ada");
        let all = [("KANZEN_DATA", "db"), ("XDG_DATA_HOME", "/xdg"), home];
        assert_eq!(chosen(&all, false).as_deref(), Some("db"));
        assert_eq!(chosen(&all[1..], false).as_deref(), Some("/xdg/kanzen"));
        assert_eq!(chosen(&[home], false).as_deref(), Some("/home/ada/.local/share/kanzen"));
        assert_eq!(chosen(&[home], true).as_deref(), Some("/home/ada/Library/Application Support/kanzen"));
    }

    #[test]
    fn an_empty_variable_is_none() {
        let empty = [("KANZEN_DATA", ""), ("XDG_DATA_HOME", "relative"), ("HOME", "/h")];
        assert_eq!(chosen(&empty, false).as_deref(), Some("/h/.local/share/kanzen"));
        assert_eq!(chosen(&[], false), None);
    }
}
