//! The library's errors as exceptions: one class for each kind, with the library's sentence and what can be done.

use kanzen::{Advice, Error, ErrorKind, human_bytes};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The exception of an error. The classes are Python's own (`kanzen/_errors.py`), since some have two parents.
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

/// An exception of a class of `kanzen._errors`.
pub fn exception(py: Python<'_>, class: &str, sentence: String) -> PyErr {
    let make = || py.import("kanzen._errors")?.getattr(class)?.call1((&sentence,));
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(sentence),
    }
}

/// What happened, and what could be done about it in Python.
fn sentence(error: &Error) -> String {
    match error.advice() {
        None => error.to_string(),
        Some(advice) => format!("{error}: {}", in_words(&advice)),
    }
}

fn in_words(advice: &Advice) -> String {
    match advice {
        Advice::ListGames => "kanzen.games() lists those there are".to_owned(),
        Advice::Solve(game) => format!("kanzen.open({game:?}, solve=True) solves it"),
        Advice::MoreMemory(bytes) => format!("allow memory={bytes} ({})", human_bytes(*bytes)),
        Advice::FewerThreads => "try threads=1".to_owned(),
        Advice::GoOn => "the same call goes on from here".to_owned(),
        Advice::NearerTheEnd => "ask for a position nearer to the end of the game".to_owned(),
        Advice::RestoreOrSolveAgain => "restore it, or remove its folder and solve again".to_owned(),
        Advice::SolveAgain { folder } => format!("remove the folder {} and solve again", folder.display()),
        Advice::SampleOrAll => "ask for a sample (sample=N), or insist with all=True".to_owned(),
    }
}

/// For `map_err` where the interpreter is at hand.
pub trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}
