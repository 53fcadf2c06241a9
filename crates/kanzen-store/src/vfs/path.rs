//! A path on a file system, and files that appear whole or not at all.

use std::io::{self, ErrorKind, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Disk, FileKind, Lock, Memory, Metadata, NewFile, Vfs};
use crate::ReadAt;
use kanzen_core::vocabulary::Error;

/// A path together with the file system it leads into.
///
/// A plain path is one on the disk: functions of this crate that take `impl Into<VfsPath>` take either.
///
/// ```
/// use kanzen_store::{VfsPath, write_keys, KeysFile, BlockCache};
/// let path = VfsPath::memory().join("keys");
/// write_keys(&path, 7, &[2u64, 3, 5])?;
/// assert_eq!(KeysFile::<u64>::open(&path, 7, &BlockCache::new(0))?.rank(5)?, Some(2));
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct VfsPath {
    vfs: Arc<dyn Vfs>,
    path: PathBuf,
}

impl<P: AsRef<Path> + ?Sized> From<&P> for VfsPath {
    fn from(path: &P) -> VfsPath {
        VfsPath::new(Arc::new(Disk), path.as_ref())
    }
}

impl From<&VfsPath> for VfsPath {
    fn from(path: &VfsPath) -> VfsPath {
        path.clone()
    }
}

impl Deref for VfsPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl VfsPath {
    /// A path on a file system.
    pub fn new(vfs: Arc<dyn Vfs>, path: impl Into<PathBuf>) -> VfsPath {
        VfsPath { vfs, path: path.into() }
    }

    /// The top folder of a new file system in memory, which lasts as long as a path into it.
    pub fn memory() -> VfsPath {
        VfsPath::new(Arc::new(Memory::default()), "")
    }

    fn at(&self, path: PathBuf) -> VfsPath {
        VfsPath { vfs: self.vfs.clone(), path }
    }

    /// The path of a name in this folder.
    pub fn join(&self, name: impl AsRef<Path>) -> VfsPath {
        self.at(self.path.join(name))
    }

    /// The path with these letters added to its name.
    pub(crate) fn with_suffix(&self, suffix: &str) -> VfsPath {
        let mut name = self.path.as_os_str().to_owned();
        name.push(suffix);
        self.at(name.into())
    }

    /// The folder that it is in.
    pub fn parent(&self) -> VfsPath {
        let parent = self.path.parent().unwrap_or(Path::new(""));
        self.at(parent.to_owned())
    }

