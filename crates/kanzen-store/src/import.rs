//! Import of a database into a data folder.
//!
//! ```text
//! data/.GAME.arriving/lock    one process at a time
//! data/.GAME.arriving/GAME/   the manifest as it came, and the files it lists
//! data/GAME/                  the same folder, renamed when every checksum was compared
//! ```
//!
//! It may come from a stranger. The manifest comes first and limits what may be written: files of plain names, in one
//! folder, each with its exact length, and no more in all than the disk has room for. Whatever else the stranger sends
//! is not written. What is not committed is removed; what a kill leaves is removed by the next import of the same game,
//! and has a name that no game has.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::folder::{check_game, not_solved, settle, take_lock};
use super::vfs::{Lock, VfsPath};
use super::{Holding, HoldingCheck, Manifest};
use kanzen_core::vocabulary::Error;

/// Bytes that are copied at a time.
const PIECE: usize = 1 << 20;

/// A database on its way in.
///
/// ```
/// use kanzen_store::{Import, Database, FileEntry, Manifest, write_keys};
/// // To be imported: a manifest and a file.
/// let sent = tempfile::tempdir()?;
/// let mut manifest = Manifest::new("stones", 7);
/// manifest.files.push(FileEntry::new("keys", &write_keys(&sent.path().join("keys"), 7, &[1u32, 2, 3])?));
/// manifest.write(sent.path())?;
///
/// let data = tempfile::tempdir()?;
/// let bytes = std::fs::read(sent.path().join(Manifest::FILE))?;
/// let mut import = Import::begin(data.path(), sent.path(), &bytes)?;
/// import.take("keys", &mut std::fs::File::open(sent.path().join("keys"))?, &mut |_| true)?;
/// assert!(import.check(&mut |_| {})?.wrong.is_empty());
/// import.commit()?;
/// assert_eq!(Database::open(data.path(), "stones", 7)?.keys::<u32>("keys")?.rank(3)?, Some(2));
/// assert!(Import::begin(data.path(), sent.path(), &bytes).is_err()); // it is there already
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Import {
    data: VfsPath,
    /// Where it comes from, for errors.
    from: PathBuf,
    manifest: Manifest,
    stage: VfsPath,
    taken: BTreeSet<String>,
    _lock: Lock, // held as long as the folder is
}

impl Import {
    /// Begins with the bytes of a manifest, which came from `from`.
    ///
    /// Refused are a manifest that is not whole, a game that the data folder has already, and more than the disk holds.
    pub fn begin(data: impl Into<VfsPath>, from: &Path, manifest: &[u8]) -> Result<Import, Error> {
        let data = data.into();
        let read = Manifest::parse(&from.join(Manifest::FILE), manifest)?;
        check_game(&read.game)?;
        not_solved(&data, &read.game)?;
        let needed = read.bytes().saturating_add(manifest.len() as u64);
        if let Some(free) = data.free().filter(|free| *free < needed) {
            return Err(Error::Disk { what: read.game, needed, folder: data.to_path_buf(), free });
        }
        let stage = data.join(format!(".{}.arriving", read.game));
        let lock = loop {
            stage.make_folders()?;
            // Gone again: another import has just ended.
            if let Some(lock) = take_lock(&stage)? {
                break lock;
            }
        };
        let import = Import { data, from: from.to_owned(), manifest: read, stage, taken: BTreeSet::new(), _lock: lock };
        // What a kill has left.
        let folder = import.folder();
        folder.remove()?;
        folder.make_folder()?;
        folder.join(Manifest::FILE).write(manifest)?;
        Ok(import)
    }

    /// Its manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder in which it stands like in a data folder, for those who open it before it is committed.
    pub fn stage(&self) -> &VfsPath {
        &self.stage
    }

    /// Takes a file that the manifest lists, once, with exactly its bytes. `go_on` hears of bytes that were copied and
    /// may end it.
    pub fn take(&mut self, name: &str, bytes: &mut dyn Read, go_on: &mut dyn FnMut(u64) -> bool) -> Result<(), Error> {
        let refused = |reason: String| Err(Error::bad_archive(&self.from, reason));
        let Some(entry) = self.manifest.file(name) else {
            return refused(format!("its manifest does not list `{name}`"));
        };
        if self.taken.contains(name) {
            return refused(format!("it has `{name}` twice"));
        }
        let path = self.folder().join(name);
        let mut file = path.create().map_err(Error::io("create", &path))?;
        let mut piece = vec![0; PIECE.min(entry.bytes.max(1) as usize)];
        let mut left = entry.bytes;
        while left > 0 {
            let most = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let got = read_some(bytes, &mut piece[..most]).map_err(Error::io("read", &self.from))?;
            if got == 0 {
                return refused(format!("`{name}` ends {left} bytes too early"));
            }
            file.write_all(&piece[..got]).map_err(Error::io("write", &path))?;
            left -= got as u64;
            if !go_on(got as u64) {
                return Err(Error::Stopped);
            }
        }
        if read_some(bytes, &mut [0]).map_err(Error::io("read", &self.from))? > 0 {
            return refused(format!("`{name}` has more than the {} bytes that its manifest lists", entry.bytes));
        }
        path.sync().map_err(Error::io("sync", &path))?;
        self.taken.insert(name.to_owned());
        Ok(())
    }

