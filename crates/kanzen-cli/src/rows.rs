//! Prints rows of an answer as they come: a table, lines of JSON, or comma-separated values.

use kanzen::Error;
use kanzen_query::find::{Cell, Kind, Row};
use serde_json::{Map, Value as Json};

use crate::output::Output;

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Table,
    /// One object a line.
    JsonLines,
    /// With a heading.
    Csv,
}

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 16;
/// The first rows, which set the width of the columns of a table.
const MEASURED: usize = 200;

/// Writes rows to standard output.
pub struct Writer<'a> {
    form: Form,
    output: &'a Output,
    columns: Vec<(String, Kind)>,
    text: String,
    /// The first rows of a table, until its widths are known.
    first: Vec<Vec<String>>,
    widths: Vec<usize>,
    failure: Option<anyhow::Error>,
}

impl<'a> Writer<'a> {
    /// A writer of rows.
    pub fn new(form: Form, output: &'a Output) -> Writer<'a> {
        let (columns, text, first, widths) = (Vec::new(), String::new(), Vec::new(), Vec::new());
        Writer { form, output, columns, text, first, widths, failure: None }
    }

    /// Takes what the columns are.
    pub fn heading(&mut self, columns: &[(String, Kind)]) -> Result<(), Error> {
        self.columns = columns.to_vec();
        if self.form == Form::Csv {
            self.text += &csv(self.columns.iter().map(|(name, _)| name.clone()));
        }
        Ok(())
    }

    /// Takes a row. [`Error::Stopped`] if it cannot be written: [`failure`](Writer::failure) has the reason.
    pub fn row(&mut self, row: Row) -> Result<(), Error> {
        match self.form {
            Form::JsonLines => self.text += &json_line(&self.columns, &row),
            Form::Csv => self.text += &csv(row.cells.iter().map(Cell::to_string)),
            Form::Table => {
                let cells = row.cells.iter().map(|cell| match cell {
                    Cell::Null => "-".to_owned(),
                    cell => cell.to_string(),
                });
                self.first.push(cells.collect());
                if self.first.len() >= MEASURED {
                    self.lay_out();
                }
            }
        }
        if self.text.len() >= GATHERED { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        let text = std::mem::take(&mut self.text);
        self.output.print(text).map_err(|failure| {
            self.failure = Some(failure);
            Error::Stopped
        })
    }

    /// The rows of a table that were kept, in columns.
    fn lay_out(&mut self) {
        if self.widths.is_empty() {
            let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
            self.first.insert(0, names);
            let width = |column: usize| self.first.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            self.widths = (0..self.columns.len()).map(width).collect();
        }
        for row in std::mem::take(&mut self.first) {
            let mut line = String::new();
            for ((cell, width), (_, kind)) in row.iter().zip(&self.widths).zip(&self.columns) {
                let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
                line += &if *kind == Kind::Integer { format!("  {gap}{cell}") } else { format!("  {cell}{gap}") };
            }
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    /// Writes what is left, and a last line.
    pub fn finish(mut self, foot: Option<String>) -> anyhow::Result<()> {
        if self.form == Form::Table && !(self.first.is_empty() && self.widths.is_empty()) {
            self.lay_out();
        }
        let foot = foot.unwrap_or_default();
        self.text += if self.text.is_empty() { foot.trim_start_matches('\n') } else { &foot };
        self.output.print(&self.text)
    }

    /// Why a row could not be written.
    pub fn failure(self) -> anyhow::Error {
        self.failure.unwrap_or_else(|| Error::Stopped.into())
    }
}

/// A row as an object on a line.
pub fn json_line(columns: &[(String, Kind)], row: &Row) -> String {
    let cell = |cell: &Cell| match cell {
        Cell::Null => Json::Null,
        Cell::Boolean(holds) => (*holds).into(),
        Cell::Integer(number) => (*number).into(),
        Cell::Word(word) => (*word).into(),
        Cell::Text(text) => text.clone().into(),
    };
    let object: Map<String, Json> =
        columns.iter().zip(&row.cells).map(|((name, _), value)| (name.clone(), cell(value))).collect();
    Json::Object(object).to_string() + "\n"
}

/// Cells as comma-separated values; those with commas or quotes are quoted.
pub fn csv(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        assert_eq!(
            csv(["a,b".to_owned(), "wins('x')".to_owned(), "\"".to_owned()].into_iter()),
            "\"a,b\",wins('x'),\"\"\"\"\n"
        );
    }

    #[test]
    fn nothing_is_null_in_json_and_empty_in_csv() {
        let columns = [("value".to_owned(), Kind::Text), ("distance".to_owned(), Kind::Integer)];
        let row = Row { cells: vec![Cell::Word("draw"), Cell::Null] };
        assert_eq!(json_line(&columns, &row), "{\"value\":\"draw\",\"distance\":null}\n");
        assert_eq!(csv(row.cells.iter().map(Cell::to_string)), "draw,\n");
    }
}
