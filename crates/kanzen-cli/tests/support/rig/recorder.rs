//! Records all disk operations of a solve.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kanzen::catalogue::Entry;
use kanzen_store::{Disk, Faulting, Operation, VfsPath};

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

/// The change that an operation on `path`, below the folder `top`, makes to the disk.
fn act(top: &Path, path: &Path, operation: Operation<'_>) -> Option<Act> {
    let within = |path: &Path| path.strip_prefix(top).expect("only what is below is used").to_owned();
    let at = within(path);
    match operation {
        Operation::Open => None,
        Operation::Create => Some(Act::Create(at)),
        Operation::Write(bytes) => Some(Act::Write(at, bytes.to_vec())),
        Operation::Sync if path.is_dir() => Some(Act::SyncFolder(at)),
        Operation::Sync => Some(Act::Sync(at)),
        Operation::Rename(to) => Some(Act::Rename(at, within(to))),
        Operation::Remove => Some(Act::Remove(at)),
        Operation::MakeFolder => Some(Act::MakeFolder(at)),
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

/// The data folder of a recorded solve, two folders below the top one: both have to be made.
pub const DATA: &str = "home/data";

/// Solves a game and writes down what it does.
pub fn record(entry: &Entry) -> Recorded {
    let top = tempfile::tempdir().unwrap();
    let acts = Arc::new(Mutex::new(Vec::new()));
    let (folder, log) = (top.path().to_owned(), acts.clone());
    let disk = Faulting::new(Arc::new(Disk), move |path, operation| {
        log.lock().unwrap().extend(act(&folder, path, operation));
        Ok(hasty(operation))
    });
    let played = solve(entry, VfsPath::new(Arc::new(disk), top.path().join(DATA))).unwrap();
    let acts = std::mem::take(&mut *acts.lock().unwrap());
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
