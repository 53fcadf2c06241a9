//! An open game: positions, batches, tables.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kanzen::catalogue::{Entry, Observation, Run, Solved};
use kanzen::progress::Silent;
use kanzen::query::{Extent, Find, StatsRow};
use kanzen::{Budget, Error};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::asked::{Given, texts};
use crate::batches::{self, Legal, Told, Values, work};
use crate::column::Column;
use crate::errors::OrRaise;
use crate::find::{self, Scan};
use crate::json::python;
use crate::position::Position;
use crate::server::Server;
use crate::table::Table;
use crate::watch::watched;
use crate::whole::{kind, whole, whole_or_none};

/// Positions that `verify` looks at unless told otherwise.
const SAMPLE: u64 = 100_000;
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);
/// What the arrays of a batch take for each position: a number, a value and a distance.
const BYTES_EACH: u64 = 11;

/// A game and its open database.
pub struct Opened {
    /// The game.
    pub entry: Arc<Entry>,
    /// Its answers.
    pub solved: Solved,
    /// The data folder.
    pub data: PathBuf,
    /// Threads and memory for each question.
    pub budget: Budget,
    /// Bytes that a question to many positions may take besides its arrays, if somebody has said so.
    memory: u64,
    observation: OnceLock<Observation>,
}

impl Opened {
    /// What a question to so many positions may take: as much again as its arrays, unless more was allowed. Databases are
    /// not read as a whole then to answer a little quicker, unless the arrays are as large.
    pub fn budget_for(&self, positions: usize) -> Budget {
        let arrays = (positions as u64).saturating_mul(BYTES_EACH);
        Budget { memory: arrays.max(self.memory).min(self.budget.memory), ..self.budget }
    }
}

