//! Records all disk operations of a solve.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kanzen::catalogue::Entry;
use kanzen::store::{Operation, Verdict, Watch, watch};

use super::{LevelCount, files, hasty, solve};
use std::collections::BTreeMap;

/// An operation that changes the disk; paths are relative to the folder that was watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    Sync(PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    MakeFolder(PathBuf),
    SyncFolder(PathBuf),
}

struct Recorder {
    top: PathBuf,
    acts: Mutex<Vec<Act>>,
}

impl Watch for Recorder {
    fn before(&self, path: &Path, operation: Operation<'_>) -> io::Result<Verdict> {
        let within = |path: &Path| path.strip_prefix(&self.top).expect("only what is below is watched").to_owned();
        let at = within(path);
        let act = match operation {
            Operation::Open => None,
            Operation::Create => Some(Act::Create(at)),
            Operation::Write(bytes) => Some(Act::Write(at, bytes.to_vec())),
            Operation::Sync => Some(Act::Sync(at)),
            Operation::Rename(to) => Some(Act::Rename(at, within(to))),
            Operation::Remove => Some(Act::Remove(at)),
            Operation::MakeFolder => Some(Act::MakeFolder(at)),
            Operation::SyncFolder => Some(Act::SyncFolder(at)),
        };
        self.acts.lock().unwrap().extend(act);
        Ok(hasty(operation))
    }
}

/// The record of an undisturbed solve.
pub struct Recorded {
    /// What it did, in order.
    pub acts: Vec<Act>,
    /// What it left.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The levels it played.
    pub played: LevelCount,
}

/// The data folder of a recorded solve, two folders below the watched one: both have to be made.
pub const DATA: &str = "home/data";

/// Solves a game and writes down what it does.
pub fn record(entry: &Entry) -> Recorded {
    let top = tempfile::tempdir().unwrap();
    let recorder = Arc::new(Recorder { top: top.path().to_owned(), acts: Mutex::default() });
    let played = {
        let _watching = watch(top.path(), recorder.clone());
        solve(entry, &top.path().join(DATA)).unwrap()
    };
    let acts = std::mem::take(&mut *recorder.acts.lock().unwrap());
    Recorded { acts, files: files(top.path()), played }
}

impl Recorded {
    /// How many rounds were complete after so many acts: their counts are renamed and synced.
    pub fn rounds_kept(&self, acts: usize) -> u64 {
        let mut kept = 0;
        let mut named = 0;
        for act in &self.acts[..acts] {
            match act {
                Act::Rename(_, to) if name(to).starts_with("counts-") => named += 1,
                Act::SyncFolder(_) => {
                    kept += named;
                    named = 0;
                }
                _ => {}
            }
        }
        kept
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
