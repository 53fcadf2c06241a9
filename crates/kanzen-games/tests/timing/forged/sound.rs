//! Sound databases for each engine: the starting points of the forgeries.

use std::sync::Arc;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Entry, GameInfo, Run, Solved};
use kanzen::progress::Silent;
use kanzen_core::machine::cpu::Isa;
use kanzen_games::catalogue;
use kanzen_games::musashi::{Board, Musashi, SetAtATime};
use kanzen_games::ostle::{Army, ByBoards, Ko, Ostle};
use kanzen_query::{LongestGames, Probe};

/// A game with its sound database.
pub struct Sound {
    pub entry: Arc<Entry>,
    /// The files of its folder.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Positions with the answers of the sound database.
    pub known: Vec<Probe>,
    /// The longest games that a search finds in it.
    pub longest: Option<LongestGames>,
    /// Whether all of it can be verified in no time.
    pub small: bool,
    data: tempfile::TempDir,
}

impl Sound {
    /// The name of the game.
    pub fn id(&self) -> &str {
        &self.entry.info().id
    }

    /// Where the sound database is.
    pub fn folder(&self) -> PathBuf {
        self.data.path().join(self.id())
    }

    /// Solves a game and records its answers for some positions.
    fn new(entry: Arc<Entry>, small: bool) -> Sound {
        let data = tempfile::tempdir().unwrap();
        // Forecasts know the real games only: a small army is taken for a large one.
        let run =
            Run { budget: Budget::new(2, 64 << 30), checkpoint_every: Duration::from_secs(60), observer: &Silent };
        entry.solve(data.path(), &run).unwrap();
        let files = read_folder(&data.path().join(&entry.info().id));
        let solved = entry.open(data.path()).unwrap();
        let known = some_positions(&solved);
        let longest = solved.longest_games(LONGEST, &Silent).ok();
        Sound { entry, files, known, longest, small, data }
    }
}

/// The number of longest games in a query.
pub const LONGEST: usize = 3;

/// The budget of a query on a forged database: two threads and little memory.
pub fn budget() -> Budget {
    Budget::new(2, 256 << 20)
}

fn read_folder(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let path_of = |entry: std::io::Result<std::fs::DirEntry>| -> PathBuf { entry.unwrap().path() };
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), bytes)
    };
    std::fs::read_dir(folder).unwrap().map(path_of).map(read).collect()
}

/// The initial position, and others along best and worst moves.
fn some_positions(solved: &Solved) -> Vec<Probe> {
    const MOST: usize = 40;
    let mut known = vec![solved.at(None).unwrap().probe().unwrap()];
    let mut next = 0;
    while known.len() < MOST && next < known.len() {
        let moves = &known[next].moves;
        let texts = [moves.first(), moves.get(moves.len() / 2), moves.last()].map(|mv| Some(mv?.position.clone()));
        for text in texts.into_iter().flatten() {
            if known.iter().all(|probe| probe.position != text) {
                known.push(solved.at(Some(&text)).unwrap().probe().unwrap());
            }
        }
        next += 1;
    }
    known
}

/// A database for each engine and each storage format.
pub fn databases() -> Vec<Sound> {
    let listed = |id: &str, small| Sound::new(catalogue::find(id).unwrap(), small);
    vec![
        listed("tictactoe", true),                        // keys of four bytes, a plane a class
        listed("stones-300", true),                       // one class
        listed("othello-3x4", true),                      // keys of sixteen bytes, scores
        listed("nocca-3x2", true),                        // losses and wins in planes of their own
        listed("nocca-3x3", false),                       //
        listed("morris-3", true),                         // classes in two halves, placing layers
        listed("morris-5", false),                        // many classes
        Sound::new(small_ostle(Ko::Literal, 2), false),   // values with exceptions
        Sound::new(small_ostle(Ko::Symmetric, 2), false), //
        Sound::new(small_ostle(Ko::Literal, 4), false),   // several chunks: which values occur in which
        Sound::new(small_musashi(), true),                // only one side to move is stored
        listed("othello-3x6", true),                      // a line, the rest by search
    ]
}

fn info(id: &str) -> GameInfo {
    GameInfo { id: id.into(), title: id.into(), rules: String::new() }
}

fn small_ostle(ko: Ko, pieces: u32) -> Arc<Entry> {
    let id = match (ko, pieces) {
        (Ko::Literal, 2) => "small-ostle",
        (Ko::Literal, _) => "small-ostle-of-several-chunks",
        (Ko::Symmetric, _) => "small-ostle-symmetric",
    };
    let game = Ostle::with_army(Army { least: 1, most: 2 }, pieces, ko).unwrap();
    Arc::new(Entry::new(info(id), game, ByBoards))
}

/// Twelve points of the smallest board.
fn small_musashi() -> Arc<Entry> {
    let board = Board::of_points(25).unwrap();
    let points: Vec<u8> = (0..25).filter(|&p| (1..4).contains(&board.xy(p).1) && board.xy(p).0 < 4).collect();
    let game = Musashi::on(board.part(&points));
    Arc::new(Entry::new(info("small-musashi"), game, SetAtATime::with(Isa::best(), 6)))
}