/// A solved game. `kanzen.open` makes one.
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
    /// Opens the database of a game; it is solved first if it is not, and that is wanted.
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
                py.detach(|| entry.open(&data)).or_raise(py)?
            }
            opened => opened.or_raise(py)?,
        };
        let opened = Opened { entry, solved, data, budget, memory, observation: OnceLock::new() };
        Ok(Game { opened: Arc::new(opened), conformance: None })
    }

    /// The same game, with what the conformance kit met.
    pub fn with_conformance(self, conformance: Py<PyDict>) -> Game {
        Game { conformance: Some(conformance), ..self }
    }

    fn observation(&self, py: Python<'_>) -> PyResult<&Observation> {
        if self.opened.observation.get().is_none() {
            let made = Observation::of(&*self.opened.entry).or_raise(py)?;
            // Another thread may have been quicker with the same.
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
    /// The name of the game in commands and files.
    #[getter]
    fn id(&self) -> &str {
        &self.opened.entry.info().id
    }

    /// The name of the game for people.
    #[getter]
    fn title(&self) -> &str {
        &self.opened.entry.info().title
    }

    /// The rules in a few sentences.
    #[getter]
    fn rules(&self) -> &str {
        &self.opened.entry.info().rules
    }

    /// How many positions have numbers: all numbers are below this.
    #[getter]
    fn positions(&self) -> u64 {
        self.opened.solved.positions()
    }

    /// The position a game starts from.
    #[getter]
    fn initial(&self, py: Python<'_>) -> PyResult<Position> {
        Position::read(py, &self.opened, None)
    }

    /// What the conformance kit met in rules written in Python; None for the games of the catalogue.
    #[getter]
    fn conformance(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.conformance.as_ref().map(|report| report.clone_ref(py))
    }

    /// The position of a text, or of a number.
    fn position(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Position> {
        if let Ok(text) = text.cast::<PyString>() {
            return Position::read(py, &self.opened, Some(text.to_str()?));
        }
        if !text.is_instance_of::<PyInt>() && text.extract::<u64>().is_err() {
            return Err(PyTypeError::new_err(format!("a position is a text, or a number, not {}", kind(text))));
        }
        let number: u64 = whole(text)?;
        let asked = kanzen::query::Asked::Numbers(&[number]);
        let texts = py.detach(|| self.opened.solved.batch(&self.opened.budget, &Silent).texts(asked)).or_raise(py)?;
        Position::read(py, &self.opened, texts.first().map(String::as_str))
    }

    /// Values and distances of many positions, given by texts or numbers: arrays of int8 (1, 0, -1 for the side to move)
    /// and int16 (plies to the end, -1 where there is no distance). The moves are not looked at.
    ///
    /// >>> game = kanzen.open("stones-21", solve=True)
    /// >>> game.values(["4", "3"])
    /// (array([-1,  1], dtype=int8), array([2, 1], dtype=int16))
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Values<'py>> {
        batches::values(py, &self.opened, &Given::of(positions)?)
    }

    /// The moves of many positions with their values: for each position its text, value and distance, and a list of
    /// moves, each with what the mover gets by it.
    ///
    /// >>> kanzen.open("stones-21", solve=True).moves(["2"])
    /// [('2', 1, 1, [('1', -1, 2), ('2', 1, 1)])]
    fn moves(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Told> {
        batches::moves(py, &self.opened, &Given::of(positions)?)
    }

    /// The moves of many positions by the rules alone, without looking at the database: for each position a list of moves,
    /// each with the position it leads to.
    ///
    /// >>> kanzen.open("stones-21", solve=True).legal_moves(["2"])
    /// [[('1', '1'), ('2', '0')]]
    fn legal_moves(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Legal> {
        batches::legal_moves(py, &self.opened, &Given::of(positions)?)
    }

    /// The numbers of texts, as an array of uint64: those of the mirror images that stand for them.
    fn numbers<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let texts = texts(positions)?;
        let Opened { solved, budget, .. } = &*self.opened;
        let numbers = work(py, texts.len(), |_| solved.batch(budget, &Silent).numbers(&texts))?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The texts of numbers.
    fn texts(&self, py: Python<'_>, numbers: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let given = Given::of(numbers)?;
        let asked = given.asked();
        work(py, asked.len(), |_| self.opened.solved.batch(&self.opened.budget, &Silent).texts(asked))
    }

    /// Numbers of so many positions drawn at random, uniformly and each at most once; the same for a seed.
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

    /// The names of the layers of `planes`.
    #[getter]
    fn layers(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.observation(py)?.layers().to_vec())
    }

    /// Positions as arrays of uint8 for learning: for each a layer of cells for every kind of piece, for pieces in hand
    /// and for the side to move (`layers` names them); rows and columns where the board is a rectangle.
    ///
    /// >>> kanzen.open("tictactoe", solve=True).planes(["X../.O./... X"]).shape
    /// (1, 3, 3, 3)
    fn planes<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        batches::planes(py, &self.opened, self.observation(py)?, &Given::of(positions)?)
    }

    /// Positions of the whole database that fulfil a condition, as one table: `where` is the WHERE clause of SQL, as in
    /// `kanzen find`.
    ///
    /// >>> game = kanzen.open("tictactoe", solve=True)
    /// >>> len(game.find("value = 'win' AND distance = 1", limit=5))
    /// 5
    #[pyo3(signature = (r#where="", order=None, limit=None, columns=None, sample=None, seed=0, all=false, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the options of a question, by name")]
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

    /// How many positions fulfil a condition.
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

    /// All positions that fulfil a condition, as tables of at most so many rows, in the order of the database.
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

    /// The census: wins, losses and draws by class and distance; totals are in `meta`.
    fn stats(&self, py: Python<'_>) -> PyResult<Table> {
        let stats = py.detach(|| self.opened.solved.stats()).or_raise(py)?;
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

    /// The longest wins and losses, with up to `limit` examples of each.
    #[pyo3(signature = (limit=3))]
    fn longest<'py>(&self, py: Python<'py>, #[pyo3(from_py_with = whole)] limit: usize) -> PyResult<Bound<'py, PyAny>> {
        let longest = watched(py, None, |_| self.opened.solved.longest_games(limit))?;
        python(py, &longest)
    }

    /// Checks stored values against the rules, one ply deep: so many positions drawn at random (100,000 unless told
    /// otherwise), or with `full=True` all of them. What was found is a dictionary; `passed` says whether all is right.
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

    /// Puzzles: positions with one right move at each turn, the same ones for a seed, the easiest first.
    #[pyo3(signature = (n, seed=0))]
    fn puzzles<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let puzzles = watched(py, None, |_| self.opened.solved.puzzles(n, seed))?;
        python(py, &puzzles)
    }

    /// Shows the game in the browser: a page at `url`, until it is stopped.
    #[pyo3(signature = (port=0))]
    fn serve(&self, #[pyo3(from_py_with = whole)] port: u16) -> PyResult<Server> {
        Server::start(&self.opened, port)
    }

    fn __repr__(&self) -> String {
        format!("<kanzen game {}>", self.id())
    }
}
