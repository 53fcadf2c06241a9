//! From the name of a game to answers about it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use kanzen::Error;
use kanzen::catalogue::{Entry, Run, Solved};

use crate::progress::Progress;
use crate::settings::Settings;

/// How long to wait for another process that solves the same small game.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens the database of a game. A small game that has none yet is solved first.
pub fn open(id: &str, settings: &Settings) -> anyhow::Result<Box<dyn Solved>> {
    Ok(open_entry(&*settings.program.games.find(id)?, settings)?)
}

fn open_entry(entry: &dyn Entry, settings: &Settings) -> Result<Box<dyn Solved>, Error> {
    match entry.open(&settings.data) {
        Err(Error::NotSolved { .. }) if entry.info().forecast.is_small() => {
            solve_small(entry, settings)?;
            entry.open(&settings.data)
        }
        opened => opened,
    }
}

fn solve_small(entry: &dyn Entry, settings: &Settings) -> Result<(), Error> {
    let started = Instant::now();
    loop {
        let progress = Progress::new(&entry.info().id, settings.quiet);
        let run = Run { budget: settings.budget, checkpoint_every: settings.checkpoint_every, observer: &progress };
        match entry.solve(&settings.data, &run) {
            // Somebody else asked for the same game at the same time: their database will do.
            Err(busy) if is_busy(&busy) && started.elapsed() < PATIENCE => sleep(Duration::from_millis(20)),
            solved => return solved.map(|_| ()),
        }
    }
}

fn is_busy(error: &Error) -> bool {
    matches!(error, Error::Busy { .. })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kanzen::Budget;
    use kanzen::catalogue::{Catalogue, Forecast, GameInfo, SolveReport};

    use super::*;
    use crate::output::Output;
    use crate::program::Program;

    /// A game that nobody has solved, and that counts on not being solved by the way.
    struct Unsolved(GameInfo);

    impl Entry for Unsolved {
        fn info(&self) -> &GameInfo {
            &self.0
        }

        fn view(&self) -> kanzen::view::View {
            kanzen::view::View::text()
        }

        fn initial(&self) -> String {
            String::new()
        }

        fn moves(&self, _: Option<&str>) -> Result<kanzen::query::Moves, kanzen::Error> {
            let reason = kanzen::BadPosition::new("it has no positions");
            Err(kanzen::Error::BadPosition { game: self.0.id.clone(), reason })
        }

        fn is_solved(&self, _: &Path) -> bool {
            false
        }

        fn solve(&self, _: &Path, _: &Run<'_>) -> Result<SolveReport, Error> {
            Err(kanzen::Error::Stopped.into())
        }

        fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error> {
            Err(Error::NotSolved { game: self.0.id.clone(), folder: data.to_owned() }.into())
        }
    }

    struct Nothing;

    impl Catalogue for Nothing {
        fn all(&self) -> Vec<Box<dyn Entry>> {
            Vec::new()
        }
    }

    fn asked(seconds: f64) -> String {
        let card = GameInfo {
            id: "go".into(),
            title: "Go".into(),
            rules: String::new(),
            positions: None,
            forecast: Forecast { seconds, memory_bytes: 1, data_bytes: 1 },
        };
        let settings = Settings {
            data: "here".into(),
            budget: Budget::new(1, 1 << 20),
            json: false,
            quiet: true,
            checkpoint_every: Duration::ZERO,
            output: Output::new(),
            program: Program::new("kanzen", Nothing),
            definition: clap::Command::new("kanzen"),
        };
        open_entry(&Unsolved(card), &settings).err().expect("it is not solved").to_string()
    }

    #[test]
    fn only_a_small_game_is_solved_when_asked_for() {
        assert_eq!(asked(3600.0), "go is not solved in here: run `kanzen solve go`");
        assert_eq!(asked(1.0), "stopped; the same command goes on from here");
    }
}
