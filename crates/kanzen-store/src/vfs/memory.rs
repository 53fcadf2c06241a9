//! A file system in memory, for solves and databases that need no disk.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::{FileKind, Lock, Metadata, NewFile, Vfs};
use crate::ReadAt;

/// Files and folders in memory. Has one folder at first, whose path is empty.
#[derive(Debug, Default)]
pub struct Memory {
    nodes: Mutex<BTreeMap<PathBuf, Node>>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Arc<Content>),
    Folder,
}

/// A file. It lasts as long as its name or a reader.
#[derive(Debug, Default)]
struct Content {
    bytes: RwLock<Vec<u8>>,
    locked: AtomicBool,
}

impl Memory {
    fn nodes(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Node>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, path: &Path) -> io::Result<Node> {
        if path.as_os_str().is_empty() {
            return Ok(Node::Folder);
        }
        let nodes = self.nodes();
        let is_file = |path| matches!(nodes.get(path), Some(Node::File(_)));
        match nodes.get(path) {
            Some(node) => Ok(node.clone()),
            None if path.ancestors().any(is_file) => Err(ErrorKind::NotADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Refuses a path whose folder does not exist.
    fn check_parent(&self, path: &Path) -> io::Result<()> {
        let parent = path.parent().ok_or(ErrorKind::IsADirectory)?;
        match self.node(parent)? {
            Node::Folder => Ok(()),
            Node::File(_) => Err(ErrorKind::NotADirectory.into()),
        }
    }
}

/// Whether a folder has anything in it.
fn has_any(nodes: &BTreeMap<PathBuf, Node>, folder: &Path) -> bool {
    nodes.keys().any(|path| path.parent() == Some(folder))
}

impl Vfs for Memory {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        match self.node(path)? {
            Node::File(content) => Ok(Box::new(content)),
            Node::Folder => Err(ErrorKind::InvalidInput.into()),
        }
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let (kind, bytes) = match self.node(path)? {
            Node::File(content) => (FileKind::File, content.size()?),
            Node::Folder => (FileKind::Folder, 0),
        };
        Ok(Metadata { kind, bytes, modified: None, is_link: false })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        match self.node(folder)? {
            Node::File(_) => Err(ErrorKind::NotADirectory.into()),
            Node::Folder => {
                let nodes = self.nodes();
                let within = nodes.keys().filter(|path| path.parent() == Some(folder));
                Ok(within.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect())
            }
        }
    }

    fn create(&self, path: &Path) -> io::Result<NewFile> {
        self.check_parent(path)?;
        if let Ok(Node::Folder) = self.node(path) {
            return Err(ErrorKind::IsADirectory.into());
        }
        let content = Arc::<Content>::default();
        self.nodes().insert(path.to_owned(), Node::File(content.clone()));
        Ok(Box::new(Appended(content)))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.node(path).map(|_| ())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.node(from)?;
        self.check_parent(to)?;
        match to.strip_prefix(from) {
            Ok(below) if below.as_os_str().is_empty() => return Ok(()),
            Ok(_) => return Err(ErrorKind::InvalidInput.into()),
            Err(_) => {}
        }
        let mut nodes = self.nodes();
        match (&node, nodes.get(to)) {
            (Node::Folder, Some(Node::File(_))) => return Err(ErrorKind::NotADirectory.into()),
            (Node::File(_), Some(Node::Folder)) => return Err(ErrorKind::IsADirectory.into()),
            (Node::Folder, Some(Node::Folder)) if has_any(&nodes, to) => {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
            _ => {}
        }
        let moved: Vec<PathBuf> = nodes.keys().filter(|path| path.starts_with(from)).cloned().collect();
        for path in moved {
            let node = nodes.remove(&path).expect("it was just listed");
            // Joined to an empty path, the name would get a slash at its end.
            let below = path.strip_prefix(from).expect("it was listed by this prefix");
            let path = if below.as_os_str().is_empty() { to.to_owned() } else { to.join(below) };
            nodes.insert(path, node);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.node(path)?;
        let mut nodes = self.nodes();
        if has_any(&nodes, path) {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        nodes.remove(path);
        Ok(())
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        if self.node(path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.check_parent(path)?;
        self.nodes().insert(path.to_owned(), Node::Folder);
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Lock> {
        self.check_parent(path)?;
        let mut nodes = self.nodes();
        let Node::File(content) = nodes.entry(path.to_owned()).or_insert_with(|| Node::File(Arc::default())) else {
            return Err(ErrorKind::IsADirectory.into());
        };
        match content.locked.swap(true, Ordering::AcqRel) {
            true => Err(ErrorKind::WouldBlock.into()),
            false => Ok(Box::new(Locked(content.clone()))),
        }
    }
}

impl ReadAt for Arc<Content> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.read().unwrap_or_else(PoisonError::into_inner).size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.bytes.read().unwrap_or_else(PoisonError::into_inner).read_exact_at(buffer, offset)
    }
}

/// A file that is being written.
struct Appended(Arc<Content>);

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut content = self.0.bytes.write().unwrap_or_else(PoisonError::into_inner);
        content.try_reserve(bytes.len()).map_err(|_| ErrorKind::OutOfMemory)?;
        content.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A locked file: dropped, it is free.
struct Locked(Arc<Content>);

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.locked.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VfsPath;

    const PATHS: [&str; 8] = ["a", "b", "f", "g", "f/a", "f/b", "f/h", "f/h/a"];

    /// Performs operations at random (seeded), and returns what each of them returned.
    fn performed(top: &VfsPath, seed: u64) -> Vec<String> {
        let mut state = seed;
        let mut below = |sides: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % sides
        };
        let perform = |_| {
            let (kind, path, other) = (below(7), top.join(PATHS[below(8)]), top.join(PATHS[below(8)]));
            let done = match kind {
                0 => path.create().and_then(|mut file| file.write_all(seed.to_string().as_bytes())).map(|()| 0),
                1 => path.make_folder().map(|()| 0).map_err(io::Error::other),
                2 => path.rename(&other).map(|()| 0),
                3 => path.remove().map(|()| 0).map_err(io::Error::other),
                4 => path.open().map_err(io::Error::other).and_then(|file| file.size()),
                5 => path.lock().map(|_| 0),
                _ => path.sync().map(|()| 0),
            };
            let found = PATHS.map(|path| top.join(path).metadata().map(|found| (found.kind, found.is_link)).ok());
            format!("{kind} {:?} {:?} {found:?} {:?}", done.is_ok(), done.ok(), path.list().ok())
        };
        (0..300).map(perform).collect()
    }

    #[test]
    fn memory_and_disk_agree_on_every_operation() {
        for seed in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let (memory, disk) = (performed(&VfsPath::memory(), seed), performed(&folder.path().into(), seed));
            for (step, (memory, disk)) in memory.iter().zip(&disk).enumerate() {
                assert_eq!(memory, disk, "seed {seed}, step {step}");
            }
        }
    }

    #[test]
    fn a_lock_is_held_until_it_is_dropped() {
        let lock = VfsPath::memory().join("lock");
        let held = lock.lock().unwrap();
        assert_eq!(lock.lock().err().map(|busy| busy.kind()), Some(ErrorKind::WouldBlock));
        drop(held);
        assert!(lock.lock().is_ok());
    }
}
