//! Questions to many positions at once: on all cores, without the interpreter's lock, into arrays of numpy's.

use kanzen::Error;
use kanzen::catalogue::Observation;
use kanzen::progress::Silent;
use kanzen::query::{Answer, WithMoves};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::asked::Given;
use crate::errors::OrRaise;
use crate::game::Opened;
use crate::position::number;
use crate::watch::{Watch, watched};

/// From this many positions on Ctrl-C is listened for.
const MANY: usize = 10_000;
/// Positions that a thread asks the rules for between two looks at Ctrl-C.
const PIECE: usize = 1 << 10;

/// Who wins, and in how many plies, of each position.
pub type Values<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i16>>);

/// What of many positions is told of each: its text, value and distance, and the same of its moves.
pub type Told = Vec<(String, i8, i16, Vec<(String, i8, i16)>)>;

/// The moves of many positions, each with the position it leads to.
pub type Legal = Vec<Vec<(String, String)>>;

/// Runs work on so many positions: where they are many, Ctrl-C is listened for.
pub fn work<T: Send>(
    py: Python<'_>,
    count: usize,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if count >= MANY {
        return watched(py, None, work);
    }
    py.detach(|| work(&Watch::default())).or_raise(py)
}

/// Value and distance as numbers, -1 where there is no distance.
fn numbers(answer: Answer) -> (i8, i16) {
    (number(answer.value.outcome()), answer.value.distance().map_or(-1, |plies| plies as i16))
}

/// Values and distances, written into the arrays as the library tells them.
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

/// All moves with what the mover gets by them.
pub fn moves(py: Python<'_>, opened: &Opened, given: &Given<'_>) -> PyResult<Told> {
    let asked = given.asked();
    work(py, asked.len(), |watch| {
        let mut told: Told = Vec::with_capacity(asked.len());
        opened.solved.batch(&opened.budget_for(asked.len()), watch).moves(asked, &mut |some| {
            told.extend(some.into_iter().map(|WithMoves { position, answer, moves }| {
                let (value, distance) = numbers(answer);
                let moves = moves.into_iter().map(|(text, answer)| {
                    let (value, distance) = numbers(answer);
                    (text, value, distance)
                });
                (position, value, distance, moves.collect())
            }));
            Ok(())
        })?;
        Ok(told)
    })
}

/// All moves and where they lead, by the rules alone.
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
        let pool = kanzen::machine::pool(opened.budget.threads)?;
        let legal: Vec<Legal> = pool.install(|| texts.par_chunks(PIECE).map(some).collect::<Result<_, Error>>())?;
        Ok(legal.into_iter().flatten().collect())
    })
}

/// Positions as layers of cells.
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
            let pool = kanzen::machine::pool(opened.budget.threads)?;
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
