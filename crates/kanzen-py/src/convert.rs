//! Conversions between Python objects and library types: positions, integers and JSON-like results.

use kanzen_query::Asked;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::Serialize;
use serde_json::Value as Json;

use crate::position::Position;

const EXPECTED: &str = "expected a sequence of strings, numbers or positions";

/// Positions in the form that the caller passed.
pub enum Given<'py> {
    /// An array of numbers, borrowed without a copy.
    Array(PyReadonlyArray1<'py, u64>),
    /// Numbers.
    Numbers(Vec<u64>),
    /// Strings in the game's notation.
    Texts(Vec<String>),
}

impl<'py> Given<'py> {
    /// Converts a sequence of strings, numbers or positions.
    pub fn of(given: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
        if given.is_instance_of::<PyString>() || given.is_instance_of::<Position>() {
            return Err(PyTypeError::new_err(format!("{EXPECTED}, not a single item: pass a list")));
        }
        if let Ok(array) = given.cast::<PyArray1<u64>>() {
            let array = array.try_readonly()?;
            // Other threads can read contiguous memory only.
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
        // Arrays of strings and of other number types.
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
                return Err(PyTypeError::new_err(format!("{EXPECTED}, not {}", kind(&item))));
            }
            if !texts.is_empty() && !numbers.is_empty() {
                return Err(PyTypeError::new_err("strings and numbers cannot be mixed"));
            }
        }
        Ok(if texts.is_empty() { Given::Numbers(numbers) } else { Given::Texts(texts) })
    }

    /// Converts to the library's type.
    pub fn asked(&self) -> Asked<'_> {
        match self {
            Given::Array(array) => Asked::Numbers(array.as_slice().unwrap_or(&[])),
            Given::Numbers(numbers) => Asked::Numbers(numbers),
            Given::Texts(texts) => Asked::Texts(texts),
        }
    }
}

/// Converts a sequence of strings.
pub fn texts(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match Given::of(given)? {
        Given::Texts(texts) => Ok(texts),
        given if given.asked().is_empty() => Ok(Vec::new()),
        _ => Err(PyTypeError::new_err("expected strings, not numbers")),
    }
}

fn negative(number: &str) -> PyErr {
    PyValueError::new_err(format!("{number} is not a position number: expected 0 <= number < game.positions"))
}

/// Extracts a non-negative integer.
///
/// A negative or oversized number raises a `ValueError` with a message. pyo3's own conversion would raise an
/// `OverflowError`, which callers do not expect.
pub fn whole<T: TryFrom<u64>>(given: &Bound<'_, PyAny>) -> PyResult<T> {
    let number = match given.extract::<u64>() {
        Ok(number) => T::try_from(number).ok(),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => None,
        Err(_) => return Err(PyTypeError::new_err(format!("expected an integer, not {}", kind(given)))),
    };
    number.ok_or_else(|| PyValueError::new_err(format!("expected a non-negative integer in range, not {given}")))
}

/// Extracts a non-negative integer or `None`.
pub fn whole_or_none<T: TryFrom<u64>>(given: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { whole(given).map(Some) }
}

/// Returns the type of an object for messages.
pub fn kind(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| format!("a {name}"))
}

/// Converts a serializable value to Python dictionaries and lists, as its JSON would be.
pub fn python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_value(value)
        .map_err(|error| PyRuntimeError::new_err(format!("cannot convert the result: {error}")))?;
    of_json(py, &json)
}

fn of_json<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(holds) => holds.into_pyobject(py)?.to_owned().into_any(),
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (_, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Json::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(of_json(py, item)?)?;
            }
            list.into_any()
        }
        Json::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, of_json(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
