//! A database in work.
//!
//! ```text
//! data/GAME.part/   lock, state.json, checkpoints, finished files     in work, or left by a kill: resumes
//! data/GAME/        manifest.json and the files it lists              finished
//! ```
//!
//! The last steps are: write the manifest, remove what it does not list, rename the folder, remove the lock. A folder
//! in work that has a manifest was killed between them; the next process to open it takes the steps that are left.

mod checkpoint;
mod contents;

pub use checkpoint::Checkpoint;

use std::io::ErrorKind;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::checks::{check_format, check_name, check_rules};
use super::sealed::{hex, seal, unseal};
use super::vfs::{Lock, VfsPath};
use super::{BlockCache, Database, FORMAT, KeysFile, Manifest, PlaneFile};
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::Key;

pub(super) const LOCK: &str = "lock";
pub(super) const STATE: &str = "state.json";
const SHARD_LOCK: &str = "lock-";
const MOST_STATE: u64 = 64 << 10;
/// What the name of a folder in work ends with.
pub(super) const PART: &str = ".part";
/// Files in work are read from end to end: a block or two is all there is to keep.
const SCAN_CACHE: usize = 1 << 20;

/// A folder in which a database is being made. One process has it at a time.
///
/// ```
/// use kanzen_core::Error;
/// use kanzen_store::{Database, FileEntry, Manifest, WorkFolder, write_keys};
/// let data = tempfile::tempdir()?;
/// let work = WorkFolder::open_or_create(data.path(), "stones", 7)?;
/// let second = WorkFolder::open_or_create(data.path(), "stones", 7);
/// assert!(matches!(second, Err(Error::Busy { .. })));
///
/// let keys = write_keys(&work.file("keys"), 7, &[1u32, 2, 3])?;
/// let mut manifest = Manifest::new("stones", 7);
/// manifest.files.push(FileEntry::new("keys", &keys));
/// let database = work.finish(&manifest)?;
/// assert_eq!(database.keys::<u32>("keys")?.rank(3)?, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorkFolder {
    data: VfsPath,
    game: String,
    path: VfsPath,
    fingerprint: u64,
    losses: Mutex<Vec<Error>>,
    unsynced: Mutex<Unsynced>,
    /// Held while files are made safe.
    syncing: Mutex<()>,
    /// The number of the process, if it keeps no more than its checkpoints here.
    shard: Option<usize>,
    _lock: Lock, // held as long as the folder is
}

/// Files that may not be safe on the disk yet.
#[derive(Debug)]
enum Unsynced {
    /// Any of them: an earlier process may have left some.
    All,
    /// These.
    These(Vec<String>),
}

