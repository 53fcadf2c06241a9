//! Files that are opened when they are read, a bounded number of them at a time.
//!
//! A database may have more files than a process may open: nine men's morris has some five hundred. A [`PooledFile`]
//! is a name and what the system calls the file behind it; its handle is borrowed from one pool for the whole process.
//! When the pool is full the handle that was opened first is closed, unless it was used since it last came up: then it
//! gets a second turn, as blocks do in the [cache](super::BlockCache).

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::ReadAt;
use super::from_memory::may_wait;
use super::platform::{self, identity};
use kanzen_core::machine;

/// Handles that the pool holds, at most: more would make nothing faster.
const MOST: u64 = 256;
/// Handles that it holds at least, however few there may be.
const LEAST: u64 = 8;

static POOL: LazyLock<Mutex<Pool>> = LazyLock::new(|| {
    // A quarter of what the process may open: others have files and connections too.
    let allowed = machine::most_handles().unwrap_or(u64::MAX) / 4;
    Mutex::new(Pool::new(allowed.clamp(LEAST, MOST) as usize))
});

/// A regular file to read from, whose handle may be closed in between.
#[derive(Debug)]
pub(super) struct PooledFile {
    path: PathBuf,
    bytes: u64,
    /// The device and the file's number on it.
    identity: (u64, u64),
    id: u64,
}

impl PooledFile {
    /// Opens a file; only a regular one.
    pub fn open(path: &Path) -> io::Result<PooledFile> {
        may_wait()?;
        let (file, what) = open_regular(path)?;
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Ordering::Relaxed);
        pool().keep(id, Arc::new(file));
        Ok(PooledFile { path: path.to_owned(), bytes: what.len(), identity: identity(&what), id })
    }

    fn handle(&self) -> io::Result<Arc<File>> {
        if let Some(file) = pool().get(self.id) {
            return Ok(file);
        }
        // Not under the lock: others may read meanwhile. Two threads may open the same file; both are right.
        let (file, what) = open_regular(&self.path)?;
        if identity(&what) != self.identity {
            let gone = format!("{} was replaced while it was read", self.path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, gone));
        }
        let file = Arc::new(file);
        pool().keep(self.id, file.clone());
        Ok(file)
    }
}

/// Opens a regular file. Anything else is refused before it is opened: a pipe would keep its reader waiting.
fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    let check = |what: &Metadata| if what.is_file() { Ok(()) } else { Err(io::ErrorKind::InvalidInput) };
    check(&fs::symlink_metadata(path)?)?;
    let file = platform::open(path)?;
    let what = file.metadata()?;
    check(&what)?;
    Ok((file, what))
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        platform::read_exact_at(self, buffer, offset)
    }
}

impl ReadAt for PooledFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        may_wait()?;
        ReadAt::read_exact_at(&*self.handle()?, buffer, offset)
    }
}

impl Drop for PooledFile {
    fn drop(&mut self) {
        pool().held.remove(&self.id);
    }
}

// A thread that panicked left the pool whole: nothing in it is ever half done.
fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles by the number of their file. One that is in use stays open until its reader is done.
#[derive(Debug)]
struct Pool {
    held: HashMap<u64, Held>,
    queue: VecDeque<u64>,
    limit: usize,
}

#[derive(Debug)]
struct Held {
    file: Arc<File>,
    used: bool,
}

impl Pool {
    fn new(limit: usize) -> Pool {
        Pool { held: HashMap::new(), queue: VecDeque::new(), limit }
    }

    fn get(&mut self, id: u64) -> Option<Arc<File>> {
        let held = self.held.get_mut(&id)?;
        held.used = true;
        Some(held.file.clone())
    }

    fn keep(&mut self, id: u64, file: Arc<File>) {
        if self.held.contains_key(&id) {
            return;
        }
        while self.held.len() >= self.limit {
            let Some(oldest) = self.queue.pop_front() else { break };
            // A file that was dropped has left its number behind.
            let Some(held) = self.held.get_mut(&oldest) else { continue };
            if std::mem::take(&mut held.used) {
                self.queue.push_back(oldest);
            } else {
                self.held.remove(&oldest);
            }
        }
        // Numbers of dropped files must not pile up while the pool is never full.
        if self.queue.len() > 2 * self.limit {
            let held = &self.held;
            self.queue.retain(|id| held.contains_key(id));
        }
        self.held.insert(id, Held { file, used: false });
        self.queue.push_back(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path, count: u64) -> Vec<PooledFile> {
        let file = |number: u64| {
            let path = folder.join(number.to_string());
            std::fs::write(&path, number.to_le_bytes()).unwrap();
            PooledFile::open(&path).unwrap()
        };
        (0..count).map(file).collect()
    }

    fn number(file: &PooledFile) -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(u64::from_le_bytes(bytes))
    }

    #[test]
    fn any_number_of_files_is_read_with_a_few_handles() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path(), 2 * MOST);
        for round in 0..3 {
            for file in 0..files.len() {
                let file = (file * 37 + round) % files.len();
                assert_eq!(number(&files[file]).unwrap(), file as u64);
                assert!(pool().held.len() <= MOST as usize);
            }
        }
        drop(files);
    }

    #[test]
    fn a_pool_forgets_what_was_dropped_and_keeps_what_is_used() {
        let file = || Arc::new(tempfile::tempfile().unwrap());
        let mut pool = Pool::new(3);
        pool.keep(0, file());
        for id in 1..1000 {
            assert!(pool.get(0).is_some(), "it is used all the time");
            pool.keep(id, file());
            assert!(pool.held.len() <= 3);
            if id % 2 == 0 {
                pool.held.remove(&id);
            }
        }
        assert!(pool.queue.len() <= 8);
    }

    #[test]
    fn another_file_of_the_same_name_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path(), 2);
        pool().held.clear();
        std::fs::remove_file(folder.path().join("0")).unwrap();
        assert_eq!(number(&files[0]).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(folder.path().join("2"), [7; 8]).unwrap();
        std::fs::rename(folder.path().join("2"), folder.path().join("1")).unwrap();
        assert!(number(&files[1]).unwrap_err().to_string().contains("was replaced"));
    }
}
