//! Runs solves with full disks, kills and power cuts: shared by the tests and `examples/faults.rs`.
#![allow(dead_code)] // each program uses its part

pub mod child;
pub mod crash;
pub mod fault;
pub mod recorder;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kanzen::catalogue::{Catalogue, Entry, GameInfo, Run};
use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Error};
use kanzen_core::machine::cpu::Isa;
use kanzen_games::catalogue::Games;
use kanzen_games::musashi::{Board, Musashi, SetAtATime};
use kanzen_games::ostle::{Army, ByBoards, Ko, Ostle};
use kanzen_query::{Opener, Oracle};
use kanzen_solve::{Forecast, Job, Solution, Solver};
use kanzen_store::{Database, Disk, Faulting, Operation, Verdict, VfsPath};

/// A game for each engine, each solved in a few hundredths of a second.
pub const ENGINES: [&str; 8] =
    ["stones-30", "tictactoe", "morris-3", "nocca-3x2", "musashi-part", "othello-4x4", "othello-4x5", "ostle-small"];

/// Those whose rounds are counted.
pub const BY_ROUNDS: [&str; 2] = ["nocca-3x2", "musashi-part"];

/// The games of the catalogue, and small ones of engines that have none there.
pub struct SmallGames;

impl Catalogue for SmallGames {
    fn all(&self) -> Vec<Arc<Entry>> {
        ENGINES.iter().map(|id| entry(id)).collect()
    }

    fn find(&self, id: &str) -> Result<Arc<Entry>, Error> {
        if ENGINES.contains(&id) { Ok(entry(id)) } else { Games.find(id) }
    }
}

/// A game by name.
pub fn entry(id: &str) -> Arc<Entry> {
    let info = GameInfo { id: id.to_owned(), title: id.to_owned(), rules: String::new() };
    match id {
        "musashi-part" => {
            let board = Board::of_points(25).expect("the smallest board");
            let points: Vec<u8> = (0..25).filter(|&p| board.xy(p).0 < 3 && (1..4).contains(&board.xy(p).1)).collect();
            let solver = SetAtATime::with(Isa::best(), 6);
            Arc::new(Entry::new(info, Musashi::on(board.part(&points)), solver))
        }
        "ostle-small" => {
            let game = Ostle::with_army(Army { least: 1, most: 2 }, 3, Ko::Literal).expect("an army of two");
            Arc::new(Entry::new(info, game, SmallBoards))
        }
        _ => Games.find(id).expect("a game of the catalogue"),
    }
}

/// Ostle's solver, for armies too small to have a forecast.
struct SmallBoards;

impl Solver<Ostle> for SmallBoards {
    fn forecast(&self, _: &Ostle) -> Forecast {
        Forecast { positions: None, seconds: 0.1, memory_bytes: 1 << 20, data_bytes: 1 << 16, disk_bytes: 1 << 20 }
    }

    fn solve(&self, game: &Ostle, job: &Job<'_>) -> Result<Solution, Error> {
        ByBoards.solve(game, job)
    }
}

impl Opener<Ostle> for SmallBoards {
    fn open(&self, game: &Arc<Ostle>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        ByBoards.open(game, database)
    }

    fn layout(&self, game: &Ostle) -> Result<u64, Error> {
        ByBoards.layout(game)
    }
}

/// What a solve did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// Levels or rounds that were played.
    pub levels: u64,
}

#[derive(Default)]
struct LevelCounter {
    levels: AtomicU64,
}

impl Observer for LevelCounter {
    fn event(&self, event: Event<'_>) {
        if let Event::Level { .. } = event {
            self.levels.fetch_add(1, Relaxed);
        }
    }
}

/// Solves a game, with a checkpoint after every level.
pub fn solve(entry: &Entry, data: impl Into<VfsPath>) -> Result<LevelCount, Error> {
    let counter = LevelCounter::default();
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::ZERO, observer: &counter };
    entry.solve(data, &run)?;
    Ok(LevelCount { levels: counter.levels.into_inner() })
}

/// An undisturbed solve, on a disk that does not wait.
pub fn solve_undisturbed(entry: &Entry, data: &Path) -> Result<LevelCount, Error> {
    let disk = Faulting::new(Arc::new(Disk), |_, operation| Ok(hasty(operation)));
    let data = VfsPath::new(Arc::new(disk), data);
    // A child that another test is about to start holds a copy of every lock until it is a program of its own.
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        match solve(entry, &data) {
            Err(Error::Busy { .. }) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            ended => return ended,
        }
    }
}

/// Syncs are left out, all else is done.
pub fn hasty(operation: Operation<'_>) -> Verdict {
    match operation {
        Operation::Sync => Verdict::Omit,
        _ => Verdict::Perform,
    }
}

/// Every file below a folder with its bytes.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(top: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(top, &path, files);
            } else {
                let name = path.strip_prefix(top).expect("it is below").to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a file of the test"));
            }
        }
    }
    let mut all = BTreeMap::new();
    collect(folder, folder, &mut all);
    all
}

/// A plain generator of scattered numbers, the same in each run.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}
