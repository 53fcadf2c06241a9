//! The file system: the one small interface through which the store reads and writes.
//!
//! ```text
//! blocks, planes, keys, folders -> VfsPath -> Vfs: Disk | Memory | Faulting (tests) | Ranges (read only)
//! ```

mod disk;
mod faulting;
mod memory;
mod path;

use std::any::Any;
use std::fmt::Debug;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::SystemTime;

pub use disk::Disk;
pub use faulting::{Faulting, Operation, Verdict};
pub use memory::Memory;
pub use path::VfsPath;

use super::ReadAt;

/// A file system.
///
/// Required: [`open`](Vfs::open). The rest is optional; a file system without it can only be read, and refuses every
/// other operation as [`Unsupported`](ErrorKind::Unsupported).
pub trait Vfs: Debug + Send + Sync {
    /// Opens a file to read. The error is [`InvalidInput`](ErrorKind::InvalidInput) if it is not a regular file, and
    /// [`WouldBlock`](ErrorKind::WouldBlock) if its bytes are not here yet.
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>>;

    /// Returns the type and the length of a file.
    fn metadata(&self, _path: &Path) -> io::Result<Metadata> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Returns the names in a folder, in any order.
    fn list(&self, _folder: &Path) -> io::Result<Vec<String>> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Creates an empty file to append to, in place of one that may be there.
    fn create(&self, _path: &Path) -> io::Result<NewFile> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Waits until the bytes of a file, or the names in a folder, survive a power cut.
    fn sync(&self, _path: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Renames a file or a folder. Replaces a file or an empty folder.
    fn rename(&self, _from: &Path, _to: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Removes a file or an empty folder.
    fn remove(&self, _path: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Creates a folder in one that exists.
    fn make_folder(&self, _path: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Locks a file, created if absent, until the lock is dropped. The error is [`WouldBlock`](ErrorKind::WouldBlock)
    /// if another process holds it, and [`NotFound`](ErrorKind::NotFound) if its folder is gone.
    fn lock(&self, _path: &Path) -> io::Result<Lock> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Returns how many bytes can still be written below a folder, if that is known.
    fn free(&self, _folder: &Path) -> Option<u64> {
        None
    }
}

/// A file that is being written.
pub type NewFile = Box<dyn Write + Send + Sync>;

/// A locked file.
pub type Lock = Box<dyn Any + Send + Sync>;

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// The type of what is there, or of what a link leads to.
    pub kind: FileKind,
    /// Its length, if it is a file.
    pub bytes: u64,
    /// When it was last written, if that is known.
    pub modified: Option<SystemTime>,
    /// Whether the path is that of a link.
    pub is_link: bool,
}

/// The type of what a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe, a device, a link to nothing: never read.
    Other,
}
