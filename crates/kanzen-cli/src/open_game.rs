//! From the name of a game to answers about it.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use kanzen::catalogue::{Entry, Run, Solved};
use kanzen::{Deadline, Error};

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

/// Opens the database of a game. A small game that has none yet is solved first.
pub fn open_game(id: &str, settings: &Settings) -> Result<Solved, Error> {
    open_entry(&*settings.program.games.find(id)?, settings)
}

/// Opens the database of a game to ask about a position. What is wrong with the position is said first: a text that is
/// none is bad input, solved or not. A game that is not solved may still be searched from positions near its end.
pub fn open_at(
    id: &str,
    position: &Position,
    limit: &Limit,
    settings: &Settings,
) -> Result<(Solved, Reached), Error> {
    let entry = settings.program.games.find(id)?;
    let reached = position.reached(&*entry)?;
    let effort = |solved: &Solved| Ok::<_, Error>(solved.at(reached.position())?.effort(&settings.budget));
    let solved = match open_entry(&*entry, settings) {
        Err(not_solved @ Error::NotSolved { .. }) => match entry.unsolved() {
            None => return Err(not_solved),
            Some(solved) => match effort(&solved)? {
                Some(effort) if effort <= limit.holds() => {
                    tell(effort, settings);
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

/// Says how long a search takes, if somebody might wonder.
fn tell(effort: Duration, settings: &Settings) {
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
            // Somebody else asked for the same game at the same time: their database will do.
            Err(Error::Busy { .. }) if started.elapsed() < TIMEOUT => sleep(Duration::from_millis(20)),
            solved => return solved.map(|_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use kanzen::Budget;
    use kanzen::catalogue::{
        Answers, Catalogue, GameInfo, Many, PositionCount, Reach, Reader, Rows, SolveReport, SolvedPosition, State,
        Summary, Verdict,
    };
    use kanzen::progress::Observer;
    use kanzen::query::find::{Explanation, Schema};
    use kanzen::query::{Extent, Find, FindReport, LongestGames, Means, Moves, Puzzle, Stats, Verification};
    use kanzen::solve::{Counting, Forecast};
    use kanzen::store::{Files, Manifest};
    use kanzen::view::View;

    use super::*;
    use crate::output::Output;
    use crate::program::Program;

    /// A game that is there or not, and counts how often it is asked what a solve would cost.
    struct Stub {
        info: GameInfo,
        seconds: f64,
        solved: bool,
        forecasts: AtomicU64,
    }

    impl Reader for Stub {
        fn info(&self) -> &GameInfo {
            &self.info
        }

        fn view(&self) -> View {
            View::text()
        }

        fn initial(&self) -> String {
            String::new()
        }

        fn moves(&self, _: Option<&str>) -> Result<Moves, Error> {
            Err(Error::Stopped)
        }

        fn open_files(&self, _: &Path, _: Manifest, _: Box<dyn Files>) -> Result<Solved, Error> {
            Err(Error::Stopped)
        }
    }

    impl Entry for Stub {
        fn forecast(&self) -> Forecast {
            self.forecasts.fetch_add(1, Ordering::Relaxed);
            Forecast { positions: None, seconds: self.seconds, memory_bytes: 1, data_bytes: 1, disk_bytes: 1 }
        }

        fn fingerprint(&self) -> Result<u64, Error> {
            Err(Error::Stopped)
        }

        fn draw(&self, _: Option<&str>, _: u64) -> Result<String, Error> {
            Err(Error::Stopped)
        }

        fn notation(&self) -> String {
            String::new()
        }

        fn counting(&self) -> Counting {
            Counting::All
        }

        fn count(&self, _: &Budget, _: &dyn Observer) -> Result<PositionCount, Error> {
            Err(Error::Stopped)
        }

        fn reach(&self, _: Option<u32>, _: &Budget, _: &dyn Observer) -> Result<Reach, Error> {
            Err(Error::Stopped)
        }

        fn state(&self, _: &Path) -> State {
            if self.solved { State::Solved } else { State::Unsolved }
        }

        fn summary(&self, _: &Path) -> Result<Summary, Error> {
            Err(Error::Stopped)
        }

        fn is_solved(&self, _: &Path) -> bool {
            self.solved
        }

        fn solve(&self, _: &Path, _: &Run<'_>) -> Result<SolveReport, Error> {
            Err(Error::Stopped)
        }

        fn open(&self, data: &Path) -> Result<Solved, Error> {
            match self.solved {
                true => Ok(Box::new(Nothing)),
                false => Err(Error::NotSolved { game: self.info.id.clone(), folder: data.to_owned() }),
            }
        }
    }

    /// A catalogue without games, and a database without answers.
    struct Nothing;

    impl Catalogue for Nothing {
        fn all(&self) -> Vec<Arc<Entry>> {
            Vec::new()
        }
    }

    impl Answers for Nothing {
        fn at(&self, _: Option<&str>) -> Result<SolvedPosition<'_>, Error> {
            Err(Error::Stopped)
        }
    }

    impl Solved for Nothing {
        fn initial(&self) -> String {
            String::new()
        }

        fn verdict(&self) -> Result<Verdict, Error> {
            Err(Error::Stopped)
        }

        fn batch(&self) -> &dyn Many {
            unreachable!("nobody asks for many positions here")
        }

        fn longest_games(&self, _: usize) -> Result<LongestGames, Error> {
            Err(Error::Stopped)
        }

        fn columns(&self) -> Result<Schema, Error> {
            Err(Error::Stopped)
        }

        fn find_together(&self, _: &Find, _: &Means<'_>, _: &mut Rows<'_>) -> Result<FindReport, Error> {
            Err(Error::Stopped)
        }

        fn puzzles(&self, _: usize, _: u64) -> Result<Vec<Puzzle>, Error> {
            Err(Error::Stopped)
        }

        fn explain(&self, _: &Find, _: &Budget) -> Result<Explanation, Error> {
            Err(Error::Stopped)
        }

        fn stats(&self) -> Result<Stats, Error> {
            Err(Error::Stopped)
        }

        fn csv(&self) -> Result<String, Error> {
            Err(Error::Stopped)
        }

        fn verify_together(&self, _: Extent, _: &Means<'_>) -> Result<Verification, Error> {
            Err(Error::Stopped)
        }
    }

    /// What opening says, and how often it asked for a forecast.
    fn opened(solved: bool, seconds: f64) -> (Result<(), String>, u64) {
        let info = GameInfo { id: "go".into(), title: "Go".into(), rules: String::new() };
        let stub = Stub { info, seconds, solved, forecasts: AtomicU64::new(0) };
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
        let opened = open_entry(&stub, &settings).map(|_| ()).map_err(|error| error.to_string());
        (opened, stub.forecasts.into_inner())
    }

    #[test]
    fn only_a_small_game_is_solved_when_asked_for() {
        assert_eq!(opened(false, 3600.0), (Err("go is not solved in here".to_owned()), 1));
        assert_eq!(opened(false, 1.0), (Err("stopped".to_owned()), 1));
    }

    #[test]
    fn nobody_asks_what_a_solved_game_would_cost() {
        assert_eq!(opened(true, 3600.0), (Ok(()), 0));
    }
}
