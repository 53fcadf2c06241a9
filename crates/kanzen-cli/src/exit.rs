//! Maps the result of a command to its exit status, and to one line on standard error where it is not 0.

use std::io::Write;

use clap::error::ErrorKind as UsageKind;
use kanzen::{Advice, Error, ErrorKind};
use kanzen_core::{human_bytes, machine};

use crate::nearest::similar;
use crate::output::{Output, ReaderLeft};
use crate::program::Program;
use crate::words;

/// How a command that could do its work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All is well.
    Done,
    /// A negative answer: stored values contradict the rules, or a position of many could not be read.
    Mismatch,
    /// Interrupted; the answer is partial.
    Interrupted,
}

const DONE: u8 = 0;
const NEGATIVE: u8 = 1;
pub(crate) const BAD: u8 = 2;
pub(crate) const INTERRUPTED: u8 = 130;

/// Interrupted work without a checkpoint.
#[derive(Debug)]
pub struct NothingKept;

impl std::fmt::Display for NothingKept {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("interrupted; nothing saved")
    }
}

impl std::error::Error for NothingKept {}

/// Converts the error of a command without checkpoints: an interruption must not advise to resume.
///
/// ```
/// use kanzen_cli::exit::keeps_nothing;
/// assert_eq!(keeps_nothing(kanzen::Error::Stopped).to_string(), "interrupted; nothing saved");
/// assert_eq!(keeps_nothing(kanzen::Error::TooLong).to_string(), kanzen::Error::TooLong.to_string());
/// ```
pub fn keeps_nothing(error: Error) -> anyhow::Error {
    match error {
        Error::Stopped => NothingKept.into(),
        other => other.into(),
    }
}

/// Returns the exit status of a run, and reports an error on standard error.
pub(crate) fn status(program: &Program, ended: anyhow::Result<Ending>) -> u8 {
    let name = program.name;
    match ended {
        Ok(Ending::Done) => DONE,
        Ok(Ending::Mismatch) => NEGATIVE,
        Ok(Ending::Interrupted) => INTERRUPTED,
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(usage) => usage_status(name, usage),
            None => failure_status(name, &error, &similar_games(&error, program)),
        },
    }
}

fn failure_status(program: &str, error: &anyhow::Error, similar: &[String]) -> u8 {
    if error.is::<ReaderLeft>() {
        return DONE;
    }
    print_error(program, &sentence(error, program, similar));
    error_status(error)
}

/// Returns the games whose names are similar to an unknown one.
fn similar_games(error: &anyhow::Error, program: &Program) -> Vec<String> {
    let Some(Error::UnknownGame { id }) = error.downcast_ref() else { return Vec::new() };
    let names: Vec<String> = program.games.all().iter().map(|entry| entry.info().id.clone()).collect();
    similar(id, &names)
}

fn error_status(error: &anyhow::Error) -> u8 {
    if error.is::<NothingKept>() {
        return INTERRUPTED;
    }
    error.downcast_ref().map_or(BAD, |error: &Error| status_of(error.kind()))
}

/// The exit status of each kind of error.
fn status_of(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::NotSolved => NEGATIVE,
        ErrorKind::Stopped => INTERRUPTED,
        ErrorKind::UnknownGame
        | ErrorKind::BadInput
        | ErrorKind::NotStored
        | ErrorKind::AlreadySolved
        | ErrorKind::Busy
        | ErrorKind::TooLarge
        | ErrorKind::TooLong
        | ErrorKind::Damaged
        | ErrorKind::NotFetched
        | ErrorKind::System
        | ErrorKind::Bug => BAD,
    }
}

/// Words the advice on an error with the options and commands of the program.
fn in_words(advice: &Advice, program: &str) -> String {
    match advice {
        Advice::ListGames => format!("`{program} games` lists those there are"),
        Advice::Solve(game) => format!("run `{program} solve {game}`"),
        Advice::MoreMemory(bytes) => match machine::room_within_limits().filter(|room| room < bytes) {
            None => format!("raise --memory to {}", words::bytes_or_more(*bytes)),
            Some(room) => format!("the limits of the system leave {}", human_bytes(room)),
        },
        Advice::FewerThreads => "try --threads 1".to_owned(),
        Advice::GoOn => "the same command goes on from here".to_owned(),
        Advice::NearerTheEnd => {
            "ask for a position nearer to the end of the game, or give `probe` and `line` more --seconds".to_owned()
        }
        Advice::RestoreOrSolveAgain => "restore it, or remove its folder and solve again".to_owned(),
        Advice::SampleOrAll => "sample it (--sample N), take a part (--part I/N), or insist with --all".to_owned(),
        Advice::SolveAgain { folder } => {
            format!("remove the folder {} and solve again, or use another one with --data DIR", folder.display())
        }
    }
}

