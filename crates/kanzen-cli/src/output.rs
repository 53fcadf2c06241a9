//! Standard output: answers as text or JSON, in colours on a terminal, and tables with aligned columns.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use kanzen::Outcome;
use serde::Serialize;

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

/// How a piece of text is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// As the rest.
    #[default]
    Plain,
    /// Headings.
    Bold,
    /// What matters less.
    Faint,
    /// A value for the side to move.
    Of(Outcome),
}

/// Paints text, or leaves it alone.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colours if standard output is a terminal and `NO_COLOR` is not set.
    pub fn wanted(terminal: bool) -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paint { on: terminal && !refused && !dumb }
    }

    /// Whether there are colours.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// The text in its tone.
    pub fn text(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Bold => 1,
            Tone::Faint => 2,
            Tone::Of(Outcome::Win) => 32,
            Tone::Of(Outcome::Loss) => 31,
            Tone::Of(Outcome::Draw) => 33,
        };
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Which way the cells of a column lean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lean {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A cell: its text and how it is shown.
pub struct Cell {
    text: String,
    tone: Tone,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), tone: Tone::Plain }
    }
}

impl Cell {
    /// A cell in a tone.
    pub fn toned(tone: Tone, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), tone }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// Rows under a heading.
pub struct Table {
    leans: Vec<Lean>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these columns.
    pub fn new<const N: usize>(heading: [(&str, Lean); N]) -> Table {
        Table::of(&heading)
    }

    /// A table with columns that are not known beforehand.
    pub fn of(heading: &[(&str, Lean)]) -> Table {
        let row = heading.iter().map(|(title, _)| Cell::toned(Tone::Faint, *title)).collect();
        Table { leans: heading.iter().map(|(_, lean)| *lean).collect(), rows: vec![row] }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.push(cells.into());
    }

    /// Adds a row with a cell for each column.
    pub fn push(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The text, each line indented by two spaces.
    pub fn show(&self, paint: Paint) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.leans.len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, lean), width) in row.iter().zip(&self.leans).zip(&widths) {
                let gap = " ".repeat(width - cell.width());
                let painted = paint.text(cell.tone, &cell.text);
                let (before, after) = if *lean == Lean::Right { (gap.as_str(), "") } else { ("", gap.as_str()) };
                line += &format!("  {before}{painted}{after}");
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_where_they_are_on() {
        let tone = Tone::Of(Outcome::Win);
        assert_eq!(Paint { on: false }.text(tone, "win"), "win");
        assert_eq!(Paint { on: true }.text(tone, "win"), "\x1b[32mwin\x1b[0m");
        assert_eq!(Paint { on: true }.text(Tone::Plain, "a"), "a");
        assert!(!Paint::wanted(false).on);
    }

    #[test]
    fn words_lean_left_and_numbers_right() {
        let mut table = Table::new([("move", Lean::Left), ("plies", Lean::Right), ("to", Lean::Left)]);
        table.row(["a1-b2".into(), "7".into(), "x".into()]);
        table.row(["完".into(), "1,234".into(), "".into()]);
        assert_eq!(table.show(Paint::wanted(false)), "  move   plies  to\n  a1-b2      7  x\n  完      1,234\n");
    }
}
