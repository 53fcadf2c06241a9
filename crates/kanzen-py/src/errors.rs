//! Converts library errors to Python exceptions: one class per kind, with advice in terms of the Python API.

use kanzen::{Advice, Error, ErrorKind};
use kanzen_core::human_bytes;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Returns the exception of an error. The classes are defined in Python (`kanzen/_errors.py`), since some have two bases.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.kind() {
        ErrorKind::UnknownGame => "UnknownGame",
        ErrorKind::BadInput if matches!(error, Error::BadPosition { .. }) => "BadPosition",
        ErrorKind::BadInput => "BadQuestion",
        ErrorKind::NotStored => "NotStored",
        ErrorKind::NotSolved => "NotSolved",
        ErrorKind::AlreadySolved | ErrorKind::Busy => "Busy",
        ErrorKind::TooLarge => "TooLarge",
        ErrorKind::Stopped | ErrorKind::TooLong => "Stopped",
        ErrorKind::Damaged => "Damaged",
        ErrorKind::System | ErrorKind::NotFetched => "SystemRefused",
        ErrorKind::Bug => "BadRules",
    };
    exception(py, class, sentence(error))
}

/// Creates an exception of a class in `kanzen._errors`.
pub fn exception(py: Python<'_>, class: &str, sentence: String) -> PyErr {
    let make = || py.import("kanzen._errors")?.getattr(class)?.call1((&sentence,));
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(sentence),
    }
}

/// Returns the message of an error with its advice.
fn sentence(error: &Error) -> String {
    match error.advice() {
        None => error.to_string(),
        Some(advice) => format!("{error}: {}", in_words(&advice)),
    }
}

fn in_words(advice: &Advice) -> String {
    match advice {
        Advice::ListGames => "kanzen.games() lists all games".to_owned(),
        Advice::Solve(game) => format!("kanzen.open({game:?}, solve=True) solves it"),
        Advice::MoreMemory(bytes) => format!("pass memory={bytes} ({})", human_bytes(*bytes)),
        Advice::FewerThreads => "try threads=1".to_owned(),
        Advice::GoOn => "the same call resumes from here".to_owned(),
        Advice::NearerTheEnd => "query a position closer to the end of the game".to_owned(),
        Advice::RestoreOrSolveAgain => "restore it, or remove its folder and solve again".to_owned(),
        Advice::SolveAgain { folder } => format!("remove the folder {} and solve again", folder.display()),
        Advice::SampleOrAll => "pass sample=N for a sample, or all=True to scan everything".to_owned(),
    }
}

/// Makes exceptions of errors, for `map_err` where the interpreter is at hand.
pub fn raising(py: Python<'_>) -> impl Fn(Error) -> PyErr + '_ {
    move |error| raised(py, &error)
}
