//! Aligns the columns of a table; colours do not count.

use crate::paint::{Paint, Tone};

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
    fn words_lean_left_and_numbers_right() {
        let mut table = Table::new([("move", Lean::Left), ("plies", Lean::Right), ("to", Lean::Left)]);
        table.row(["a1-b2".into(), "7".into(), "x".into()]);
        table.row(["完".into(), "1,234".into(), "".into()]);
        assert_eq!(table.show(Paint::wanted(false)), "  move   plies  to\n  a1-b2      7  x\n  完      1,234\n");
    }
}