/// The error, what caused it, and what could be done. The library's errors quote their causes already: those are
/// not repeated.
fn sentence(error: &anyhow::Error, program: &str, similar: &[String]) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    if !similar.is_empty() {
        text += &format!("; did you mean {}?", similar.join(", "));
    } else if let Some(advice) = error.downcast_ref().and_then(Error::advice) {
        text += &format!(": {}", in_words(&advice, program));
    }
    text
}

/// Prints help and version as answers; reduces any other message of clap to one line.
fn usage_status(program: &str, usage: &clap::Error) -> u8 {
    match usage.kind() {
        UsageKind::DisplayHelp | UsageKind::DisplayVersion => {
            let output = Output::new();
            let text = usage.render();
            let text = if output.paint.is_on() { text.ansi().to_string() } else { text.to_string() };
            output.print(text).map_or_else(|failed| failure_status(program, &failed, &[]), |()| DONE)
        }
        UsageKind::DisplayHelpOnMissingArgumentOrSubcommand | UsageKind::MissingSubcommand => {
            let text = format!("no command: `{program} --help` lists them, `{program} games` lists the games");
            print_error(program, &text);
            BAD
        }
        _ => {
            print_error(program, &usage_line(&usage.to_string()));
            BAD
        }
    }
}

/// Joins clap's paragraphs into one line: the error, then the tips; the usage is left to `--help`.
fn usage_line(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    });
    let sentences: Vec<String> = paragraphs
        .map(|paragraph| paragraph.trim_start_matches("error: ").trim_start_matches("tip: ").to_owned())
        .filter(|paragraph| !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information"))
        .collect();
    sentences.join("; ")
}

/// Prints one line on standard error, and ignores failure: there is no other place to report to.
fn print_error(program: &str, text: &str) {
    writeln!(std::io::stderr(), "{program}: {}", words::one_line(text)).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_are_one_line() {
        let text = "error: unexpected argument '--jsn' found\n\n  tip: a similar argument exists: '--json'\n\n\
                    Usage: kanzen games --json\n\nFor more information, try '--help'.\n";
        assert_eq!(usage_line(text), "unexpected argument '--jsn' found; a similar argument exists: '--json'");
        let text =
            "error: the following required arguments were not provided:\n  <GAME>\n\nUsage: kanzen solve <GAME>\n";
        assert_eq!(usage_line(text), "the following required arguments were not provided: <GAME>");
    }

    #[test]
    fn causes_are_reported_once() {
        let refused = || std::io::Error::other("the disk is on fire");
        let quoting = Error::Io { action: "read", path: "x".into(), source: refused() };
        assert_eq!(sentence(&quoting.into(), "kanzen", &[]), "cannot read x: the disk is on fire");
        let plain = anyhow::Error::from(refused()).context("cannot write y");
        assert_eq!(sentence(&plain, "kanzen", &[]), "cannot write y: the disk is on fire");
    }

    #[test]
    fn advice_names_the_program() {
        let absent = || Error::NotSolved { game: "go".into(), folder: "/home/kanzen x".into() };
        let text = "go is not solved in /home/kanzen x: run `dodgem solve go`";
        assert_eq!(sentence(&absent().into(), "dodgem", &[]), text);
        assert_eq!(
            sentence(&anyhow::Error::from(absent()).context("no luck"), "kanzen", &[]).matches("run `").count(),
            1
        );
        let unknown = Error::UnknownGame { id: "chess".into() };
        let unknown = anyhow::Error::from(unknown);
        let text = "unknown game \"chess\": `dodgem games` lists those there are";
        assert_eq!(sentence(&unknown, "dodgem", &[]), text);
        let text = "unknown game \"chess\"; did you mean chess-4, chess-5?";
        assert_eq!(sentence(&unknown, "dodgem", &["chess-4".to_owned(), "chess-5".to_owned()]), text);
        let memory = Error::Memory { what: "nocca-6x5".into(), needed: 2_000_000, budget: 1_000_000 };
        let text = "nocca-6x5 needs 2.0 MB of memory, 1.0 MB may be used: raise --memory to 2.0 MB";
        assert_eq!(sentence(&memory.into(), "kanzen", &[]), text);
    }

    #[test]
    fn a_game_that_is_not_solved_is_a_negative_answer() {
        let absent = Error::NotSolved { game: "x".into(), folder: "y".into() };
        assert_eq!(error_status(&absent.into()), NEGATIVE);
        let damaged = Error::Missing { path: "x".into() };
        assert_eq!(error_status(&damaged.into()), BAD);
        assert_eq!(error_status(&Error::Stopped.into()), INTERRUPTED);
        assert_eq!(error_status(&anyhow::anyhow!("anything else")), BAD);
    }
}
