//! What is wrong in a text, and where.

use std::fmt;

/// A part of a text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The part from the start of this one to the end of the other.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.end) }
    }
}

/// Whether a text can be played in spite of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text is no game.
    Error,
    /// The text is a game, though hardly the one that its author has in mind.
    Warning,
}

/// One problem of a text: a sentence, and the part of the text that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong, as a clause without a capital and a full stop.
    pub message: String,
    /// What would be right there, if that can be named.
    pub expected: Option<String>,
}

impl Problem {
    /// An error.
    pub fn error(span: Span, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, span, message: message.into(), expected: None }
    }

    /// A warning.
    pub fn warning(span: Span, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(span, message) }
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<String>) -> Problem {
        self.expected = Some(expected.into());
        self
    }

    /// Line and column of the start, counted from 1; the column in characters.
    ///
    /// ```
    /// use kanzen_text::lang::{Problem, Span};
    /// let problem = Problem::error(Span { start: 8, end: 10 }, "no such word");
    /// assert_eq!(problem.place("turn\nö ab"), (2, 3));
    /// ```
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// The problem with its line of the text, the part underlined.
    ///
    /// ```
    /// use kanzen_text::lang::{Problem, Span};
    /// let problem = Problem::error(Span { start: 5, end: 9 }, "unknown word `hopp`").expecting("an action");
    /// assert_eq!(
    ///     problem.show("turn hopp"),
    ///     "1:6: error: unknown word `hopp`; expected an action\n  | turn hopp\n  |      ^^^^"
    /// );
    /// ```
    pub fn show(&self, text: &str) -> String {
        let (row, column) = self.place(text);
        let line = text.split('\n').nth(row - 1).unwrap_or("").trim_end_matches('\r');
        // A tab counts as one column here and in the line of carets, which repeats it.
        let indent: String = line.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let marked = text.get(self.span.start..self.span.end).unwrap_or("");
        let length = marked.split('\n').next().unwrap_or("").trim_end().chars().count().max(1);
        let carets = "^".repeat(length);
        format!("{row}:{column}: {self}\n  | {line}\n  | {indent}{carets}")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}", self.message)?;
        match &self.expected {
            Some(expected) => write!(f, "; expected {expected}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
