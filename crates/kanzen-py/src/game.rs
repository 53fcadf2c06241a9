//! The class `Game`: an open database with its positions, batch queries and tables.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kanzen::catalogue::{Entry, Observation, Run, Solved};
use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_query::{Extent, Find, StatsRow};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::batches::{self, Legal, Moves, Values, work};
use crate::convert::{Given, kind, python, texts, whole, whole_or_none};
use crate::errors::raising;
use crate::find::{self, Scan};
use crate::position::Position;
use crate::server::Server;
use crate::table::{Column, Table};
use crate::watch::watched;

/// Default sample size of `verify`.
const SAMPLE: u64 = 100_000;
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);
/// Bytes per position in the arrays of a batch: a number, a value and a distance.
const BYTES_EACH: u64 = 11;

/// A game and its open database.
pub struct Opened {
    /// The game.
    pub entry: Arc<Entry>,
    /// Its database.
    pub solved: Solved,
    /// The data folder.
    pub data: PathBuf,
    /// Threads and memory for each query.
    pub budget: Budget,
    /// Extra memory for batch queries, if the caller passed `memory`.
    memory: u64,
    observation: OnceLock<Observation>,
}

impl Opened {
    /// Returns the budget of a batch: by default as much memory as its arrays. This keeps a small batch from loading the
    /// whole database for a minor speed-up.
    pub fn budget_for(&self, positions: usize) -> Budget {
        let arrays = (positions as u64).saturating_mul(BYTES_EACH);
        Budget { memory: arrays.max(self.memory).min(self.budget.memory), ..self.budget }
    }
}

/// A solved game. Returned by `kanzen.open`.
///
/// >>> game = kanzen.open("tictactoe", solve=True)
/// >>> game.id, game.positions, game.initial.value
/// ('tictactoe', 765, 0)
#[pyclass(frozen, module = "kanzen")]
pub struct Game {
    opened: Arc<Opened>,
    conformance: Option<Py<PyDict>>,
}

impl Game {
    /// Opens the database of a game. With `solve`, solves it first if needed.
    pub fn open(
        py: Python<'_>,
        entry: Arc<Entry>,
        data: PathBuf,
        solve: bool,
        (budget, memory): (Budget, u64),
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let solved = match py.detach(|| entry.open(&data)) {
            Err(Error::NotSolved { .. }) if solve => {
                watched(py, progress, |watch| {
                    let run = Run { budget, checkpoint_every: CHECKPOINT_EVERY, observer: watch };
                    entry.solve(&data, &run)
                })?;
                py.detach(|| entry.open(&data)).map_err(raising(py))?
            }
            opened => opened.map_err(raising(py))?,
        };
        let opened = Opened { entry, solved, data, budget, memory, observation: OnceLock::new() };
        Ok(Game { opened: Arc::new(opened), conformance: None })
    }

    /// Attaches the report of the conformance check.
    pub fn with_conformance(self, conformance: Py<PyDict>) -> Game {
        Game { conformance: Some(conformance), ..self }
    }

    fn observation(&self, py: Python<'_>) -> PyResult<&Observation> {
        if self.opened.observation.get().is_none() {
            let made = Observation::of(&self.opened.entry).map_err(raising(py))?;
            // Another thread may have set the same value first.
            let _ = self.opened.observation.set(made);
        }
        self.opened.observation.get().ok_or_else(|| PyTypeError::new_err("no board"))
    }

    fn question(&self, condition: String, columns: Option<&Bound<'_, PyAny>>, order: Option<String>) -> PyResult<Find> {
        let columns = match columns {
            None => None,
            Some(text) if text.is_instance_of::<PyString>() => Some(text.extract::<String>()?),
            Some(list) => Some(list.extract::<Vec<String>>()?.join(", ")),
        };
        Ok(Find { condition, columns, order, ..Find::default() })
    }
}

#[pymethods]
impl Game {
    /// The id of the game in commands and files.
    #[getter]
    fn id(&self) -> &str {
        &self.opened.entry.info().id
    }

    /// The title of the game.
    #[getter]
    fn title(&self) -> &str {
        &self.opened.entry.info().title
    }

    /// The rules in a few sentences.
    #[getter]
    fn rules(&self) -> &str {
        &self.opened.entry.info().rules
    }

    /// The number of numbered positions. All position numbers are below it.
    #[getter]
    fn positions(&self) -> u64 {
        self.opened.solved.positions()
    }

