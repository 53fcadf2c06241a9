//! Queries over a whole database, returned as tables.

use std::sync::Arc;

use kanzen::catalogue::Rows;
use kanzen_query as query;
use kanzen_query::FindReport;
use kanzen_query::find::{Cursor, Row};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::Opened;
use crate::table::{Column, Table, Writer};
use crate::watch::{Watch, watched};

/// The columns of a result and its report.
type Found = (Vec<(String, Column)>, FindReport);

fn query(opened: &Opened, find: &query::Find, watch: &Watch) -> Result<Found, kanzen::Error> {
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

/// Returns the result of a query as one table.
pub fn find(
    py: Python<'_>,
    opened: &Opened,
    find: &query::Find,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let found = watched(py, progress, |watch| query(opened, find, watch))?;
    table(py, found)
}

/// Returns the number of rows of a query.
pub fn count(
    py: Python<'_>,
    opened: &Opened,
    find: &query::Find,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let (_, report) = watched(py, progress, |watch| query(opened, find, watch))?;
    Ok(report.count)
}

/// An iterator over the result of a query, as a sequence of tables.
#[pyclass(module = "kanzen")]
pub struct Scan {
    opened: Arc<Opened>,
    find: query::Find,
    next: Option<Cursor>,
    begun: bool,
}

impl Scan {
    /// Creates a scan. The limit of `find` is the number of rows per table.
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
        let found = watched(py, None, |watch| query(&opened, &question, watch))?;
        let first = !std::mem::replace(&mut self.begun, true);
        self.next = found.1.next;
        // Returns an empty table only as the first one, for its columns.
        if found.1.count == 0 && !first { Ok(None) } else { Ok(Some(table(py, found)?)) }
    }
}
