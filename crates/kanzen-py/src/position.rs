//! The classes `Position` and `Move`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use kanzen::Outcome;
use kanzen::catalogue::{Verdict, picture};
use kanzen_query::{LineMove, Probe, ProbedMove, READS, Traps};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::whole;
use crate::errors::raising;
use crate::game::Opened;

/// Converts an outcome to a number: 1 if the mover wins, 0 for a draw, -1 if the mover loses.
pub fn number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// A position of a game: its value, its moves, its picture. Properties are looked up on access.
///
/// >>> game = kanzen.open("tictactoe", solve=True)
/// >>> position = game.position("X../.O./... X")
/// >>> position.value, position.distance, len(position.moves)
/// (0, None, 7)
/// >>> str(position.play("c1"))
/// 'X../.O./..X O'
#[pyclass(frozen, module = "kanzen")]
pub struct Position {
    opened: Arc<Opened>,
    text: String,
    to_move: String,
    verdict: OnceLock<Verdict>,
}

impl Position {
    /// Parses a position; `None` is the initial one.
    pub fn read(py: Python<'_>, opened: &Arc<Opened>, text: Option<&str>) -> PyResult<Position> {
        let moves = opened.entry.moves(text).map_err(raising(py))?;
        let (opened, verdict) = (opened.clone(), OnceLock::new());
        Ok(Position { opened, text: moves.position, to_move: moves.to_move, verdict })
    }

    /// Returns its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn verdict(&self, py: Python<'_>) -> PyResult<Verdict> {
        if let Some(known) = self.verdict.get() {
            return Ok(*known);
        }
        let verdict = py.detach(|| self.opened.solved.at(Some(&self.text))?.verdict()).map_err(raising(py))?;
        Ok(*self.verdict.get_or_init(|| verdict))
    }

    fn convert(&self, py: Python<'_>, probe: Probe) -> Vec<Move> {
        py.detach(|| probe.moves.into_iter().map(|choice| Move::of(&self.opened, choice)).collect())
    }
}

#[pymethods]
impl Position {
    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.opened.entry.info().id
    }

    /// The side to move, as the notation names it.
    #[getter]
    fn to_move(&self) -> &str {
        &self.to_move
    }

    /// The number of the position up to symmetry, or None if it has none.
    #[getter]
    fn number(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        py.detach(|| self.opened.solved.at(Some(&self.text))?.number()).map_err(raising(py))
    }

    /// 1 if the side to move wins, 0 for a draw, -1 if it loses.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<i8> {
        Ok(number(self.verdict(py)?.value))
    }

    /// Depth to win in plies under best play; None for a draw and where it is undefined.
    #[getter]
    fn distance(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        Ok(self.verdict(py)?.distance)
    }

    /// The mover's score in games with scores, otherwise None.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<Option<i16>> {
        Ok(self.verdict(py)?.score)
    }

    /// All legal moves, best first.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Move>> {
        let probe = py.detach(|| self.opened.solved.at(Some(&self.text))?.probe()).map_err(raising(py))?;
        Ok(self.convert(py, probe))
    }

    /// Returns the position after a move.
    ///
    /// >>> str(kanzen.open("stones-21", solve=True).initial.play("3"))
    /// '18'
    fn play(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let moves = self.opened.entry.moves(Some(&self.text)).map_err(raising(py))?;
        match moves.moves.into_iter().find(|choice| choice.mv == text.trim()) {
            Some(choice) => Position::read(py, &self.opened, Some(&choice.position)),
            None => Err(PyValueError::new_err(format!("{text} is not a move in {}", self.text))),
        }
    }

    /// Returns a line of best play to the end of the game, or to the first repetition if neither side can force an end.
    fn line(&self, py: Python<'_>) -> PyResult<Vec<Move>> {
        let line = py.detach(|| self.opened.solved.at(Some(&self.text))?.line()).map_err(raising(py))?;
        Ok(line.line.into_iter().map(|step| Move::of_line(&self.opened, step)).collect())
    }

    /// Returns all legal moves. Moves that keep the value have `traps`: the number of replies that lose value, and how
    /// many of these mistakes a search of `reads` plies misses.
    #[pyo3(signature = (reads=READS))]
    fn traps(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] reads: u16) -> PyResult<Vec<Move>> {
        let probe = py.detach(|| self.opened.solved.at(Some(&self.text))?.probe_traps(reads)).map_err(raising(py))?;
        Ok(self.convert(py, probe))
    }

    /// Returns the board as text for a terminal.
    fn draw(&self, py: Python<'_>) -> PyResult<String> {
        self.opened.entry.draw(Some(&self.text), 0).map_err(raising(py))
    }

    /// Returns the board as an SVG file.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        picture(&self.opened.entry, &self.text).map_err(raising(py))
    }

    /// Returns the board as a notebook shows it.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<{} {:?}>", self.game(), self.text)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.get();
            self.text == other.text && self.game() == other.game()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game(), &self.text).hash(&mut hasher);
        hasher.finish()
    }
}

/// A move with its value for the player who makes it.
///
/// >>> best = kanzen.open("stones-21", solve=True).initial.moves[0]
/// >>> best.text, best.value, best.distance, str(best.to)
/// ('1', 1, 11, '20')
#[pyclass(frozen, module = "kanzen")]
pub struct Move {
    opened: Arc<Opened>,
    text: String,
    to: String,
    verdict: Verdict,
    traps: Option<Traps>,
}

impl Move {
    fn of(opened: &Arc<Opened>, choice: ProbedMove) -> Move {
        let ProbedMove { mv, value, distance, score, position, traps, .. } = choice;
        Move { opened: opened.clone(), text: mv, to: position, verdict: Verdict { value, distance, score }, traps }
    }

    /// Converts a step of a line, whose value is that of the position after it.
    fn of_line(opened: &Arc<Opened>, step: LineMove) -> Move {
        let value = match step.value {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        let distance = step.distance.map(|plies| plies + 1);
        let verdict = Verdict { value, distance, score: step.score.map(|score| -score) };
        Move { opened: opened.clone(), text: step.mv, to: step.position, verdict, traps: None }
    }
}

#[pymethods]
impl Move {
    /// The move in the game's notation.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The value for the mover: 1, 0 or -1.
    #[getter]
    fn value(&self) -> i8 {
        number(self.verdict.value)
    }

    /// Depth to win in plies, including this move; None where it is undefined.
    #[getter]
    fn distance(&self) -> Option<u16> {
        self.verdict.distance
    }

    /// The mover's score after it, in games with scores.
    #[getter]
    fn score(&self) -> Option<i16> {
        self.verdict.score
    }

    /// The position after it.
    #[getter]
    fn to(&self, py: Python<'_>) -> PyResult<Position> {
        Position::read(py, &self.opened, Some(&self.to))
    }

    /// The number of replies, of safe replies, of mistakes and of hidden mistakes. Set only by `position.traps()`, and only
    /// for moves that keep the value; otherwise None.
    #[getter]
    fn traps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::convert::python(py, &self.traps)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let plies = self.verdict.distance.map_or(String::new(), |plies| format!(" in {plies}"));
        format!("<{}: {}{plies}>", self.text, self.verdict.value)
    }
}
