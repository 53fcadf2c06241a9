//! Columns of a table, in the form that Arrow gives them.
//!
//! ```text
//! validity   a bit for each cell, none where nothing is missing
//! integers   eight bytes each
//! booleans   a bit each
//! texts      where each begins and the last ends, and all letters
//! ```

use kanzen::query::find::{Cell, Kind};
use pyo3::prelude::*;

/// A column.
pub struct Column {
    /// How many cells.
    pub len: usize,
    /// Cells that are missing.
    pub nulls: usize,
    /// A bit for each cell that is there; nothing where all are.
    pub validity: Option<Vec<u8>>,
    /// What the cells are.
    pub cells: Cells,
}

/// The cells of a column. Where one is missing there is a zero, or an empty text.
pub enum Cells {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// True or false.
    Booleans(Vec<u8>),
    /// Texts.
    Texts {
        /// Where each begins, and the end of the last.
        offsets: Vec<i64>,
        /// All of them.
        letters: Vec<u8>,
    },
}

impl Column {
    /// Whole numbers, some of them missing.
    pub fn integers(cells: impl IntoIterator<Item = Option<i64>>) -> Column {
        let mut writer = Writer::new(Kind::Integer);
        cells.into_iter().for_each(|cell| writer.push(cell.map_or(Cell::Null, Cell::Integer)));
        writer.finish()
    }

    /// Texts.
    pub fn texts(cells: impl IntoIterator<Item = String>) -> Column {
        let mut writer = Writer::new(Kind::Text);
        cells.into_iter().for_each(|cell| writer.push(Cell::Text(cell)));
        writer.finish()
    }

    /// What Arrow calls the type: 64-bit integers, booleans, texts with 64-bit offsets.
    pub fn format(&self) -> &'static std::ffi::CStr {
        match self.cells {
            Cells::Integers(_) => c"l",
            Cells::Booleans(_) => c"b",
            Cells::Texts { .. } => c"U",
        }
    }

    /// Whether a cell is there.
    pub fn is_there(&self, row: usize) -> bool {
        self.validity.as_ref().is_none_or(|bits| bit(bits, row))
    }

    /// A cell as Python has it.
    pub fn cell<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        if !self.is_there(row) {
            return Ok(py.None().into_bound(py));
        }
        Ok(match &self.cells {
            Cells::Integers(numbers) => numbers[row].into_pyobject(py)?.into_any(),
            Cells::Booleans(bits) => bit(bits, row).into_pyobject(py)?.to_owned().into_any(),
            Cells::Texts { .. } => self.text(row).into_pyobject(py)?.into_any(),
        })
    }

    /// The text of a cell; empty if it is none.
    pub fn text(&self, row: usize) -> &str {
        let Cells::Texts { offsets, letters } = &self.cells else { return "" };
        std::str::from_utf8(&letters[offsets[row] as usize..offsets[row + 1] as usize]).unwrap_or("")
    }
}

fn bit(bits: &[u8], at: usize) -> bool {
    bits[at / 8] >> (at % 8) & 1 == 1
}

/// Makes a column of cells.
pub struct Writer {
    column: Column,
    validity: Vec<u8>,
}

impl Writer {
    /// An empty column of this kind.
    pub fn new(kind: Kind) -> Writer {
        let cells = match kind {
            Kind::Integer => Cells::Integers(Vec::new()),
            Kind::Boolean => Cells::Booleans(Vec::new()),
            Kind::Text => Cells::Texts { offsets: vec![0], letters: Vec::new() },
        };
        Writer { column: Column { len: 0, nulls: 0, validity: None, cells }, validity: Vec::new() }
    }

    /// Adds a cell.
    pub fn push(&mut self, cell: Cell) {
        let at = self.column.len;
        let there = cell != Cell::Null;
        push_bit(&mut self.validity, at, there);
        self.column.len += 1;
        self.column.nulls += usize::from(!there);
        match (&mut self.column.cells, cell) {
            (Cells::Integers(numbers), Cell::Integer(number)) => numbers.push(number),
            (Cells::Integers(numbers), _) => numbers.push(0),
            (Cells::Booleans(bits), cell) => push_bit(bits, at, cell == Cell::Boolean(true)),
            (Cells::Texts { offsets, letters }, cell) => {
                letters.extend_from_slice(cell.text().unwrap_or("").as_bytes());
                offsets.push(letters.len() as i64);
            }
        }
    }

    /// The column.
    pub fn finish(self) -> Column {
        let validity = (self.column.nulls > 0).then_some(self.validity);
        Column { validity, ..self.column }
    }
}

fn push_bit(bits: &mut Vec<u8>, at: usize, set: bool) {
    if at.is_multiple_of(8) {
        bits.push(0);
    }
    bits[at / 8] |= u8::from(set) << (at % 8);
}
