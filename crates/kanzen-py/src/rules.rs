//! Games with rules written in Python: enumerates every position once, then solves the explicit game natively.

use std::path::PathBuf;

use kanzen::Value;
use kanzen::catalogue::{ExplicitGame, GameInfo, GridBoard, PositionRecord, check_explicit_game, explicit_game};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::convert::whole_or_none;
use crate::errors::{exception, raising};
use crate::game::Game;
use crate::games::budget;

/// Positions between two checks for Ctrl-C and progress updates.
const CHECK_EVERY: usize = 1 << 10;

/// Opens a game whose rules are a Python object. Solves it into a data folder.
#[pyfunction]
#[pyo3(signature = (rules, data, solve=true, threads=None, memory=None, progress=None))]
pub fn open_rules(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    data: PathBuf,
    solve: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    #[pyo3(from_py_with = whole_or_none)] memory: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let (info, game) = enumerate(py, rules, progress.as_ref())?;
    let checked: usize = rules.getattr("check")?.extract()?;
    let report = py.detach(|| if checked > 0 { check_explicit_game(&game, checked).map(Some) } else { Ok(None) });
    let report = report.map_err(raising(py))?;
    let game = Game::open(py, explicit_game(info, game), data, solve, budget(threads, memory), progress.as_ref())?;
    let Some(report) = report else { return Ok(game) };
    let conformance = PyDict::new(py);
    for (name, count) in
        [("positions", report.positions), ("moves", report.moves), ("ends", report.ends), ("stuck", report.stuck)]
    {
        conformance.set_item(name, count)?;
    }
    conformance.set_item("values_compared", report.values_compared)?;
    Ok(game.with_conformance(conformance.unbind()))
}

/// Enumerates all positions of the rules.
fn enumerate(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(GameInfo, ExplicitGame)> {
    let id: String = rules.getattr("name")?.extract()?;
    let title: String = rules.getattr("title")?.extract::<Option<String>>()?.unwrap_or_else(|| id.clone());
    let doc: Option<String> = rules.getattr("__doc__")?.extract()?;
    let words = doc.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let most: usize = rules.getattr("limit")?.extract()?;
    let stuck = value(&rules.getattr("stuck")?)?.unwrap_or(Value::loss(0));
    let mut game = ExplicitGame::builder(text(&rules.getattr("initial")?, "initial")?).stuck(stuck);
    let mut done = 0;
    while let Some(position) = game.next().map(str::to_owned) {
        if done % CHECK_EVERY == 0 {
            py.check_signals()?;
            if let Some(progress) = progress {
                progress.call1((format!("rules, {} positions", game.positions()), py.None()))?;
            }
        }
        done += 1;
        let record = record(rules, &position).map_err(|error| at_position(py, error, &position))?;
        game.push(record).map_err(raising(py))?;
        if game.positions() > most {
            let sentence = format!("{id} has more than {most} positions: raise `limit`, or write the rules in Rust");
            return Err(exception(py, "TooLarge", sentence));
        }
    }
    let game = game.build(board(rules)?.as_ref()).map_err(raising(py))?;
    Ok((GameInfo { id, title, rules: words }, game))
}

/// Calls the rules for one position.
fn record(rules: &Bound<'_, PyAny>, position: &str) -> PyResult<PositionRecord> {
    let ended = value(&rules.call_method1("ended", (position,))?)?;
    let to_move: Option<String> = rules.call_method1("to_move", (position,))?.extract()?;
    let canonical = text(&rules.call_method1("canonical", (position,))?, "canonical")?;
    let mut moves = Vec::new();
    if ended.is_none() {
        let named = rules.call_method1("moves", (position,))?;
        let pairs = match named.cast::<PyDict>() {
            Ok(dict) => dict.call_method0("items")?,
            Err(_) => named,
        };
        for pair in pairs.try_iter()? {
            let pair = pair?;
            let (name, to): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair
                .extract()
                .map_err(|_| PyTypeError::new_err("moves must yield pairs: the move and the position it leads to"))?;
            moves.push((text(&name, "a move")?, text(&to, "a position")?));
        }
    }
    Ok(PositionRecord { ended, to_move, canonical: Some(canonical), moves })
}

/// Adds the position to an exception raised by the rules.
fn at_position(py: Python<'_>, error: PyErr, position: &str) -> PyErr {
    // KeyboardInterrupt is not an error of the rules.
    if error.is_instance_of::<pyo3::exceptions::PyException>(py) {
        let note = format!("in the rules, at the position {position:?}");
        let noted = error.value(py).call_method1("add_note", (&note,));
        // Python 3.10 has no notes: raise a new exception with the position and the original one as its cause.
        if noted.is_err() {
            let outer = exception(py, "BadRules", format!("{error} ({note})"));
            outer.set_cause(py, Some(error));
            return outer;
        }
    }
    error
}

fn text(object: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    match object.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => {
            let kind = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("{what} must be a str, not {kind}: {}", object.repr()?)))
        }
    }
}

fn value(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    Ok(match object.extract::<Option<i64>>()? {
        None => None,
        Some(1) => Some(Value::win(0)),
        Some(0) => Some(Value::DRAW),
        Some(-1) => Some(Value::loss(0)),
        Some(other) => return Err(PyValueError::new_err(format!("a value is 1, 0 or -1 for the mover, not {other}"))),
    })
}

fn board(rules: &Bound<'_, PyAny>) -> PyResult<Option<GridBoard>> {
    let Some((rows, columns)) = rules.getattr("board")?.extract::<Option<(usize, usize)>>()? else { return Ok(None) };
    let (first, second): (String, String) = rules.getattr("pieces")?.extract()?;
    let of = |letters: &str, side| letters.chars().map(move |letter| (letter, side)).collect::<Vec<_>>();
    Ok(Some(GridBoard { rows, columns, pieces: [of(&first, 0), of(&second, 1)].concat() }))
}