    /// The type and the length of what is there.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.vfs.metadata(&self.path)
    }

    /// Whether there is anything.
    pub fn exists(&self) -> bool {
        self.metadata().is_ok()
    }

    /// Whether there is a regular file, or a link to one.
    pub fn is_file(&self) -> bool {
        self.metadata().is_ok_and(|found| found.kind == FileKind::File)
    }

    /// Whether there is a folder, or a link to one.
    pub fn is_dir(&self) -> bool {
        self.path.as_os_str().is_empty() || self.metadata().is_ok_and(|found| found.kind == FileKind::Folder)
    }

    /// How many bytes can still be written to this folder, if that is known.
    pub fn free(&self) -> Option<u64> {
        self.vfs.free(&self.path)
    }

    /// Opens a regular file to read.
    ///
    /// Anything else is refused before it can do harm: a pipe would keep its reader waiting, a device never ends, and a
    /// link in a folder of unknown origin may lead outside of it.
    pub fn open(&self) -> Result<Box<dyn ReadAt>, Error> {
        let path = || self.path.clone();
        self.vfs.open(&self.path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => Error::Missing { path: path() },
            ErrorKind::InvalidInput => Error::NotAFile { path: path() },
            ErrorKind::WouldBlock => Error::NotFetched { path: path() },
            _ => Error::io("open", &self.path)(source),
        })
    }

    /// The bytes of a file of at most `limit` bytes; nothing if it is absent.
    pub fn read(&self, limit: u64) -> Result<Option<Vec<u8>>, Error> {
        let file = match self.open() {
            Err(Error::Missing { .. }) => return Ok(None),
            opened => opened?,
        };
        let refused = Error::io("read", self);
        let bytes = match file.size() {
            Ok(length) if length > limit => {
                let place = format!("its length: {length} bytes, where at most {limit} can be right");
                return Err(Error::damaged(self, place));
            }
            Ok(length) => {
                let mut bytes = vec![0; length as usize];
                file.read_exact_at(&mut bytes, 0).map(|()| bytes)
            }
            Err(source) => Err(source),
        };
        bytes.map(Some).map_err(refused)
    }

    /// Writes a file: after a kill at any instant there is the old one or the new one.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        let unfinished = self.unfinished();
        let written = unfinished.create().and_then(|mut file| {
            file.write_all(bytes)?;
            unfinished.sync()
        });
        if let Err(source) = written {
            unfinished.vfs.remove(&unfinished.path).ok(); // a full disk gets its bytes back
            return Err(Error::io("write", self)(source));
        }
        unfinished.publish(self)
    }

    /// The name under which a file is written until it is whole.
    pub(crate) fn unfinished(&self) -> VfsPath {
        self.with_suffix(".tmp")
    }

    /// Makes a synced file visible under its name, for good.
    pub(crate) fn publish(&self, to: &VfsPath) -> Result<(), Error> {
        self.rename(to).map_err(Error::io("rename", self))?;
        to.parent().sync_folder()
    }

    pub(crate) fn create(&self) -> io::Result<NewFile> {
        self.vfs.create(&self.path)
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.vfs.sync(&self.path)
    }

    pub(crate) fn rename(&self, to: &VfsPath) -> io::Result<()> {
        self.vfs.rename(&self.path, &to.path)
    }

    pub(crate) fn lock(&self) -> io::Result<Lock> {
        self.vfs.lock(&self.path)
    }

    /// Makes the names in a folder survive a power cut.
    pub(crate) fn sync_folder(&self) -> Result<(), Error> {
        self.sync().map_err(Error::io("sync", self))
    }

    /// Creates a folder in one that exists.
    pub(crate) fn make_folder(&self) -> Result<(), Error> {
        self.vfs.make_folder(&self.path).map_err(Error::io("create", self))
    }

    /// Creates a folder, and those above it that are missing; each survives a power cut.
    pub fn make_folders(&self) -> Result<(), Error> {
        fn make(folder: &VfsPath) -> io::Result<()> {
            if folder.is_dir() {
                return Ok(());
            }
            make(&folder.parent())?;
            match folder.vfs.make_folder(&folder.path) {
                // Another process was quicker, or it is a file.
                Err(there) if there.kind() == ErrorKind::AlreadyExists => match folder.is_dir() {
                    true => Ok(()),
                    false => Err(ErrorKind::NotADirectory.into()),
                },
                made => made.and_then(|()| folder.parent().sync()),
            }
        }
        make(self).map_err(Error::io("create", self))
    }

    /// Removes a file or a whole folder; it may be gone already.
    pub fn remove(&self) -> Result<(), Error> {
        let removed = match self.metadata() {
            Ok(found) if found.kind == FileKind::Folder && !found.is_link => {
                self.list()?.iter().try_for_each(|name| self.join(name).remove())?;
                self.vfs.remove(&self.path)
            }
            Ok(_) => self.vfs.remove(&self.path),
            Err(absent) => Err(absent),
        };
        match removed {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("remove", self)(source)),
            _ => Ok(()),
        }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    pub fn list(&self) -> Result<Vec<String>, Error> {
        let mut names = match self.vfs.list(&self.path) {
            Err(absent) if absent.kind() == ErrorKind::NotFound => Vec::new(),
            names => names.map_err(Error::io("list", self))?,
        };
        names.sort();
        Ok(names)
    }

    /// The bytes of all files in a folder and the folders within; none if it is absent.
    ///
    /// ```
    /// use kanzen_store::VfsPath;
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a"), [0; 100])?;
    /// std::fs::create_dir(folder.path().join("b"))?;
    /// std::fs::write(folder.path().join("b/c"), [0; 23])?;
    /// assert_eq!(VfsPath::from(folder.path()).folder_bytes()?, 123);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn folder_bytes(&self) -> Result<u64, Error> {
        let bytes_of = |name: &String| {
            let path = self.join(name);
            match path.metadata() {
                Ok(link) if link.is_link => Ok(0), // of a folder that it is in, say
                Ok(found) if found.kind == FileKind::Folder => path.folder_bytes(),
                Ok(found) => Ok(found.bytes),
                Err(gone) if gone.kind() == ErrorKind::NotFound => Ok(0), // a solve at work removes files
                Err(source) => Err(Error::io("measure", &path)(source)),
            }
        };
        self.list()?.iter().map(bytes_of).sum()
    }
}