    /// The initial position.
    #[getter]
    fn initial(&self, py: Python<'_>) -> PyResult<Position> {
        Position::read(py, &self.opened, None)
    }

    /// The report of the conformance check of rules written in Python; None for games of the catalogue.
    #[getter]
    fn conformance(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.conformance.as_ref().map(|report| report.clone_ref(py))
    }

    /// Returns the position for a string or a number.
    fn position(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Position> {
        if let Ok(text) = text.cast::<PyString>() {
            return Position::read(py, &self.opened, Some(text.to_str()?));
        }
        if !text.is_instance_of::<PyInt>() && text.extract::<u64>().is_err() {
            return Err(PyTypeError::new_err(format!("a position is a string or a number, not {}", kind(text))));
        }
        let number: u64 = whole(text)?;
        let asked = kanzen_query::Asked::Numbers(&[number]);
        let texts =
            py.detach(|| self.opened.solved.batch(&self.opened.budget, &Silent).texts(asked)).map_err(raising(py))?;
        Position::read(py, &self.opened, texts.first().map(String::as_str))
    }

    /// Returns values and distances of many positions, given as strings or numbers: arrays of int8 (1, 0, -1 for the side
    /// to move) and int16 (depth to win in plies, -1 if there is none). Does not look up the moves.
    ///
    /// >>> game = kanzen.open("stones-21", solve=True)
    /// >>> game.values(["4", "3"])
    /// (array([-1,  1], dtype=int8), array([2, 1], dtype=int16))
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Values<'py>> {
        batches::values(py, &self.opened, &Given::of(positions)?)
    }

    /// Returns many positions with their moves: for each position its text, value, distance and a list of moves, each
    /// with its text, value and distance for the mover.
    ///
    /// >>> kanzen.open("stones-21", solve=True).moves(["2"])
    /// [('2', 1, 1, [('1', -1, 2), ('2', 1, 1)])]
    fn moves(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Moves> {
        batches::moves(py, &self.opened, &Given::of(positions)?)
    }

    /// Returns the legal moves of many positions by the rules, without a database access: for each position a list of
    /// moves, each with the position it leads to.
    ///
    /// >>> kanzen.open("stones-21", solve=True).legal_moves(["2"])
    /// [[('1', '1'), ('2', '0')]]
    fn legal_moves(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Legal> {
        batches::legal_moves(py, &self.opened, &Given::of(positions)?)
    }

    /// Returns the numbers of positions given as strings, as an array of uint64. Symmetric positions share the number of
    /// their canonical form.
    fn numbers<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let texts = texts(positions)?;
        let Opened { solved, budget, .. } = &*self.opened;
        let numbers = work(py, texts.len(), |_| solved.batch(budget, &Silent).numbers(&texts))?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Returns the strings of positions given as numbers.
    fn texts(&self, py: Python<'_>, numbers: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let given = Given::of(numbers)?;
        let asked = given.asked();
        work(py, asked.len(), |_| self.opened.solved.batch(&self.opened.budget, &Silent).texts(asked))
    }

    /// Returns the numbers of `n` positions drawn uniformly at random without replacement. Deterministic for a seed.
    #[pyo3(signature = (n, seed=0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let Opened { solved, budget, .. } = &*self.opened;
        let numbers = work(py, n, |watch| solved.batch(budget, watch).sample(n, seed))?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The names of the feature planes of `planes`.
    #[getter]
    fn layers(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.observation(py)?.layers().to_vec())
    }

    /// Returns feature planes for machine learning, an array of uint8: one plane per kind of piece, for pieces in hand
    /// and for the side to move (`layers` names them). Planes have rows and columns if the board is a rectangle.
    ///
    /// >>> kanzen.open("tictactoe", solve=True).planes(["X../.O./... X"]).shape
    /// (1, 3, 3, 3)
    fn planes<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        batches::planes(py, &self.opened, self.observation(py)?, &Given::of(positions)?)
    }

