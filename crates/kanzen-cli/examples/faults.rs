//! Many kills, faults and power cuts, on a game of each engine; prints one JSON object for `cargo xtask record`.
//!
//!     cargo run --release -p kanzen-cli --example faults -- --kills 500 --faults 3000 --power-cuts 100
//!
//! A kill is a SIGKILL at an operation on the disk, in a process of its own; a fault is an error of the system at one;
//! a power cut loses what was not synced. After each the same solve goes on, and its bytes are compared with those of a
//! solve without faults. The tests `faults` and `power_cuts` do the same with fewer.

#[path = "../tests/support/rig/mod.rs"]
mod rig;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use rig::crash::{Loss, leave};
use rig::fault::{Fault, Kind, Trouble, troubles};
use rig::recorder::{DATA, Recorded, record};
use rig::{BY_ROUNDS, Dice, ENGINES, child, entry, files, solve, solve_undisturbed};
use serde_json::json;

/// An undisturbed solve.
struct Game {
    id: &'static str,
    count: Fault,
    files: BTreeMap<String, Vec<u8>>,
    recorded: Recorded,
}

impl Game {
    fn new(id: &'static str) -> Game {
        let data = tempfile::tempdir().expect("a folder");
        let count = Fault::none();
        solve(&entry(id), count.at_folder(data.path())).expect("a solve without faults");
        Game { id, count, files: files(data.path()), recorded: record(&entry(id)) }
    }
}

#[derive(Default)]
struct Tally {
    kills: AtomicU64,
    kills_met: AtomicU64,
    faults: AtomicU64,
    faults_met: AtomicU64,
    power_cuts: AtomicU64,
    whole_rounds_lost: AtomicU64,
    wrong: Mutex<Vec<String>>,
}

impl Tally {
    fn wrong(&self, what: String) {
        self.wrong.lock().expect("no thread panics while it holds the lock").push(what);
    }

    /// Solves to the end and compares.
    fn ends_the_same(&self, game: &Game, data: &std::path::Path, after: &str) {
        match solve_undisturbed(&entry(game.id), data) {
            Ok(_) if files(data) == game.files => {}
            Ok(_) => self.wrong(format!("{} after {after}: other bytes", game.id)),
            Err(error) => self.wrong(format!("{} after {after}: {error}", game.id)),
        }
    }

    fn kill(&self, game: &Game, dice: &mut Dice) {
        let data = tempfile::tempdir().expect("a folder");
        let kinds = [Kind::Create, Kind::Write, Kind::Sync, Kind::Rename, Kind::Remove];
        let kind = kinds[dice.below(kinds.len() as u64) as usize];
        let number = dice.below(game.count.met(kind).max(1));
        let output = child::run(&[], &line(game.id), data.path(), (kind, number, Trouble::Kill));
        self.kills.fetch_add(1, Relaxed);
        match output.status.code() {
            None => _ = self.kills_met.fetch_add(1, Relaxed),
            Some(0) => {}
            Some(code) => self.wrong(format!("{} killed at {kind:?} {number}: status {code}", game.id)),
        }
        self.ends_the_same(game, data.path(), &format!("a kill at {kind:?} {number}"));
    }

    fn fault(&self, game: &Game, dice: &mut Dice) {
        let data = tempfile::tempdir().expect("a folder");
        let kind = Kind::ALL[dice.below(Kind::ALL.len() as u64) as usize];
        let number = dice.below(game.count.met(kind).max(1));
        let error = troubles(kind)[dice.below(troubles(kind).len() as u64) as usize];
        let trouble = if dice.below(2) == 0 { Trouble::Once(error) } else { Trouble::FromThenOn(error) };
        let output = child::run(&[], &line(game.id), data.path(), (kind, number, trouble));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let after = format!("{trouble:?} at {kind:?} {number}");
        self.faults.fetch_add(1, Relaxed);
        match output.status.code() {
            Some(2) if stderr.starts_with("kanzen: cannot ") && stderr.lines().count() == 1 => {
                self.faults_met.fetch_add(1, Relaxed);
            }
            // A file that could not be removed does no harm, and on two threads there may be fewer operations.
            Some(0) if stderr.is_empty() => {}
            code => self.wrong(format!("{} with {after}: status {code:?}, {stderr}", game.id)),
        }
        self.ends_the_same(game, data.path(), &after);
    }

    fn power_cut(&self, game: &Game, dice: &mut Dice) {
        let recorded = &game.recorded;
        let acts = dice.below(recorded.acts.len() as u64 + 1) as usize;
        let loss = match dice.below(4) {
            0 => Loss::All,
            1 => Loss::Bytes,
            _ => Loss::ByLot(dice.below(1 << 30)),
        };
        let top = tempfile::tempdir().expect("a folder");
        leave(&recorded.acts[..acts], loss, top.path());
        self.power_cuts.fetch_add(1, Relaxed);
        let case = || format!("{} cut after {acts} acts, {loss:?} lost", game.id);
        match solve_undisturbed(&entry(game.id), &top.path().join(DATA)) {
            Ok(played) => {
                if files(top.path()) != recorded.files {
                    self.wrong(format!("{}: other bytes", case()));
                }
                if BY_ROUNDS.contains(&game.id) {
                    let left = recorded.played.levels - recorded.rounds_kept(acts);
                    self.whole_rounds_lost.fetch_max(played.levels.saturating_sub(left), Relaxed);
                }
            }
            Err(error) => self.wrong(format!("{}: {error}", case())),
        }
    }
}

fn line(game: &str) -> String {
    format!("solve {game} --quiet --json --checkpoint-seconds 0 --threads 2")
}

/// Does something so many times, on two threads, each time with a game and dice of its own.
fn many(games: &[Game], times: u64, act: impl Fn(&Game, &mut Dice) + Sync) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= times {
                        break;
                    }
                    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    dice.below(2);
                    act(&games[number as usize % games.len()], &mut dice);
                }
            });
        }
    });
}

fn main() -> ExitCode {
    child::play_child();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |option: &str, otherwise: u64| {
        let at = arguments.iter().position(|argument| argument == option);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(otherwise)
    };
    let start = Instant::now();
    let games: Vec<Game> = ENGINES.into_iter().chain(["nocca-3x3"]).map(Game::new).collect();
    let tally = Tally::default();
    many(&games, asked("--power-cuts", 100), |game, dice| tally.power_cut(game, dice));
    many(&games, asked("--kills", 500), |game, dice| tally.kill(game, dice));
    many(&games, asked("--faults", 3000), |game, dice| tally.fault(game, dice));
    let wrong = tally.wrong.into_inner().expect("all threads have ended");
    let report = json!({
        "games": games.iter().map(|game| game.id).collect::<Vec<_>>(),
        "kills": tally.kills.into_inner(),
        "kills_met": tally.kills_met.into_inner(),
        "faults": tally.faults.into_inner(),
        "faults_met": tally.faults_met.into_inner(),
        "power_cuts": tally.power_cuts.into_inner(),
        "whole_rounds_lost": tally.whole_rounds_lost.into_inner(),
        "wrong": wrong.len(),
        "examples": &wrong[..wrong.len().min(10)],
        "seconds": start.elapsed().as_secs_f64(),
    });
    println!("{report}");
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
