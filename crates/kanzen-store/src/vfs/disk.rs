//! The disks of this machine.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::{FileKind, Lock, Metadata, NewFile, Vfs};
use crate::ReadAt;
use crate::handles::PooledFile;
use crate::platform::identity;
use kanzen_core::machine::free_disk;

/// The file system of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Vfs for Disk {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        Ok(Box::new(PooledFile::open(path)?))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let found = fs::symlink_metadata(path)?;
        let is_link = found.is_symlink();
        let leads_to = if is_link { fs::metadata(path).unwrap_or(found) } else { found };
        let kind = match leads_to.is_file() {
            true => FileKind::File,
            false if leads_to.is_dir() => FileKind::Folder,
            false => FileKind::Other,
        };
        Ok(Metadata { kind, bytes: leads_to.len(), modified: leads_to.modified().ok(), is_link })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn create(&self, path: &Path) -> io::Result<NewFile> {
        Ok(Box::new(File::create(path)?))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        // The folder of a name without one is the current folder.
        File::open(if path.as_os_str().is_empty() { Path::new(".") } else { path })?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Lock> {
        let lock = File::options().create(true).truncate(false).write(true).open(path)?;
        lock.try_lock().map_err(|refused| match refused {
            TryLockError::WouldBlock => ErrorKind::WouldBlock.into(),
            TryLockError::Error(source) => source,
        })?;
        // The folder may have been renamed since the file was opened.
        let ours = identity(&lock.metadata()?);
        match fs::metadata(path) {
            Ok(there) if identity(&there) == ours => Ok(Box::new(lock)),
            _ => Err(ErrorKind::NotFound.into()),
        }
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        free_disk(folder)
    }
}
