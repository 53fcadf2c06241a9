//! From the name of a game to answers about it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use kanzen::catalogue::{CatalogueError, Entry, Run, Solved};
use kanzen::store::StoreError;
use kanzen_games::catalogue;

use crate::progress::Progress;
use crate::settings::Settings;

/// How long to wait for another process that solves the same small game.
const PATIENCE: Duration = Duration::from_secs(60);

/// The entry of a game in the catalogue.
pub fn find(id: &str) -> anyhow::Result<Box<dyn Entry>> {
    Ok(catalogue::find(id)?)
}

/// Opens the database of a game. A small game that has none yet is solved first.
pub fn open(id: &str, settings: &Settings) -> anyhow::Result<Box<dyn Solved>> {
    let entry = find(id)?;
    match entry.open(&settings.data) {
        Err(CatalogueError::Store(StoreError::NotSolved { .. })) if entry.card().forecast.is_small() => {
            solve_small(&*entry, settings)?;
            Ok(entry.open(&settings.data)?)
        }
        opened => Ok(opened?),
    }
}

fn solve_small(entry: &dyn Entry, settings: &Settings) -> Result<(), CatalogueError> {
    let started = Instant::now();
    loop {
        let progress = Progress::new(&entry.card().id, settings.quiet);
        let run = Run { budget: settings.budget, checkpoint_every: settings.checkpoint_every, observer: &progress };
        match entry.solve(&settings.data, &run) {
            // Somebody else asked for the same game at the same time: their database will do.
            Err(busy) if is_busy(&busy) && started.elapsed() < PATIENCE => sleep(Duration::from_millis(20)),
            solved => return solved.map(|_| ()),
        }
    }
}

fn is_busy(error: &CatalogueError) -> bool {
    matches!(error, CatalogueError::Store(StoreError::Busy { .. }))
}
