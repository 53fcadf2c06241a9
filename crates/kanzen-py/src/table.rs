//! Tables: columns by name, for Python, numpy and everything that reads Arrow.

use std::sync::Arc;

use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::arrow::{Columns, Schema, Stream};
use crate::column::{Cells, Column};

/// Rows that a picture of a table shows.
const SHOWN: usize = 20;

/// A table: columns by name, all of the same length.
///
/// pandas, polars, pyarrow and duckdb read it without a copy by the Arrow PyCapsule interface, such as with
/// `polars.DataFrame(table)`; `table["distance"]` is an array of numpy's, and going through a table gives its rows.
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
    /// A table of these columns, with what else is to be told.
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
            _ if !column.is_there(row) => String::new(),
            Cells::Integers(numbers) => numbers[row].to_string(),
            Cells::Booleans(bits) => (bits[row / 8] >> (row % 8) & 1 == 1).to_string(),
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

    /// What is told besides the rows: the game, totals, whether all was looked through.
    #[getter]
    fn meta(&self, py: Python<'_>) -> Py<PyDict> {
        self.meta.clone_ref(py)
    }

    /// The names of the columns: with this `dict(table)` is a dictionary of arrays.
    fn keys(&self) -> Vec<&str> {
        self.column_names()
    }

    /// The table as a dictionary of lists, `None` where a cell is missing.
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

    /// A column as an array: numbers and truths as such, with a mask where cells are missing; texts as objects.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.column(name)?;
        let array = match &column.cells {
            Cells::Integers(numbers) => PyArray1::from_slice(py, numbers).into_any(),
            Cells::Booleans(bits) => {
                PyArray1::from_iter(py, (0..column.len).map(|row| bits[row / 8] >> (row % 8) & 1 == 1)).into_any()
            }
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
        let mask = PyArray1::from_iter(py, (0..column.len).map(|row| !column.is_there(row)));
        py.import("numpy")?.getattr("ma")?.call_method1("MaskedArray", (array, mask))
    }

    fn __repr__(&self) -> String {
        let mut lines = vec![self.columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()];
        lines.extend((0..self.rows.min(SHOWN)).map(|row| self.shown(row)));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |line: &Vec<String>| {
            let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut text: Vec<String> = lines.iter().map(line).collect();
        if self.rows > SHOWN {
            text.push(format!("... {} rows", self.rows));
        }
        text.join("\n")
    }

    /// The table as a notebook shows it.
    fn _repr_html_(&self) -> String {
        let safe = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let head: String = self.columns.iter().map(|(name, _)| format!("<th>{}</th>", safe(name))).collect();
        let row = |row| self.shown(row).iter().map(|cell| format!("<td>{}</td>", safe(cell))).collect::<String>();
        let rows: String = (0..self.rows.min(SHOWN)).map(|at| format!("<tr>{}</tr>", row(at))).collect();
        let more = if self.rows > SHOWN { format!("<p>{} rows</p>", self.rows) } else { String::new() };
        format!("<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}")
    }

    /// The names and types of the columns, as an Arrow schema in a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of_table(&self.columns), c"arrow_schema")
    }

    /// The table as an Arrow stream of one batch in a capsule; other types than its own are not offered.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the interface a request is a wish: who cannot fulfil it gives what there is.
        drop(requested_schema);
        let stream = Stream::of_table(self.columns.clone(), self.rows);
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
