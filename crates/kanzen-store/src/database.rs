//! A finished database.

mod folder;

use std::sync::Arc;

use super::vfs::VfsPath;
use super::{BlockCache, BlockFile, ClassEntry, KeysFile, Kind, Manifest, PlaneFile};
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::Key;

/// The most that the cache holds of a large database until it is given more, and of one without any bytes. A
/// browser has less to give.
const CACHE: u64 = if cfg!(target_family = "wasm") { SMALL_CACHE } else { 256 << 20 };
const SMALL_CACHE: u64 = 16 << 20;

/// A finished database: a folder with a manifest that vouches for each of its files.
///
/// ```
/// use kanzen_core::Error;
/// use kanzen_store::Database;
/// let data = tempfile::tempdir()?;
/// let absent = Database::open(data.path(), "stones", 7).unwrap_err();
/// assert!(matches!(absent, Error::NotSolved { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Database {
    folder: VfsPath,
    manifest: Manifest,
    cache: Arc<BlockCache>,
}

impl Database {
    /// The database with this manifest whose files are in a folder. A manifest of another game or of other rules is
    /// refused.
    pub fn in_folder(folder: &VfsPath, manifest: Manifest, game: &str, fingerprint: u64) -> Result<Database, Error> {
        manifest.check(folder, game, fingerprint)?;
        let cache = BlockCache::new(most_kept(&manifest).min(CACHE) as usize);
        Ok(Database { folder: folder.clone(), manifest, cache })
    }

    /// Keeps up to so many bytes of what is read for the next reader.
    pub fn keep(&self, bytes: u64) {
        self.kept().up_to(bytes);
    }

    /// What is kept of the blocks that were read.
    pub fn kept(&self) -> Kept {
        Kept { cache: self.cache.clone(), most: most_kept(&self.manifest) }
    }

    /// Refuses it unless its manifest lists so many classes, each of them `sound` as what it is by number.
    ///
    /// ```
    /// use kanzen_store::{Manifest, WorkFolder};
    /// let data = tempfile::tempdir()?;
    /// let work = WorkFolder::open_or_create(data.path(), "stones", 7)?;
    /// let database = work.finish(&Manifest::new("stones", 7))?;
    /// assert!(database.check_classes(0, |_, _| false).is_ok());
    /// assert!(database.check_classes(1, |_, class| class.slots == 22).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_classes(&self, count: usize, sound: impl Fn(usize, &ClassEntry) -> bool) -> Result<(), Error> {
        let damaged = |place: String| Error::damaged(&self.path(Manifest::FILE), place);
        let classes = &self.manifest.classes;
        if classes.len() != count {
            return Err(damaged(format!("its classes: there are {}, expected {count}", classes.len())));
        }
        match classes.iter().enumerate().find(|(number, class)| !sound(*number, class)) {
            Some((number, _)) => Err(damaged(format!("its class {number}: its label or its counts"))),
            None => Ok(()),
        }
    }

    /// What it is.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where it is.
    pub fn folder(&self) -> &VfsPath {
        &self.folder
    }

    /// The path of one of its files.
    pub fn path(&self, file: &str) -> VfsPath {
        self.folder.join(file)
    }

    /// The cache its readers share.
    pub fn cache(&self) -> &Arc<BlockCache> {
        &self.cache
    }

    /// Opens one of its planes.
    pub fn plane(&self, file: &str) -> Result<PlaneFile, Error> {
        let mut plane = PlaneFile::from_blocks(self.blocks(file, PlaneFile::KIND)?, &self.cache)?;
        plane.occurrence = self.occurrence(file, plane.scan_blocks(), plane.palette().len())?;
        Ok(plane)
    }

    /// Opens one of its files of keys.
    pub fn keys<K: Key>(&self, file: &str) -> Result<KeysFile<K>, Error> {
        KeysFile::from_blocks(self.blocks(file, KeysFile::<K>::KIND)?, &self.cache)
    }

    /// Opens one of its block files. A sound file under a wrong name would pass its own checks: the manifest knows which
    /// one belongs there.
    pub fn blocks(&self, file: &str, kind: Kind) -> Result<BlockFile, Error> {
        let path = self.path(file);
        let entry = self.manifest.file(file).ok_or_else(|| Error::Missing { path: path.to_path_buf() })?;
        let blocks = BlockFile::from_source(&path, path.open()?, Some(kind), self.manifest.fingerprint)?;
        let same = match entry.ends {
            Some(ends) => blocks.ends() == ends,
            None => blocks.checksum()? == entry.checksum,
        };
        if same && blocks.bytes() == entry.bytes {
            return Ok(blocks);
        }
        Err(Error::damaged(&path, "its checksum: it is not the file that the manifest lists"))
    }
}

/// The blocks of a database that were read lately, which all of its readers share.
pub struct Kept {
    cache: Arc<BlockCache>,
    most: u64,
}

impl Kept {
    /// Keeps up to so many bytes of them from now on.
    pub fn up_to(&self, bytes: u64) {
        self.cache.resize(bytes.min(self.most) as usize);
    }
}

/// A few bytes can unpack to very many: a small database never takes as much memory as a large one.
fn most_kept(manifest: &Manifest) -> u64 {
    manifest.files.iter().map(|file| file.bytes).fold(SMALL_CACHE, u64::saturating_add)
}
