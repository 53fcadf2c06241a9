//! Questions to the whole database, as tables.

use std::sync::Arc;

use kanzen::catalogue::Rows;
use kanzen::query::find::{Cursor, Row};
use kanzen::query::{self, FindReport};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::column::{Column, Writer};
use crate::game::Opened;
use crate::table::Table;
use crate::watch::{Watch, watched};

/// The columns that a question comes to, and what else is to be told.
type Found = (Vec<(String, Column)>, FindReport);

fn look(opened: &Opened, find: &query::Find, watch: &Watch) -> Result<Found, kanzen::Error> {
    let columns: std::cell::RefCell<Vec<(String, Writer)>> = Default::default();
    let report = opened.solved.find(
        find,
        &opened.budget,
        watch,
        &mut Rows {
            heading: &mut |names| {
                *columns.borrow_mut() = names.iter().map(|(name, kind)| (name.clone(), Writer::new(*kind))).collect();
                Ok(())
            },
            row: &mut |row: Row| {
                columns.borrow_mut().iter_mut().zip(row.cells).for_each(|((_, column), cell)| column.push(cell));
                Ok(())
            },
        },
    )?;
    if report.stopped {
        return Err(kanzen::Error::Stopped);
    }
    let columns = columns.into_inner().into_iter().map(|(name, column)| (name, column.finish())).collect();
    Ok((columns, report))
}

fn table(py: Python<'_>, (columns, report): Found) -> PyResult<Table> {
    let meta = PyDict::new(py);
    meta.set_item("game", report.game)?;
    meta.set_item("where", report.condition)?;
    meta.set_item("count", report.count)?;
    meta.set_item("positions", report.positions)?;
    meta.set_item("sampled", report.sampled)?;
    meta.set_item("complete", report.complete)?;
    Ok(Table::new(columns, meta.unbind()))
}

/// The answer to a question as one table.
pub fn find(
    py: Python<'_>,
    opened: &Opened,
    find: &query::Find,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let found = watched(py, progress, |watch| look(opened, find, watch))?;
    table(py, found)
}

/// How many rows a question has.
pub fn count(
    py: Python<'_>,
    opened: &Opened,
    find: &query::Find,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let (_, report) = watched(py, progress, |watch| look(opened, find, watch))?;
    Ok(report.count)
}

/// The answer to a question, table after table.
#[pyclass(module = "kanzen")]
pub struct Scan {
    opened: Arc<Opened>,
    find: query::Find,
    next: Option<Cursor>,
    begun: bool,
}

impl Scan {
    /// A scan that has not begun; `find` has the rows of a table as its limit.
    pub fn new(opened: Arc<Opened>, find: query::Find) -> Scan {
        Scan { opened, find, next: None, begun: false }
    }
}

#[pymethods]
impl Scan {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Table>> {
        if self.begun && self.next.is_none() {
            return Ok(None);
        }
        let question = query::Find { after: self.next, ..self.find.clone() };
        let opened = self.opened.clone();
        let found = watched(py, None, |watch| look(&opened, &question, watch))?;
        let first = !std::mem::replace(&mut self.begun, true);
        self.next = found.1.next;
        // The last table may be empty: only the first is told then, for its columns.
        if found.1.count == 0 && !first { Ok(None) } else { Ok(Some(table(py, found)?)) }
    }
}
