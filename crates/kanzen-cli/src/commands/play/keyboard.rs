//! Reads what the player types, a line at a time.

use std::io::{BufRead, IsTerminal, Read};

use anyhow::Context;

/// Longer lines are no moves in any game.
const LONGEST: u64 = 4096;

/// The next line of standard input without its end; nothing when the input has ended.
pub fn line() -> anyhow::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes);
    if read.context("cannot read standard input")? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// Whether the player sees what is typed; over a pipe, the transcript has to show it.
pub fn is_seen() -> bool {
    std::io::stdin().is_terminal()
}
