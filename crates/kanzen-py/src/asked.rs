//! Which positions somebody asks for: texts, numbers, or positions.

use kanzen::query::Asked;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::position::Position;
use crate::whole::kind;

const EXPECTED: &str = "expected a sequence of texts, of numbers or of positions";

/// Positions as they were given.
pub enum Given<'py> {
    /// An array of numbers, read where it is.
    Array(PyReadonlyArray1<'py, u64>),
    /// Numbers.
    Numbers(Vec<u64>),
    /// Texts.
    Texts(Vec<String>),
}

impl<'py> Given<'py> {
    /// What a sequence of texts, of numbers or of positions asks for.
    pub fn of(given: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
        if given.is_instance_of::<PyString>() || given.is_instance_of::<Position>() {
            return Err(PyTypeError::new_err(format!("{EXPECTED}, not a single one: put it into a list")));
        }
        if let Ok(array) = given.cast::<PyArray1<u64>>() {
            let array = array.try_readonly()?;
            // Only what lies in one piece can be read by other threads.
            return Ok(match array.as_slice() {
                Ok(_) => Given::Array(array),
                Err(_) => Given::Numbers(array.as_array().to_vec()),
            });
        }
        if let Ok(array) = given.cast::<PyArray1<i64>>() {
            let array = array.try_readonly()?;
            let number = |number: &i64| u64::try_from(*number).map_err(|_| negative(&number.to_string()));
            return Ok(Given::Numbers(array.as_array().iter().map(number).collect::<PyResult<_>>()?));
        }
        // Arrays of texts, and of other numbers.
        let list = match given.getattr("tolist") {
            Ok(tolist) => tolist.call0()?,
            Err(_) => given.clone(),
        };
        Given::of_items(&list)
    }

    fn of_items(items: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
        let items = items.try_iter().map_err(|_| PyTypeError::new_err(format!("{EXPECTED}, not {}", kind(items))))?;
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        for item in items {
            let item = item?;
            if let Ok(text) = item.cast::<PyString>() {
                texts.push(text.to_str()?.to_owned());
            } else if let Ok(position) = item.cast::<Position>() {
                texts.push(position.get().text().to_owned());
            } else if let Ok(number) = item.extract::<u64>() {
                numbers.push(number);
            } else if item.is_instance_of::<pyo3::types::PyInt>() {
                return Err(negative(&item.to_string()));
            } else {
                return Err(PyTypeError::new_err(format!("{EXPECTED}: {} is none of them", kind(&item))));
            }
            if !texts.is_empty() && !numbers.is_empty() {
                return Err(PyTypeError::new_err("texts and numbers cannot be mixed"));
            }
        }
        Ok(if texts.is_empty() { Given::Numbers(numbers) } else { Given::Texts(texts) })
    }

    /// As the library takes it.
    pub fn asked(&self) -> Asked<'_> {
        match self {
            Given::Array(array) => Asked::Numbers(array.as_slice().unwrap_or(&[])),
            Given::Numbers(numbers) => Asked::Numbers(numbers),
            Given::Texts(texts) => Asked::Texts(texts),
        }
    }
}

/// Texts, and nothing else.
pub fn texts(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match Given::of(given)? {
        Given::Texts(texts) => Ok(texts),
        given if given.asked().is_empty() => Ok(Vec::new()),
        _ => Err(PyTypeError::new_err("expected texts, not numbers")),
    }
}

fn negative(number: &str) -> PyErr {
    PyValueError::new_err(format!("{number} is no number of a position: they are from 0 on, below game.positions"))
}
