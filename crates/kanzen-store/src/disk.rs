//! Every operation on the disk that this room asks for, in one place, so that it can be watched.
//!
//! Nothing here changes what happens, unless somebody watches a folder ([`watch`]): a [`Watch`] hears of each operation
//! below it before it is done, and may fail it or have it left out. That is how the tests run out of disk at the
//! seventeenth write, or cut the power after the third sync: a watch that writes down all operations knows which bytes
//! and names were safe at which moment.
//!
//! ```text
//! files, blocks, folder -> disk -> the system
//!                           └─ a watch, in tests
//! ```

use std::fs::{self, File, ReadDir};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::platform;

/// What is about to be done with a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation<'a> {
    /// A file is opened to be read, or a folder to be listed.
    Open,
    /// An empty file is made; what was there under the name is gone.
    Create,
    /// Bytes are added to the end of a file.
    Write(&'a [u8]),
    /// The bytes of a file are made safe.
    Sync,
    /// A file or folder gets another name, in the same folder or, a database that is moved in, in the one above.
    Rename(&'a Path),
    /// A file or an empty folder is removed.
    Remove,
    /// A folder is made.
    MakeFolder,
    /// The names in a folder are made safe.
    SyncFolder,
}

/// What becomes of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is done.
    Do,
    /// It is left out, and succeeds.
    Pretend,
}

/// Hears of operations before they are done.
pub trait Watch: Send + Sync {
    /// Says what becomes of an operation on `path`; an error is what the operation then ends with.
    fn before(&self, path: &Path, operation: Operation<'_>) -> io::Result<Verdict>;
}

/// Watches all operations in a folder of this process, until the returned value is dropped: for tests.
///
/// ```
/// use std::io;
/// use std::path::Path;
/// use std::sync::Arc;
/// use kanzen_core::Error;
/// use kanzen_store::{Operation, Verdict, Watch, WorkFolder, watch};
///
/// struct Full;
/// impl Watch for Full {
///     fn before(&self, _: &Path, operation: Operation<'_>) -> io::Result<Verdict> {
///         match operation {
///             Operation::Write(_) => Err(io::ErrorKind::StorageFull.into()),
///             _ => Ok(Verdict::Do),
///         }
///     }
/// }
///
/// let data = tempfile::tempdir()?;
/// let watching = watch(data.path(), Arc::new(Full));
/// assert!(matches!(WorkFolder::open_or_create(data.path(), "stones", 7), Err(Error::Io { .. })));
/// drop(watching);
/// assert!(WorkFolder::open_or_create(data.path(), "stones", 7).is_ok());
/// # Ok::<(), io::Error>(())
/// ```
pub fn watch(folder: &Path, watch: Arc<dyn Watch>) -> Watching {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let watched = Watched { id, folder: folder.to_owned(), watch };
    WATCHES.write().unwrap_or_else(PoisonError::into_inner).push(watched);
    COUNT.fetch_add(1, Ordering::Release);
    Watching { id }
}

/// As long as this is kept, a folder is watched: see [`watch`].
#[must_use = "dropped, it watches no longer"]
#[derive(Debug)]
pub struct Watching {
    id: usize,
}

impl Drop for Watching {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Release);
        WATCHES.write().unwrap_or_else(PoisonError::into_inner).retain(|watched| watched.id != self.id);
    }
}

struct Watched {
    id: usize,
    folder: PathBuf,
    watch: Arc<dyn Watch>,
}

static NEXT: AtomicUsize = AtomicUsize::new(0);
/// How many folders are watched: nearly always none, and then there is nothing to look up.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static WATCHES: RwLock<Vec<Watched>> = RwLock::new(Vec::new());

/// Asks whoever watches `path`, and does the operation unless it is to be left out.
fn done<T>(
    path: &Path,
    operation: Operation<'_>,
    pretended: impl FnOnce() -> io::Result<T>,
    act: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    if COUNT.load(Ordering::Acquire) > 0 {
        let watch = {
            let watches = WATCHES.read().unwrap_or_else(PoisonError::into_inner);
            watches.iter().find(|watched| path.starts_with(&watched.folder)).map(|watched| watched.watch.clone())
        };
        if let Some(watch) = watch
            && watch.before(path, operation)? == Verdict::Pretend
        {
            return pretended();
        }
    }
    act()
}

/// A file being written.
#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    file: File,
}

impl NewFile {
    /// Makes an empty file.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let create = || Ok(NewFile { path: path.to_owned(), file: File::create(path)? });
        done(path, Operation::Create, create, create)
    }

    /// Waits until its bytes are safe.
    pub fn sync(&self) -> io::Result<()> {
        done(&self.path, Operation::Sync, || Ok(()), || self.file.sync_all())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // All of them: a watch has heard of these bytes.
        done(
            &self.path,
            Operation::Write(bytes),
            || Ok(bytes.len()),
            || {
                self.file.write_all(bytes)?;
                Ok(bytes.len())
            },
        )
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a file that stays empty, to be locked; it may be there already.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    let open = || File::options().create(true).truncate(false).write(true).open(path);
    done(path, Operation::Create, open, open)
}

/// Opens a file to be read. It neither waits for a pipe nor follows a link.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let open = || platform::open(path);
    done(path, Operation::Open, open, open)
}

/// Opens a folder to be listed.
pub(super) fn list(path: &Path) -> io::Result<ReadDir> {
    done(path, Operation::Open, || fs::read_dir(path), || fs::read_dir(path))
}

/// Waits until the bytes of a finished file are safe.
pub(super) fn sync(path: &Path) -> io::Result<()> {
    done(path, Operation::Sync, || Ok(()), || File::open(path)?.sync_all())
}

/// Waits until the names in a folder are safe.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    done(path, Operation::SyncFolder, || Ok(()), || File::open(path)?.sync_all())
}

/// Gives a file or folder another name on the same disk.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    done(from, Operation::Rename(to), || Ok(()), || fs::rename(from, to))
}

/// Makes a folder.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    done(path, Operation::MakeFolder, || Ok(()), || fs::create_dir(path))
}

/// Removes a file.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    done(path, Operation::Remove, || Ok(()), || fs::remove_file(path))
}

/// Removes an empty folder.
pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    done(path, Operation::Remove, || Ok(()), || fs::remove_dir(path))
}
