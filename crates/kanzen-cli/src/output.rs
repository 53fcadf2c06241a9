//! Writes answers to standard output, as text or JSON.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use serde::Serialize;

use crate::paint::Paint;

/// Where answers go.
pub struct Output {
    terminal: bool,
    /// Colours, if they are wanted.
    pub paint: Paint,
}

/// The reader of standard output has closed it (`kanzen stats ... | head`), which is no error.
#[derive(Debug)]
pub struct ReaderLeft;

impl std::fmt::Display for ReaderLeft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for ReaderLeft {}

impl Output {
    /// Standard output.
    pub(crate) fn new() -> Output {
        let terminal = io::stdout().is_terminal();
        Output { terminal, paint: Paint::wanted(terminal) }
    }

    /// Writes a text as it is.
    pub fn print(&self, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_ref()).and_then(|()| stdout.flush()) {
            Err(left) if left.kind() == io::ErrorKind::BrokenPipe => Err(ReaderLeft.into()),
            written => written.context("cannot write to standard output"),
        }
    }

    /// Writes a value as JSON: one line for programs, indented on a terminal.
    pub fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let text = match self.terminal {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        self.print(text? + "\n")
    }
}
