//! Batch queries: many positions at once, on all cores, without the GIL, into numpy arrays.

use kanzen::Error;
use kanzen::catalogue::Observation;
use kanzen::progress::Silent;
use kanzen_query::{Answer, WithMoves};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::convert::Given;
use crate::errors::raising;
use crate::game::Opened;
use crate::position::number;
use crate::watch::{Watch, watched};

/// Minimum batch size for which Ctrl-C is checked.
const MANY: usize = 10_000;
/// Positions that a thread processes between two checks for Ctrl-C.
const CHUNK: usize = 1 << 10;

/// The value and the distance of each position.
pub type Values<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i16>>);

/// For each position its text, value, distance and moves; for each move the same.
pub type Moves = Vec<(String, i8, i16, Vec<(String, i8, i16)>)>;

/// The moves of many positions, each with the position it leads to.
pub type Legal = Vec<Vec<(String, String)>>;

/// Runs work on `count` positions. Checks for Ctrl-C if the batch is large.
pub fn work<T: Send>(
    py: Python<'_>,
    count: usize,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if count >= MANY {
        return watched(py, None, work);
    }
    py.detach(|| work(&Watch::default())).map_err(raising(py))
}

/// Converts a value and a distance to numbers; -1 means no distance.
fn numbers(answer: Answer) -> (i8, i16) {
    (number(answer.value.outcome()), answer.value.distance().map_or(-1, |plies| plies as i16))
}

/// Writes values and distances into arrays as the library returns them.
pub fn values<'py>(py: Python<'py>, opened: &Opened, given: &Given<'py>) -> PyResult<Values<'py>> {
    let asked = given.asked();
    let values = PyArray1::<i8>::zeros(py, asked.len(), false);
    let distances = PyArray1::<i16>::zeros(py, asked.len(), false);
    {
        let (mut values, mut distances) = (values.readwrite(), distances.readwrite());
        let (values, distances) = (values.as_slice_mut()?, distances.as_slice_mut()?);
        work(py, asked.len(), |watch| {
            let mut done = 0;
            opened.solved.batch(&opened.budget_for(asked.len()), watch).values(asked, &mut |answers| {
                let places = values[done..].iter_mut().zip(&mut distances[done..]);
                for ((value, distance), &answer) in places.zip(answers) {
                    (*value, *distance) = numbers(answer);
                }
                done += answers.len();
            })
        })?;
    }
    Ok((values, distances))
}

/// Returns all moves with their values for the mover.
pub fn moves(py: Python<'_>, opened: &Opened, given: &Given<'_>) -> PyResult<Moves> {
    let asked = given.asked();
    work(py, asked.len(), |watch| {
        let mut result: Moves = Vec::with_capacity(asked.len());
        opened.solved.batch(&opened.budget_for(asked.len()), watch).moves(asked, &mut |some| {
            result.extend(some.into_iter().map(|WithMoves { position, answer, moves }| {
                let (value, distance) = numbers(answer);
                let moves = moves.into_iter().map(|(text, answer)| {
                    let (value, distance) = numbers(answer);
                    (text, value, distance)
                });
                (position, value, distance, moves.collect())
            }));
            Ok(())
        })?;
        Ok(result)
    })
}

/// Returns all legal moves with the positions they lead to. Uses the rules only.
pub fn legal_moves(py: Python<'_>, opened: &Opened, given: &Given<'_>) -> PyResult<Legal> {
    let asked = given.asked();
    work(py, asked.len(), |watch| {
        let texts = opened.solved.batch(&opened.budget, &Silent).texts(asked)?;
        let of = |text: &String| {
            let moves = opened.entry.moves(Some(text))?.moves.into_iter();
            Ok(moves.map(|to| (to.mv, to.position)).collect())
        };
        let some = |texts: &[String]| match kanzen::progress::Observer::stop(watch) {
            true => Err(Error::Stopped),
            false => texts.iter().map(of).collect(),
        };
        let pool = kanzen_core::machine::pool(opened.budget.threads)?;
        let legal: Vec<Legal> = pool.install(|| texts.par_chunks(CHUNK).map(some).collect::<Result<_, Error>>())?;
        Ok(legal.into_iter().flatten().collect())
    })
}

/// Encodes positions as feature planes.
pub fn planes<'py>(
    py: Python<'py>,
    opened: &Opened,
    observation: &Observation,
    given: &Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = given.asked();
    let (layers, cells) = (observation.layers().len(), observation.cells());
    let each = layers * cells;
    let planes = PyArray1::<u8>::zeros(py, asked.len() * each, false);
    {
        let mut planes = planes.readwrite();
        let planes = planes.as_slice_mut()?;
        work(py, asked.len(), |_| {
            let texts = opened.solved.batch(&opened.budget, &Silent).texts(asked)?;
            let pool = kanzen_core::machine::pool(opened.budget.threads)?;
            pool.install(|| {
                let each = planes.par_chunks_mut(each.max(1)).zip(&texts);
                each.try_for_each(|(array, text)| observation.fill(text, array))
            })
        })?;
    }
    let shape = match observation.rectangle() {
        Some((rows, columns)) => vec![asked.len(), layers, rows, columns],
        None => vec![asked.len(), layers, cells],
    };
    planes.call_method1("reshape", (shape,))
}