    /// Returns the positions of the database that match a condition, as one table. `where` is an SQL WHERE clause, as in
    /// `kanzen find`.
    ///
    /// >>> game = kanzen.open("tictactoe", solve=True)
    /// >>> len(game.find("value = 'win' AND distance = 1", limit=5))
    /// 5
    #[pyo3(signature = (r#where="", order=None, limit=None, columns=None, sample=None, seed=0, all=false, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword options of a query")]
    fn find(
        &self,
        py: Python<'_>,
        r#where: &str,
        order: Option<String>,
        #[pyo3(from_py_with = whole_or_none)] limit: Option<u64>,
        columns: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole_or_none)] sample: Option<u64>,
        #[pyo3(from_py_with = whole)] seed: u64,
        all: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let question = self.question(r#where.to_owned(), columns, order)?;
        let sample = sample.map(|count| (count, seed));
        find::find(py, &self.opened, &Find { limit, sample, all, ..question }, progress)
    }

    /// Returns the number of positions that match a condition.
    ///
    /// >>> kanzen.open("tictactoe", solve=True).count("only_move")
    /// 328
    #[pyo3(signature = (r#where="", sample=None, seed=0, all=false, progress=None))]
    fn count(
        &self,
        py: Python<'_>,
        r#where: &str,
        #[pyo3(from_py_with = whole_or_none)] sample: Option<u64>,
        #[pyo3(from_py_with = whole)] seed: u64,
        all: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let question = self.question(r#where.to_owned(), None, None)?;
        let sample = sample.map(|count| (count, seed));
        find::count(py, &self.opened, &Find { count: true, sample, all, ..question }, progress)
    }

    /// Iterates over all positions that match a condition, in database order, as tables of at most `rows` rows.
    #[pyo3(signature = (r#where="", columns=None, rows=65536, all=false))]
    fn scan(
        &self,
        r#where: &str,
        columns: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole)] rows: u64,
        all: bool,
    ) -> PyResult<Scan> {
        let question = self.question(r#where.to_owned(), columns, None)?;
        Ok(Scan::new(self.opened.clone(), Find { limit: Some(rows.max(1)), all, ..question }))
    }

    /// Returns the census: wins, losses and draws by class and distance. `meta` has the totals.
    fn stats(&self, py: Python<'_>) -> PyResult<Table> {
        let stats = py.detach(|| self.opened.solved.stats()).map_err(raising(py))?;
        let rows = stats.rows();
        let count = |of: fn(&StatsRow) -> Option<i64>| Column::integers(rows.iter().map(of));
        let columns = vec![
            ("class".to_owned(), Column::texts(rows.iter().map(|row| row.class.clone()))),
            ("distance".to_owned(), count(|row| row.distance.map(i64::from))),
            ("wins".to_owned(), count(|row| Some(row.wins as i64))),
            ("losses".to_owned(), count(|row| Some(row.losses as i64))),
            ("draws".to_owned(), count(|row| Some(row.draws as i64))),
        ];
        let meta = PyDict::new(py);
        meta.set_item("game", &stats.game)?;
        for (name, count) in [
            ("positions", stats.positions),
            ("wins", stats.wins),
            ("losses", stats.losses),
            ("draws", stats.draws),
            ("stored", stats.stored),
        ] {
            meta.set_item(name, count)?;
        }
        Ok(Table::new(columns, meta.unbind()))
    }

    /// Returns the longest wins and losses, with up to `limit` examples of each.
    #[pyo3(signature = (limit=3))]
    fn longest<'py>(&self, py: Python<'py>, #[pyo3(from_py_with = whole)] limit: usize) -> PyResult<Bound<'py, PyAny>> {
        let longest = watched(py, None, |watch| self.opened.solved.longest_games(limit, watch))?;
        python(py, &longest)
    }

    /// Checks stored values against the rules, one ply deep, for a random sample (100,000 positions by default) or with
    /// `full=True` for all positions. Returns a report as a dictionary; `passed` is the result.
    ///
    /// >>> kanzen.open("tictactoe", solve=True).verify(full=True)["passed"]
    /// True
    #[pyo3(signature = (sample=None, full=false, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole_or_none)] sample: Option<u64>,
        full: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let extent = if full { Extent::Full } else { Extent::Sample(sample.unwrap_or(SAMPLE)) };
        let report = watched(py, progress, |watch| self.opened.solved.verify(extent, &self.opened.budget, watch))?;
        python(py, &report)
    }

    /// Returns puzzles, positions with exactly one right move at each turn, easiest first. Deterministic for a seed.
    #[pyo3(signature = (n, seed=0))]
    fn puzzles<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let puzzles = watched(py, None, |watch| self.opened.solved.puzzles(n, seed, watch))?;
        python(py, &puzzles)
    }

    /// Starts a web server that shows the game at `url` until it is stopped.
    #[pyo3(signature = (port=0))]
    fn serve(&self, #[pyo3(from_py_with = whole)] port: u16) -> PyResult<Server> {
        Server::start(&self.opened, port)
    }

    fn __repr__(&self) -> String {
        format!("<kanzen game {}>", self.id())
    }
}