impl Unsynced {
    fn join(&mut self, other: Unsynced) {
        match (&mut *self, other) {
            (Unsynced::These(files), Unsynced::These(others)) => files.extend(others),
            _ => *self = Unsynced::All,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    format: u32,
    game: String,
    #[serde(with = "hex")]
    fingerprint: u64,
}

impl WorkFolder {
    /// Opens `data/GAME.part`, made if it is not there, for this process alone.
    ///
    /// A folder left by a solve of other rules or of another format is refused. If the game is solved already, or was
    /// but for the last steps (which are then taken here), the error is [`Error::AlreadySolved`].
    ///
    /// On a file system in memory, it is a solve that needs no disk:
    ///
    /// ```
    /// use kanzen_core::Value;
    /// use kanzen_store::{Database, FileEntry, Manifest, VfsPath, WorkFolder, write_plane};
    /// let memory = VfsPath::memory();
    /// let work = WorkFolder::open_or_create(&memory, "stones", 7)?;
    /// let plane = write_plane(work.file("plane"), 7, 4, |slot| Value::loss(slot as u16))?;
    /// let mut manifest = Manifest::new("stones", 7);
    /// manifest.files.push(FileEntry::new("plane", &plane.file));
    /// let database = work.finish(&manifest)?;
    /// assert_eq!(database.plane("plane")?.get(2)?, Value::loss(2));
    /// drop(database);
    /// let database = Database::open(&memory, "stones", 7)?; // as long as a path into that memory is kept
    ///
    /// let data = tempfile::tempdir()?;
    /// database.save(data.path())?;
    /// let saved = Database::open(data.path(), "stones", 7)?;
    /// assert_eq!(saved.plane("plane")?.get(3)?, Value::loss(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_or_create(data: impl Into<VfsPath>, game: &str, fingerprint: u64) -> Result<WorkFolder, Error> {
        check_game(game)?;
        let data = data.into();
        let path = data.join(format!("{game}{PART}"));
        let lock = loop {
            not_solved(&data, game)?;
            path.make_folders()?;
            if let Some(lock) = take_lock(&path)? {
                break lock;
            }
        };
        let (losses, unsynced) = (Mutex::default(), Mutex::new(Unsynced::All));
        let work = WorkFolder {
            data,
            game: game.to_owned(),
            path,
            fingerprint,
            losses,
            unsynced,
            syncing: Mutex::default(),
            shard: None,
            _lock: lock,
        };
        if let Err(solved) = not_solved(&work.data, game) {
            // Finished by another process between our check and our lock: the empty folder goes.
            if work.path.list()? == [LOCK] {
                work.path.remove()?;
            }
            return Err(solved);
        }
        if work.has(Manifest::FILE) {
            let manifest = Manifest::read(&work.path)?;
            work.check(&manifest)?;
            work.conclude(&manifest)?;
            return Err(Error::AlreadySolved { game: game.to_owned(), folder: work.data.join(game).to_path_buf() });
        }
        work.begin()?;
        Ok(work)
    }

    /// A folder in memory for a solve whose database is of no interest: in tests, benchmarks and examples.
    pub fn in_memory() -> WorkFolder {
        WorkFolder::open_or_create(VfsPath::memory(), "game", 0).expect("an empty file system has room for it")
    }

    /// Opens `data/GAME.part` for the checkpoints of one of several processes, number `me`, that solve a game together.
    ///
    /// Where they share a data folder this is the folder that the first has already, and everything in it is left as it
    /// is; else it is made. One process of a number has it at a time.
    pub fn open_shard(data: impl Into<VfsPath>, game: &str, fingerprint: u64, me: usize) -> Result<WorkFolder, Error> {
        check_game(game)?;
        let data = data.into();
        let path = data.join(format!("{game}{PART}"));
        path.make_folders()?;
        let lock = take_lock_named(&path, &shard_lock(me))?;
        let lock = lock.ok_or_else(|| Error::Missing { path: path.to_path_buf() })?;
        let (losses, unsynced) = (Mutex::default(), Mutex::new(Unsynced::These(Vec::new())));
        let (game, syncing) = (game.to_owned(), Mutex::default());
        let work =
            WorkFolder { data, game, path, fingerprint, losses, unsynced, syncing, shard: Some(me), _lock: lock };
        work.check_state()?;
        Ok(work)
    }

    /// Removes what this process has left in a folder whose game is solved: its lock, and the folder if no other process has
    /// anything in it.
    pub fn close_shard(self) -> Result<(), Error> {
        if let Some(me) = self.shard {
            self.file(&shard_lock(me)).remove()?;
            if self.path.list()? == [STATE] {
                self.path.remove()?;
            }
        }
        Ok(())
    }

    /// Whether a solve of this game was begun in a data folder and is not finished.
    pub fn is_there(data: impl Into<VfsPath>, game: &str) -> bool {
        data.into().join(format!("{game}.part")).is_dir()
    }

    /// Where it is.
    pub fn path(&self) -> &VfsPath {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> VfsPath {
        self.path.join(name)
    }

    /// The game it is for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Opens a plane that is finished.
    pub fn plane(&self, name: &str) -> Result<PlaneFile, Error> {
        PlaneFile::open(self.file(name), self.fingerprint, &BlockCache::new(SCAN_CACHE))
    }

    /// Opens the finished database of another game in the same data folder.
    pub(super) fn neighbour(&self, game: &str, fingerprint: u64) -> Result<Database, Error> {
        Database::open(&self.data, game, fingerprint)
    }

    /// Opens keys that are finished.
    pub fn keys<K: Key>(&self, name: &str) -> Result<KeysFile<K>, Error> {
        KeysFile::open(self.file(name), self.fingerprint, &BlockCache::new(SCAN_CACHE))
    }

    /// The fingerprint of the rules it is for.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Whether there is a file of this name. Files appear whole: one that is there was finished.
    pub fn has(&self, name: &str) -> bool {
        self.file(name).is_file()
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.writable(name)?.remove()
    }

    /// Waits until all its files are safe on the disk, also those written without waiting. What is written meanwhile does
    /// not wait for it; two threads that ask at once wait for each other.
    pub fn sync(&self) -> Result<(), Error> {
        let _alone = self.syncing.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::replace(&mut *self.unsynced(), Unsynced::These(Vec::new()));
        self.sync_these(&taken).inspect_err(|_| self.unsynced().join(taken))
    }

    fn sync_these(&self, files: &Unsynced) -> Result<(), Error> {
        let all;
        let files = match files {
            Unsynced::All => {
                all = self.path.list()?;
                &all
            }
            Unsynced::These(files) => files,
        };
        for name in files {
            let path = self.file(name);
            match path.sync() {
                Err(removed) if removed.kind() == ErrorKind::NotFound => {}
                synced => synced.map_err(Error::io("sync", &path))?,
            }
        }
        self.path.sync_folder()
    }

    fn unsynced(&self) -> MutexGuard<'_, Unsynced> {
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checkpoints that were found damaged since the last call: for the log.
    pub fn take_losses(&self) -> Vec<Error> {
        std::mem::take(&mut *self.losses.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes it the finished database `data/GAME`: writes the manifest and removes what it does not list.
    ///
    /// The files it lists must be there. Killed at any instant, it leaves a folder in work or a finished one. On an
    /// error the folder in work stays as it is, but for what was removed after the manifest was safe.
    pub fn finish(self, manifest: &Manifest) -> Result<Database, Error> {
        self.check(manifest)?;
        manifest.write(&self.path)?;
        self.conclude(manifest)?;
        Database::open(&self.data, &self.game, self.fingerprint)
    }

    /// A file was written without waiting: the next [`sync`](WorkFolder::sync) is for it too.
    pub(super) fn note_unsynced(&self, name: &str) {
        self.unsynced().join(Unsynced::These(vec![name.to_owned()]));
    }

    pub(super) fn note_loss(&self, loss: Error) {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner).push(loss);
    }

    /// The path of a file that an engine may write or remove.
    pub(super) fn writable(&self, name: &str) -> Result<VfsPath, Error> {
        check_name(name)?;
        if [LOCK, STATE, Manifest::FILE].contains(&name) || name.ends_with(".tmp") {
            return Err(Error::BadName { name: name.to_owned() });
        }
        Ok(self.file(name))
    }

    /// Writes the game and its rules, or checks that they are ours; clears what a kill left half written.
    fn begin(&self) -> Result<(), Error> {
        for name in self.path.list()?.iter().filter(|name| name.ends_with(".tmp")) {
            self.file(name).remove()?;
        }
        self.check_state()
    }

    /// Writes the game and its rules, or checks that they are ours.
    fn check_state(&self) -> Result<(), Error> {
        let path = self.file(STATE);
        if let Some(bytes) = path.read(MOST_STATE)? {
            let state: State = unseal(&path, &bytes)?;
            if state.game != self.game {
                let (found, expected) = (state.game, self.game.clone());
                return Err(Error::OtherRules { path: self.path.to_path_buf(), found, expected });
            }
            return check_rules(&self.path, state.fingerprint, self.fingerprint);
        }
        let is_new = self.path.list()?.iter().all(|name| name == LOCK || name.starts_with(SHARD_LOCK));
        if !is_new {
            return Err(Error::Missing { path: path.to_path_buf() });
        }
        let state = State { format: FORMAT, game: self.game.clone(), fingerprint: self.fingerprint };
        path.write(seal(&state).as_bytes())?;
        self.data.sync_folder()
    }

    /// Refuses a manifest that is not this folder's.
    fn check(&self, manifest: &Manifest) -> Result<(), Error> {
        manifest.check(&self.path, &self.game, self.fingerprint)?;
        check_format(&self.path, manifest.format)?;
        manifest.files.iter().try_for_each(|file| self.writable(&file.name).map(|_| ()))?;
        manifest.check_files(&self.path)
    }

    /// The steps after the manifest is written; each may be the last before a kill.
    fn conclude(&self, manifest: &Manifest) -> Result<(), Error> {
        for name in self.path.list()? {
            if name != Manifest::FILE && name != LOCK && manifest.file(&name).is_none() {
                self.file(&name).remove()?;
            }
        }
        self.path.sync_folder()?;
        let finished = settle(&self.path, &self.data, &self.game)?;
        // The lock goes last: as long as the folder had its old name, no other process could work in it.
        finished.join(LOCK).remove()?;
        finished.sync_folder()
    }
}

/// Makes a whole folder the database of a game, unless there is one, and returns its path.
pub(super) fn settle(folder: &VfsPath, data: &VfsPath, game: &str) -> Result<VfsPath, Error> {
    let finished = data.join(game);
    folder.rename(&finished).map_err(|source| match source.kind() {
        ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists => {
            Error::AlreadySolved { game: game.to_owned(), folder: finished.to_path_buf() }
        }
        _ => Error::io("rename", folder)(source),
    })?;
    data.sync_folder()?;
    Ok(finished)
}

/// Refuses what cannot be the name of a game.
pub(super) fn check_game(game: &str) -> Result<(), Error> {
    check_name(game)?;
    if game.ends_with(PART) {
        return Err(Error::BadName { name: game.to_owned() });
    }
    Ok(())
}

/// The lock of a folder in work that is there.
pub(super) fn lock_of(folder: &VfsPath) -> Result<Lock, Error> {
    take_lock(folder)?.ok_or_else(|| Error::Missing { path: folder.to_path_buf() })
}

/// The fingerprint of the rules that a folder in work is for.
pub(super) fn state_of(folder: &VfsPath) -> Result<u64, Error> {
    let path = folder.join(STATE);
    let bytes = path.read(MOST_STATE)?.ok_or_else(|| Error::Missing { path: path.to_path_buf() })?;
    let state: State = unseal(&path, &bytes)?;
    Ok(state.fingerprint)
}

pub(super) fn not_solved(data: &VfsPath, game: &str) -> Result<(), Error> {
    let folder = data.join(game);
    if folder.list()?.is_empty() {
        return Ok(());
    }
    Err(Error::AlreadySolved { game: game.to_owned(), folder: folder.to_path_buf() })
}

/// The lock of a folder; nothing if the folder was renamed while we took it.
pub(super) fn take_lock(folder: &VfsPath) -> Result<Option<Lock>, Error> {
    take_lock_named(folder, LOCK)
}

/// The name of the lock of a process that keeps only checkpoints.
fn shard_lock(me: usize) -> String {
    format!("{SHARD_LOCK}{me}")
}

fn take_lock_named(folder: &VfsPath, name: &str) -> Result<Option<Lock>, Error> {
    let path = folder.join(name);
    match path.lock() {
        Ok(lock) => Ok(Some(lock)),
        Err(refused) => match refused.kind() {
            ErrorKind::NotFound => Ok(None),
            ErrorKind::WouldBlock => Err(Error::Busy { folder: folder.to_path_buf() }),
            _ => Err(Error::io("lock", &path)(refused)),
        },
    }
}
