//! How the command ends: the exit status, and one line on standard error where it is not 0.

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use kanzen::Error;

use crate::output::ReaderLeft;
use crate::retelling::advice;
use crate::words::one_line;

/// How a command that could do its work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All is well.
    Done,
    /// The answer is no: stored values contradict the rules.
    Mismatch,
}

const DONE: u8 = 0;
const NEGATIVE: u8 = 1;
const BAD: u8 = 2;
const INTERRUPTED: u8 = 130;

/// The exit status of a run; what went wrong is told on standard error.
pub(crate) fn status(program: &str, ended: anyhow::Result<Ending>) -> ExitCode {
    let code = match ended {
        Ok(Ending::Done) => DONE,
        Ok(Ending::Mismatch) => NEGATIVE,
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(usage) => usage_status(program, usage),
            None if error.is::<ReaderLeft>() => DONE,
            None => {
                complain(program, &sentence(&error));
                error_status(&error)
            }
        },
    };
    code.into()
}

fn error_status(error: &anyhow::Error) -> u8 {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(error), _) => of_catalogue(error),
        (_, Some(error)) => of_query(error),
        _ => BAD,
    }
}

fn of_catalogue(error: &Error) -> u8 {
    match error {
        Error::Solve(error) => of_solve(error),
        Error::Query(error) => of_query(error),
        Error::Store(error) => of_store(error),
    }
}

fn of_query(error: &Error) -> u8 {
    match error {
        Error::Search(error) => of_solve(error),
        Error::Store(error) => of_store(error),
        _ => BAD,
    }
}

fn of_solve(error: &Error) -> u8 {
    match error {
        Error::Stopped => INTERRUPTED,
        Error::Store(error) => of_store(error),
        _ => BAD,
    }
}

fn of_store(error: &Error) -> u8 {
    match error {
        Error::NotSolved { .. } => NEGATIVE,
        _ => BAD,
    }
}

/// The error and what caused it. The library's errors quote their causes already: those are not told twice.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

/// Help and version are answers; anything else that clap has to say becomes one line.
fn usage_status(program: &str, usage: &clap::Error) -> u8 {
    match usage.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader who has left does not miss it.
            usage.print().ok();
            DONE
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            complain(program, "no command: `kanzen --help` lists them, `kanzen games` lists the games");
            BAD
        }
        _ => {
            complain(program, &usage_line(&usage.to_string()));
            BAD
        }
    }
}

/// What clap says in several paragraphs, in one line: the error, then the tips; the usage is left to `--help`.
fn usage_line(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    });
    let told: Vec<String> = paragraphs
        .map(|paragraph| paragraph.trim_start_matches("error: ").trim_start_matches("tip: ").to_owned())
        .filter(|paragraph| !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information"))
        .collect();
    told.join("; ")
}

/// One line on standard error. If that is closed too, there is nobody left to tell.
fn complain(program: &str, text: &str) {
    writeln!(std::io::stderr(), "{program}: {}", one_line(&advice(text, program))).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_told_in_one_line() {
        let text = "error: unexpected argument '--jsn' found\n\n  tip: a similar argument exists: '--json'\n\n\
                    Usage: kanzen games --json\n\nFor more information, try '--help'.\n";
        assert_eq!(usage_line(text), "unexpected argument '--jsn' found; a similar argument exists: '--json'");
        let text =
            "error: the following required arguments were not provided:\n  <GAME>\n\nUsage: kanzen solve <GAME>\n";
        assert_eq!(usage_line(text), "the following required arguments were not provided: <GAME>");
    }

    #[test]
    fn causes_are_told_once() {
        let refused = || std::io::Error::other("the disk is on fire");
        let quoting = Error::Io { action: "read", path: "x".into(), source: refused() };
        assert_eq!(sentence(&Error::from(quoting).into()), "cannot read x: the disk is on fire");
        let plain = anyhow::Error::from(refused()).context("cannot write y");
        assert_eq!(sentence(&plain), "cannot write y: the disk is on fire");
    }

    #[test]
    fn a_game_that_is_not_solved_is_a_negative_answer() {
        let absent = Error::NotSolved { game: "x".into(), folder: "y".into() };
        assert_eq!(error_status(&Error::from(absent).into()), NEGATIVE);
        let damaged = Error::Missing { path: "x".into() };
        assert_eq!(error_status(&Error::from(damaged).into()), BAD);
        assert_eq!(error_status(&Error::from(Error::Stopped).into()), INTERRUPTED);
        assert_eq!(error_status(&Error::from(Error::Stopped).into()), INTERRUPTED);
        assert_eq!(error_status(&anyhow::anyhow!("anything else")), BAD);
    }
}
