//! A file system that fails on purpose, for tests.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Lock, Metadata, NewFile, Vfs};
use crate::ReadAt;

/// An operation that is about to be performed on a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation<'a> {
    /// Opens a file to read, or lists a folder.
    Open,
    /// Creates an empty file, or opens one to lock it.
    Create,
    /// Appends bytes to a file.
    Write(&'a [u8]),
    /// Waits until the bytes of a file or the names in a folder are safe.
    Sync,
    /// Renames a file or a folder to this path.
    Rename(&'a Path),
    /// Removes a file or an empty folder.
    Remove,
    /// Creates a folder.
    MakeFolder,
}

/// What becomes of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is performed.
    Perform,
    /// It is left out, and succeeds. Of no effect on what returns a file, a list or a lock.
    Omit,
}

type Before = dyn Fn(&Path, Operation<'_>) -> io::Result<Verdict> + Send + Sync;

/// A file system whose operations a function sees first: it can log them, fail them or leave them out.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
/// use kanzen_core::Error;
/// use kanzen_store::{Faulting, Memory, Operation, Verdict, VfsPath, WorkFolder};
///
/// let full = Faulting::new(Arc::new(Memory::default()), |_, operation| match operation {
///     Operation::Write(_) => Err(io::ErrorKind::StorageFull.into()),
///     _ => Ok(Verdict::Perform),
/// });
/// let data = VfsPath::new(Arc::new(full), "data");
/// assert!(matches!(WorkFolder::open_or_create(&data, "stones", 7), Err(Error::Io { .. })));
/// ```
#[derive(Clone)]
pub struct Faulting {
    vfs: Arc<dyn Vfs>,
    before: Arc<Before>,
}

impl Faulting {
    /// Wraps a file system. An error of `before` is what the operation ends with.
    pub fn new(
        vfs: Arc<dyn Vfs>,
        before: impl Fn(&Path, Operation<'_>) -> io::Result<Verdict> + Send + Sync + 'static,
    ) -> Faulting {
        Faulting { vfs, before: Arc::new(before) }
    }

    /// Performs an operation without a result, unless it is to be left out.
    fn perform(&self, path: &Path, operation: Operation<'_>, act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match (self.before)(path, operation)? {
            Verdict::Perform => act(),
            Verdict::Omit => Ok(()),
        }
    }
}

impl fmt::Debug for Faulting {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Faulting").field("vfs", &self.vfs).finish_non_exhaustive()
    }
}

impl Vfs for Faulting {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        (self.before)(path, Operation::Open)?;
        self.vfs.open(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.vfs.metadata(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        (self.before)(folder, Operation::Open)?;
        self.vfs.list(folder)
    }

    fn create(&self, path: &Path) -> io::Result<NewFile> {
        (self.before)(path, Operation::Create)?;
        Ok(Box::new(Written { vfs: self.clone(), path: path.to_owned(), file: self.vfs.create(path)? }))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.perform(path, Operation::Sync, || self.vfs.sync(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.perform(from, Operation::Rename(to), || self.vfs.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.perform(path, Operation::Remove, || self.vfs.remove(path))
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.perform(path, Operation::MakeFolder, || self.vfs.make_folder(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Lock> {
        (self.before)(path, Operation::Create)?;
        self.vfs.lock(path)
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        self.vfs.free(folder)
    }
}

/// A file that is being written.
struct Written {
    vfs: Faulting,
    path: PathBuf,
    file: NewFile,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // All of them: the function has seen these bytes.
        self.vfs.perform(&self.path, Operation::Write(bytes), || self.file.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