    /// Compares all checksums of what was taken. Files that did not come are an error.
    pub fn check(&self, done: &mut dyn FnMut(u64)) -> Result<HoldingCheck, Error> {
        if let Some(missing) = self.manifest.files.iter().find(|file| !self.taken.contains(&file.name)) {
            return Err(Error::bad_archive(&self.from, format!("it lacks `{}`", missing.name)));
        }
        let (game, folder) = (self.manifest.game.clone(), self.folder());
        let holding = Holding { game, folder, finished: true, bytes: self.manifest.bytes(), modified: None };
        Ok(holding.check(done))
    }

    /// Makes it the database of its game, unless one has come in between.
    pub fn commit(self) -> Result<(), Error> {
        self.folder().sync_folder()?;
        settle(&self.folder(), &self.data, &self.manifest.game).map(|_| ())
        // The stage, which is empty now, is removed as it is dropped.
    }

    fn folder(&self) -> VfsPath {
        self.stage.join(&self.manifest.game)
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next import.
        self.stage.remove().ok();
    }
}

/// Reads what there is, also after an interruption.
fn read_some(from: &mut dyn Read, to: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match from.read(to) {
            Err(again) if again.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{FileEntry, holdings, write_keys};

    /// A folder to import, and the bytes of its manifest.
    fn sent() -> (tempfile::TempDir, Vec<u8>) {
        let sent = tempfile::tempdir().unwrap();
        let mut manifest = Manifest::new("stones", 7);
        for name in ["keys", "more"] {
            let file = write_keys(&sent.path().join(name), 7, &[1u32, 2, 3]).unwrap();
            manifest.files.push(FileEntry::new(name, &file));
        }
        manifest.write(sent.path()).unwrap();
        let bytes = fs::read(sent.path().join(Manifest::FILE)).unwrap();
        (sent, bytes)
    }

    fn nothing_in(data: &Path) -> bool {
        fs::read_dir(data).unwrap().next().is_none()
    }

    #[test]
    fn what_is_not_committed_leaves_nothing() {
        let ((sent, manifest), data) = (sent(), tempfile::tempdir().unwrap());
        let keys = fs::read(sent.path().join("keys")).unwrap();
        let begin = || Import::begin(data.path(), sent.path(), &manifest).unwrap();
        drop(begin());
        assert!(nothing_in(data.path()));
        let mut stopped = begin();
        assert!(matches!(stopped.take("keys", &mut &keys[..], &mut |_| false), Err(Error::Stopped)));
        drop(stopped);
        let mut half = begin();
        half.take("keys", &mut &keys[..], &mut |_| true).unwrap();
        assert!(half.check(&mut |_| {}).unwrap_err().to_string().ends_with("it lacks `more`"));
        assert!(holdings(data.path()).unwrap().is_empty(), "it is no database");
        drop(half);
        assert!(nothing_in(data.path()));
    }

    #[test]
    fn a_file_has_the_length_that_the_manifest_lists_and_comes_once() {
        let ((sent, manifest), data) = (sent(), tempfile::tempdir().unwrap());
        let keys = fs::read(sent.path().join("keys")).unwrap();
        let mut import = Import::begin(data.path(), sent.path(), &manifest).unwrap();
        let mut refusal = |name: &str, bytes: &[u8]| {
            import.take(name, &mut &*bytes, &mut |_| true).err().map(|error| error.to_string())
        };
        let longer = [&keys[..], b"x"].concat();
        assert!(refusal("keys", &keys[1..]).unwrap().ends_with("`keys` ends 1 bytes too early"));
        assert!(refusal("keys", &longer).unwrap().contains("`keys` has more than the"));
        assert!(refusal("../keys", &keys).unwrap().ends_with("its manifest does not list `../keys`"));
        assert!(refusal("manifest.json", &keys).unwrap().ends_with("does not list `manifest.json`"));
        assert_eq!(refusal("keys", &keys), None);
        assert!(refusal("keys", &keys).unwrap().ends_with("it has `keys` twice"));
    }

    #[test]
    fn what_a_kill_has_left_is_removed_by_the_next_one_but_not_while_it_is_at_work() {
        let ((sent, manifest), data) = (sent(), tempfile::tempdir().unwrap());
        let left = data.path().join(".stones.arriving/stones");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("half"), "half").unwrap();
        let import = Import::begin(data.path(), sent.path(), &manifest).unwrap();
        assert!(!left.join("half").exists() && left.join(Manifest::FILE).exists());
        let second = Import::begin(data.path(), sent.path(), &manifest);
        assert!(matches!(second, Err(Error::Busy { .. })));
        drop(import);
        assert!(nothing_in(data.path()));
    }

    #[test]
    fn a_database_that_came_in_between_stays() {
        let ((sent, manifest), data) = (sent(), tempfile::tempdir().unwrap());
        let import = Import::begin(data.path(), sent.path(), &manifest).unwrap();
        fs::create_dir(data.path().join("stones")).unwrap();
        fs::write(data.path().join("stones/precious"), "").unwrap();
        assert!(matches!(import.commit(), Err(Error::AlreadySolved { .. })));
        assert!(data.path().join("stones/precious").exists());
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 1);
    }
}
