//! A finished database.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{check_name, names, remove, sync_folder};
use super::folder::LOCK;
use super::{BlockCache, BlockFile, FileEntry, KeysFile, Kind, Manifest, PlaneFile, StoreError};
use crate::Key;

const CACHE: usize = 256 << 20;

/// A finished database: a folder with a manifest that vouches for each of its files.
///
/// ```
/// use kanzen::store::{Database, StoreError};
/// let data = tempfile::tempdir()?;
/// let absent = Database::open(data.path(), "stones", 7).unwrap_err();
/// assert!(matches!(absent, StoreError::NotSolved { .. }));
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
    pub fn open(data: &Path, game: &str, fingerprint: u64) -> Result<Database, StoreError> {
        Database::open_with_cache(data, game, fingerprint, CACHE)
    }

    /// As [`open`](Database::open), with a block cache of so many bytes.
    pub fn open_with_cache(data: &Path, game: &str, fingerprint: u64, cache: usize) -> Result<Database, StoreError> {
        check_name(game)?;
        let folder = data.join(game);
        let manifest = match Manifest::read(&folder) {
            // A folder with files but no manifest was finished once: it is not for a solve to write into.
            Err(StoreError::NotSolved { .. }) if !names(&folder)?.is_empty() => {
                return Err(StoreError::Missing { path: folder.join(Manifest::FILE) });
            }
            manifest => manifest?,
        };
        manifest.check(&folder, game, fingerprint)?;
        manifest.check_files(&folder)?;
        Ok(Database { folder, manifest, cache: BlockCache::new(cache) })
    }

    /// Removes the lock that a solve leaves behind if it is killed in its very last step.
    pub fn tidy(&self) -> Result<(), StoreError> {
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
    pub fn plane(&self, file: &str) -> Result<PlaneFile, StoreError> {
        let entry = self.entry(file)?;
        let plane = PlaneFile::open(&self.path(file), self.manifest.fingerprint, &self.cache)?;
        vouched(entry, plane.blocks())?;
        Ok(plane)
    }

    /// Opens one of its files of keys.
    pub fn keys<K: Key>(&self, file: &str) -> Result<KeysFile<K>, StoreError> {
        let entry = self.entry(file)?;
        let keys = KeysFile::open(&self.path(file), self.manifest.fingerprint, &self.cache)?;
        vouched(entry, keys.blocks())?;
        Ok(keys)
    }

    /// Opens one of its block files.
    pub fn blocks(&self, file: &str, kind: Kind) -> Result<BlockFile, StoreError> {
        let entry = self.entry(file)?;
        let blocks = BlockFile::open(&self.path(file), kind, self.manifest.fingerprint)?;
        vouched(entry, &blocks)?;
        Ok(blocks)
    }

    fn entry(&self, file: &str) -> Result<&FileEntry, StoreError> {
        self.manifest.file(file).ok_or_else(|| StoreError::Missing { path: self.path(file) })
    }
}

// A sound file under a wrong name would pass its own checks: the manifest knows which one belongs there.
fn vouched(entry: &FileEntry, file: &BlockFile) -> Result<(), StoreError> {
    if (file.bytes(), file.checksum()) == (entry.bytes, entry.checksum) {
        return Ok(());
    }
    Err(StoreError::damaged(file.path(), "its checksum: it is not the file that the manifest lists"))
}
