//! Opens games of the catalogue by name.

use std::path::PathBuf;

use kanzen::catalogue::{Listing, listed};
use kanzen::{Budget, Error};
use kanzen_core::machine::machine_budget;
use kanzen_games::catalogue::{Games, find};
use pyo3::prelude::*;

use crate::convert::whole_or_none;
use crate::errors::raising;
use crate::game::Game;

/// Returns the budget for these options, with defaults from the machine, and the memory that was passed explicitly (0 if none).
pub fn budget(threads: Option<usize>, memory: Option<u64>) -> (Budget, u64) {
    let machine = machine_budget();
    let budget = Budget::new(threads.unwrap_or(machine.threads), memory.unwrap_or(machine.memory));
    (budget, memory.unwrap_or(0))
}

/// Returns the catalogue: a dictionary per game, as in `kanzen games --json`.
#[pyfunction]
pub fn games(py: Python<'_>, data: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let listings = py.detach(|| {
        let listings = listed(&Games, &data).iter().map(|entry| Listing::of(entry, &data)).collect::<Vec<_>>();
        Ok::<_, Error>(listings)
    });
    crate::convert::python(py, &listings.map_err(raising(py))?)
}

/// Opens a game of the catalogue. With `solve`, solves it first if needed.
#[pyfunction]
#[pyo3(signature = (id, data, solve=false, threads=None, memory=None, progress=None))]
pub fn open_game(
    py: Python<'_>,
    id: &str,
    data: PathBuf,
    solve: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    #[pyo3(from_py_with = whole_or_none)] memory: Option<u64>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let entry = find(id).map_err(raising(py))?;
    Game::open(py, entry, data, solve, budget(threads, memory), progress.as_ref())
}
