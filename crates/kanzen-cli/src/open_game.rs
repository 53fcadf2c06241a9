//! Opens the database of a game to answer queries; solves a small game first.

use std::thread::sleep;
use std::time::{Duration, Instant};

use kanzen::Error;
use kanzen::catalogue::{Entry, Run, Solved};
use kanzen_core::Deadline;

use crate::args::{Limit, Position, Reached};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::words;

/// How long to wait for another process that solves the same small game.
const TIMEOUT: Duration = Duration::from_secs(60);
/// A search that takes longer is announced.
const NOTICED: Duration = Duration::from_secs(3);
/// So many times the limit is out of reach: then the game would have to be solved.
const FAR: u32 = 1000;

/// Opens the database of a game to ask about a position. A bad position is reported first: a text that is
/// none is bad input, solved or not. A game that is not solved may still be searched from positions near its end.
pub fn open_at(
    entry: &Entry,
    position: &Position,
    limit: &Limit,
    settings: &Settings,
) -> Result<(Solved, Reached), Error> {
    let reached = position.reached(entry)?;
    let effort = |solved: &Solved| Ok::<_, Error>(solved.at(reached.position())?.effort(&settings.budget));
    let solved = match open_entry(entry, settings) {
        Err(not_solved @ Error::NotSolved { .. }) => match entry.unsolved() {
            None => return Err(not_solved),
            Some(solved) => match effort(&solved)? {
                Some(effort) if effort <= limit.holds() => {
                    announce(effort, settings);
                    solved
                }
                Some(effort) if effort <= FAR * limit.holds() => return Err(Error::TooLong),
                _ => return Err(not_solved),
            },
        },
        solved => solved?,
    };
    solved.keep(settings.kept());
    let bounded = limit.given().and_then(|limit| solved.bounded(&settings.budget, &Deadline::after(limit)));
    Ok((bounded.unwrap_or(solved), reached))
}

/// Announces a long search.
fn announce(effort: Duration, settings: &Settings) {
    if effort > NOTICED && !settings.quiet {
        eprintln!("by search, which takes about {}", words::time(effort.as_secs_f64()));
    }
}

/// Opens the database of an entry. A small game that has none yet is solved first.
pub fn open_entry(entry: &Entry, settings: &Settings) -> Result<Solved, Error> {
    match entry.open(&settings.data) {
        Err(Error::NotSolved { .. }) if entry.forecast().is_small() => {
            solve_small(entry, settings)?;
            entry.open(&settings.data)
        }
        opened => opened,
    }
}

fn solve_small(entry: &Entry, settings: &Settings) -> Result<(), Error> {
    let started = Instant::now();
    loop {
        let progress = Progress::new(&entry.info().id, settings.quiet);
        let run = Run { budget: settings.budget, checkpoint_every: settings.checkpoint_every, observer: &progress };
        match entry.solve(&settings.data, &run) {
            // Another process solves the same game: its database will do.
            Err(Error::Busy { .. }) if started.elapsed() < TIMEOUT => sleep(Duration::from_millis(20)),
            solved => return solved.map(|_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use kanzen::Budget;
    use kanzen::catalogue::{ExplicitGame, GameInfo, PositionRecord};
    use kanzen_query::{Opener, Oracle};
    use kanzen_solve::{Forecast, Job, RulesOnly, Solution, Solver};
    use kanzen_store::Database;

    use super::*;
    use crate::output::Output;
    use crate::program::{NoGames, Program};

    /// Solves, or is interrupted at once; counts how often it is asked what a solve would cost.
    struct Stub {
        rules: RulesOnly,
        forecasts: Arc<AtomicU64>,
        solves: bool,
    }

    impl Solver<ExplicitGame> for Stub {
        fn forecast(&self, game: &ExplicitGame) -> Forecast {
            self.forecasts.fetch_add(1, Ordering::Relaxed);
            self.rules.forecast(game)
        }

        fn solve(&self, game: &ExplicitGame, job: &Job<'_>) -> Result<Solution, Error> {
            if self.solves { self.rules.solve(game, job) } else { Err(Error::Stopped) }
        }
    }

    impl Opener<ExplicitGame> for Stub {
        fn open(&self, game: &Arc<ExplicitGame>, database: Database) -> Result<Box<dyn Oracle>, Error> {
            self.rules.open(game, database)
        }
    }

    /// The settings of a program without games.
    fn settings(data: &Path) -> Settings {
        Settings {
            data: data.into(),
            budget: Budget::new(1, 1 << 30),
            json: false,
            quiet: true,
            checkpoint_every: Duration::ZERO,
            output: Output::new(),
            program: Program::new("kanzen", NoGames),
            definition: clap::Command::new("kanzen"),
        }
    }

    /// Take the one stone.
    fn entry(seconds: f64, forecasts: &Arc<AtomicU64>, solves: bool) -> Entry {
        let info = GameInfo { id: "go".into(), title: "Go".into(), rules: String::new() };
        let forecast = Forecast { positions: None, seconds, memory_bytes: 1, data_bytes: 1, disk_bytes: 1 };
        let mut game = ExplicitGame::builder("1");
        game.push(PositionRecord { moves: vec![("take".into(), "0".into())], ..PositionRecord::default() }).unwrap();
        game.push(PositionRecord::default()).unwrap();
        let solver = Stub { rules: RulesOnly::new(forecast), forecasts: forecasts.clone(), solves };
        Entry::new(info, game.build(None).unwrap(), solver)
    }

    /// The outcome of opening, and how often it asked for a forecast.
    fn opened(solved: bool, seconds: f64) -> (Result<(), String>, u64) {
        let data = tempfile::tempdir().unwrap();
        let (settings, forecasts) = (settings(data.path()), Arc::new(AtomicU64::new(0)));
        if solved {
            solve_small(&entry(seconds, &Arc::default(), true), &settings).unwrap();
        }
        let opened = open_entry(&entry(seconds, &forecasts, false), &settings).map(|_| ());
        let folder = data.path().display().to_string();
        (opened.map_err(|error| error.to_string().replace(&folder, "here")), forecasts.load(Ordering::Relaxed))
    }

    #[test]
    fn only_a_small_game_is_solved_when_asked_for() {
        assert_eq!(opened(false, 3600.0), (Err("go is not solved in here".to_owned()), 1));
        assert_eq!(opened(false, 1.0), (Err("stopped".to_owned()), 1));
    }

    #[test]
    fn a_forecast_is_not_computed_for_a_solved_game() {
        assert_eq!(opened(true, 3600.0), (Ok(()), 0));
    }
}
