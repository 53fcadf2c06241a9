//! Whole numbers as arguments: one that is negative or too large is a `ValueError` with a sentence, as texts are.
//!
//! Without this Python hears of an `OverflowError`, which nobody expects who has given a wrong number of rows.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A whole number from 0 on, as large as its type allows.
pub fn whole<T: TryFrom<u64>>(given: &Bound<'_, PyAny>) -> PyResult<T> {
    let number = match given.extract::<u64>() {
        Ok(number) => T::try_from(number).ok(),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => None,
        Err(_) => return Err(PyTypeError::new_err(format!("expected a whole number, not {}", kind(given)))),
    };
    number.ok_or_else(|| PyValueError::new_err(format!("expected a whole number from 0 on that fits, not {given}")))
}

/// The same, or nothing.
pub fn whole_or_none<T: TryFrom<u64>>(given: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { whole(given).map(Some) }
}

/// What an object is, in a sentence.
pub fn kind(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| format!("a {name}"))
}
