//! Answers that have a form in JSON, as dictionaries and lists.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value as Json;

/// What a value is in Python: the same as its JSON would be.
pub fn python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_value(value).map_err(|error| {
        pyo3::exceptions::PyRuntimeError::new_err(format!("an answer that cannot be written: {error}"))
    })?;
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
