//! One problem that a check has found, and where.

use std::fmt;

/// One line for the person who mends it: `README.md:12: results/nocca-3x4.json has no field /positions`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file, and the line where one is known.
    place: String,
    message: String,
}

impl Problem {
    /// Something is wrong with this thing as a whole: a file, a package.
    pub fn with(place: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { place: place.into(), message: message.into() }
    }

    /// Something is wrong on this line, counted from 1.
    pub fn at(file: &str, line: usize, message: impl Into<String>) -> Problem {
        Problem::with(format!("{file}:{line}"), message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
