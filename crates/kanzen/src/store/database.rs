//! A finished database.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{check_name, names, remove, sync_folder};
use super::folder::LOCK;
use super::{BlockCache, BlockFile, FileEntry, KeysFile, Kind, Manifest, PlaneFile};
use crate::vocabulary::Error;
use crate::vocabulary::Key;

const CACHE: usize = 256 << 20;

/// A finished database: a folder with a manifest that vouches for each of its files.
///
/// ```
/// use kanzen::Error;
/// use kanzen::store::Database;
/// let data = tempfile::tempdir()?;
/// let absent = Database::open(data.path(), "stones", 7).unwrap_err();
/// assert!(matches!(absent, Error::NotSolved { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Database {
    folder: PathBuf,
    manifest: Manifest,
    cache: Arc<BlockCache>,
}

impl Database {
    /// Opens the database of a game in a data folder: `data/GAME`. Its files must be there with their lengths.
    pub fn open(data: &Path, game: &str, fingerprint: u64) -> Result<Database, Error> {
        Database::open_with(data, game, || Ok(fingerprint))
    }

    /// As [`open`](Database::open), where it takes some work to tell the fingerprint: only done for a database that is
    /// there.
    pub fn open_with(
        data: &Path,
        game: &str,
        fingerprint: impl FnOnce() -> Result<u64, Error>,
    ) -> Result<Database, Error> {
        check_name(game)?;
        let folder = data.join(game);
        let manifest = match Manifest::read(&folder) {
            // A folder with files but no manifest was finished once: it is not for a solve to write into.
            Err(Error::NotSolved { .. }) if !names(&folder)?.is_empty() => {
                return Err(Error::Missing { path: folder.join(Manifest::FILE) });
            }
            manifest => manifest?,
        };
        manifest.check(&folder, game, fingerprint()?)?;
        manifest.check_files(&folder)?;
        Ok(Database { folder, manifest, cache: BlockCache::new(CACHE) })
    }

    /// Removes the lock that a solve leaves behind if it is killed in its very last step.
    pub fn tidy(&self) -> Result<(), Error> {
        let lock = self.folder.join(LOCK);
        if lock.exists() {
            remove(&lock)?;
            sync_folder(&self.folder)?;
        }
        Ok(())
    }

    /// What it is.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of one of its files.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The cache its readers share.
    pub fn cache(&self) -> &Arc<BlockCache> {
        &self.cache
    }

    /// Opens one of its planes.
    pub fn plane(&self, file: &str) -> Result<PlaneFile, Error> {
        let entry = self.entry(file)?;
        let mut plane = PlaneFile::open(&self.path(file), self.manifest.fingerprint, &self.cache)?;
        vouched(entry, plane.blocks())?;
        plane.occurrence = self.occurrence(file, plane.scan_blocks(), plane.palette().len())?;
        Ok(plane)
    }

    /// Opens one of its files of keys.
    pub fn keys<K: Key>(&self, file: &str) -> Result<KeysFile<K>, Error> {
        let entry = self.entry(file)?;
        let keys = KeysFile::open(&self.path(file), self.manifest.fingerprint, &self.cache)?;
        vouched(entry, keys.blocks())?;
        Ok(keys)
    }

    /// Opens one of its block files.
    pub fn blocks(&self, file: &str, kind: Kind) -> Result<BlockFile, Error> {
        let entry = self.entry(file)?;
        let blocks = BlockFile::open(&self.path(file), kind, self.manifest.fingerprint)?;
        vouched(entry, &blocks)?;
        Ok(blocks)
    }

    fn entry(&self, file: &str) -> Result<&FileEntry, Error> {
        self.manifest.file(file).ok_or_else(|| Error::Missing { path: self.path(file) })
    }
}

// A sound file under a wrong name would pass its own checks: the manifest knows which one belongs there.
fn vouched(entry: &FileEntry, file: &BlockFile) -> Result<(), Error> {
    if (file.bytes(), file.checksum()) == (entry.bytes, entry.checksum) {
        return Ok(());
    }
    Err(Error::damaged(file.path(), "its checksum: it is not the file that the manifest lists"))
}
