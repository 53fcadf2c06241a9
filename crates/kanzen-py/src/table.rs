//! The class `Table`: named columns in the Arrow memory layout, for Python, numpy and every Arrow reader.

use std::sync::Arc;

use kanzen_query::find::{Cell, Kind};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::arrow::{Columns, Schema, Stream};

/// Maximum number of rows in the representation of a table.
const MAX_SHOWN: usize = 20;

/// A table: columns by name, all of the same length.
///
/// pandas, polars, pyarrow and duckdb read it without a copy through the Arrow PyCapsule interface, for example with
/// `polars.DataFrame(table)`. `table["distance"]` is a numpy array, and iteration yields rows.
///
/// >>> table = kanzen.open("tictactoe", solve=True).stats()
/// >>> table.column_names
/// ['class', 'distance', 'wins', 'losses', 'draws']
/// >>> int(table["wins"].sum())
/// 390
#[pyclass(frozen, module = "kanzen")]
pub struct Table {
    columns: Columns,
    rows: usize,
    meta: Py<PyDict>,
}

impl Table {
    /// Creates a table with metadata.
    pub fn new(columns: Vec<(String, Column)>, meta: Py<PyDict>) -> Table {
        let rows = columns.first().map_or(0, |(_, column)| column.len);
        let columns = columns.into_iter().map(|(name, column)| (name, Arc::new(column)));
        Table { columns: columns.collect(), rows, meta }
    }

    fn column(&self, name: &str) -> PyResult<&Column> {
        let found = self.columns.iter().find(|(other, _)| other == name);
        found.map(|(_, column)| &**column).ok_or_else(|| PyKeyError::new_err(format!("there is no column {name}")))
    }

    fn row<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.columns.iter() {
            dict.set_item(name, column.cell(py, row)?)?;
        }
        Ok(dict)
    }

    fn shown(&self, row: usize) -> Vec<String> {
        let cell = |column: &Column| match &column.cells {
            _ if !column.is_valid(row) => String::new(),
            Cells::Integers(numbers) => numbers[row].to_string(),
            Cells::Booleans(bits) => bit(bits, row).to_string(),
            Cells::Texts { .. } => column.text(row).to_owned(),
        };
        self.columns.iter().map(|(_, column)| cell(column)).collect()
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Metadata: the game, totals, whether the scan was complete.
    #[getter]
    fn meta(&self, py: Python<'_>) -> Py<PyDict> {
        self.meta.clone_ref(py)
    }

    /// Returns the names of the columns, so that `dict(table)` is a dictionary of arrays.
    fn keys(&self) -> Vec<&str> {
        self.column_names()
    }

    /// Returns a dictionary of lists, with `None` for null cells.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.columns.iter() {
            let cells = PyList::empty(py);
            for row in 0..self.rows {
                cells.append(column.cell(py, row)?)?;
            }
            dict.set_item(name, cells)?;
        }
        Ok(dict)
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = PyList::empty(py);
        for row in 0..self.rows {
            rows.append(self.row(py, row)?)?;
        }
        Ok(rows.try_iter()?.into_any())
    }

    /// Returns a column as a numpy array: int64 or bool, masked if it has null cells; strings as objects.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.column(name)?;
        let array = match &column.cells {
            Cells::Integers(numbers) => PyArray1::from_slice(py, numbers).into_any(),
            Cells::Booleans(bits) => PyArray1::from_iter(py, (0..column.len).map(|row| bit(bits, row))).into_any(),
            Cells::Texts { .. } => {
                let texts = PyList::empty(py);
                for row in 0..column.len {
                    texts.append(column.cell(py, row)?)?;
                }
                let options = PyDict::new(py);
                options.set_item("dtype", "object")?;
                return py.import("numpy")?.call_method("array", (texts,), Some(&options));
            }
        };
        if column.nulls == 0 {
            return Ok(array);
        }
        let mask = PyArray1::from_iter(py, (0..column.len).map(|row| !column.is_valid(row)));
        py.import("numpy")?.getattr("ma")?.call_method1("MaskedArray", (array, mask))
    }

    fn __repr__(&self) -> String {
        let mut lines = vec![self.columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()];
        lines.extend((0..self.rows.min(MAX_SHOWN)).map(|row| self.shown(row)));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |line: &Vec<String>| {
            let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut text: Vec<String> = lines.iter().map(line).collect();
        if self.rows > MAX_SHOWN {
            text.push(format!("... {} rows", self.rows));
        }
        text.join("\n")
    }

    /// Returns the table as a notebook shows it.
    fn _repr_html_(&self) -> String {
        let safe = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let head: String = self.columns.iter().map(|(name, _)| format!("<th>{}</th>", safe(name))).collect();
        let row = |row| self.shown(row).iter().map(|cell| format!("<td>{}</td>", safe(cell))).collect::<String>();
        let rows: String = (0..self.rows.min(MAX_SHOWN)).map(|at| format!("<tr>{}</tr>", row(at))).collect();
        let more = if self.rows > MAX_SHOWN { format!("<p>{} rows</p>", self.rows) } else { String::new() };
        format!("<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}")
    }

    /// Returns the Arrow schema in a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of_table(&self.columns), c"arrow_schema")
    }

    /// Returns an Arrow stream of one batch in a capsule. Does not convert to another schema.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        drop(requested_schema);
        let stream = Stream::of_table(self.columns.clone(), self.rows);
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A column in the Arrow memory layout.
///
/// ```text
/// validity   one bit per cell, absent if no cell is null
/// integers   eight bytes each
/// booleans   one bit each
/// texts      offsets of all strings, and their bytes
/// ```
pub struct Column {
    /// The number of cells.
    pub len: usize,
    /// The number of null cells.
    pub nulls: usize,
    /// One bit per cell, set if it is not null; `None` if no cell is null.
    pub validity: Option<Vec<u8>>,
    /// The cells.
    pub cells: Cells,
}

