//! The reported progress of a solve runs from nothing to everything, also over several runs.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use kanzen::catalogue::Run;
use kanzen::progress::{Completion, Event, Observer};
use kanzen::{Budget, Error};
use kanzen_games::catalogue;

/// Records the progress and stops the solve at a given share.
struct Watcher {
    stop_at: f64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    completion: Completion,
    steps: u64,
    shares: Vec<f64>,
}

impl Watcher {
    fn stopping_at(share: f64) -> Watcher {
        Watcher { stop_at: share, seen: Mutex::default() }
    }

    fn shares(self) -> Vec<f64> {
        self.seen.into_inner().unwrap().shares
    }
}

impl Observer for Watcher {
    fn event(&self, event: Event<'_>) {
        let mut seen = self.seen.lock().unwrap();
        if seen.completion.update(&event) {
            seen.steps = 0;
        }
        if let Event::Steps { steps } = event {
            seen.steps += steps;
        }
        let share = seen.completion.share(seen.steps);
        seen.shares.extend(share);
    }

    fn stop(&self) -> bool {
        self.seen.lock().unwrap().shares.last().is_some_and(|&share| share >= self.stop_at)
    }
}

fn solve(game: &str, data: &Path, watcher: &Watcher) -> Result<(), Error> {
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::ZERO, observer: watcher };
    catalogue::find(game).unwrap().solve(data, &run).map(|_| ())
}

/// One solver of each kind.
const GAMES: [&str; 6] = ["tictactoe", "stones-300", "morris-5", "nocca-3x3", "nocca-4x3", "othello-4x4"];

#[test]
fn progress_runs_from_nothing_to_everything() {
    for game in GAMES {
        let data = tempfile::tempdir().unwrap();
        let watcher = Watcher::stopping_at(f64::INFINITY);
        solve(game, data.path(), &watcher).unwrap();
        let shares = watcher.shares();
        assert!(shares.len() > 5, "{game}: {shares:?}");
        assert!(shares[0] < 0.05 && shares[shares.len() - 1] > 0.9, "{game}: {shares:?}");
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9), "{game} goes back: {shares:?}");
    }
}

#[test]
fn progress_of_a_resumed_solve_starts_where_it_stopped() {
    for game in ["stones-300", "morris-5", "nocca-4x3"] {
        let data = tempfile::tempdir().unwrap();
        let first = Watcher::stopping_at(0.6);
        assert!(matches!(solve(game, data.path(), &first), Err(Error::Stopped)), "{game}");
        let reached = *first.shares().last().unwrap();
        let second = Watcher::stopping_at(f64::INFINITY);
        solve(game, data.path(), &second).unwrap();
        let shares = second.shares();
        // The resumed share is reported in parts, before any other work.
        let kept = shares.iter().copied().take(12).fold(0.0, f64::max);
        assert!(kept > reached - 0.2, "{game}: stopped at {reached}, resumed at {kept}");
        assert!(shares[shares.len() - 1] > 0.9, "{game}: {shares:?}");
    }
}