/// The cells of a column. A null cell holds zero or an empty string.
pub enum Cells {
    /// 64-bit integers.
    Integers(Vec<i64>),
    /// Bits.
    Booleans(Vec<u8>),
    /// Strings.
    Texts {
        /// The start of each string, and the end of the last one.
        offsets: Vec<i64>,
        /// The concatenated strings.
        letters: Vec<u8>,
    },
}

impl Column {
    /// Builds a column of integers, some of them null.
    pub fn integers(cells: impl IntoIterator<Item = Option<i64>>) -> Column {
        let mut writer = Writer::new(Kind::Integer);
        cells.into_iter().for_each(|cell| writer.push(cell.map_or(Cell::Null, Cell::Integer)));
        writer.finish()
    }

    /// Builds a column of strings.
    pub fn texts(cells: impl IntoIterator<Item = String>) -> Column {
        let mut writer = Writer::new(Kind::Text);
        cells.into_iter().for_each(|cell| writer.push(Cell::Text(cell)));
        writer.finish()
    }

    /// Returns the Arrow format string: 64-bit integers, booleans, or strings with 64-bit offsets.
    pub fn format(&self) -> &'static std::ffi::CStr {
        match self.cells {
            Cells::Integers(_) => c"l",
            Cells::Booleans(_) => c"b",
            Cells::Texts { .. } => c"U",
        }
    }

    /// Returns whether a cell is not null.
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity.as_ref().is_none_or(|bits| bit(bits, row))
    }

    /// Returns a cell as a Python object.
    pub fn cell<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        if !self.is_valid(row) {
            return Ok(py.None().into_bound(py));
        }
        Ok(match &self.cells {
            Cells::Integers(numbers) => numbers[row].into_pyobject(py)?.into_any(),
            Cells::Booleans(bits) => bit(bits, row).into_pyobject(py)?.to_owned().into_any(),
            Cells::Texts { .. } => self.text(row).into_pyobject(py)?.into_any(),
        })
    }

    /// Returns the string of a cell, or an empty string for other types.
    pub fn text(&self, row: usize) -> &str {
        let Cells::Texts { offsets, letters } = &self.cells else { return "" };
        std::str::from_utf8(&letters[offsets[row] as usize..offsets[row + 1] as usize]).unwrap_or("")
    }
}

fn bit(bits: &[u8], at: usize) -> bool {
    bits[at / 8] >> (at % 8) & 1 == 1
}

/// Builds a column cell by cell.
pub struct Writer {
    column: Column,
    validity: Vec<u8>,
}

impl Writer {
    /// Starts an empty column.
    pub fn new(kind: Kind) -> Writer {
        let cells = match kind {
            Kind::Integer => Cells::Integers(Vec::new()),
            Kind::Boolean => Cells::Booleans(Vec::new()),
            Kind::Text => Cells::Texts { offsets: vec![0], letters: Vec::new() },
        };
        Writer { column: Column { len: 0, nulls: 0, validity: None, cells }, validity: Vec::new() }
    }

    /// Appends a cell.
    pub fn push(&mut self, cell: Cell) {
        let at = self.column.len;
        let valid = cell != Cell::Null;
        push_bit(&mut self.validity, at, valid);
        self.column.len += 1;
        self.column.nulls += usize::from(!valid);
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

    /// Returns the finished column.
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
