//! A database in a folder of this machine.

use std::path::{Path, PathBuf};

use super::Database;
use crate::checks::check_name;
use crate::files::{names, remove, sync_folder};
use crate::folder::LOCK;
use crate::handles::PooledFile;
use crate::{Files, Manifest, ReadAt};
use kanzen_core::vocabulary::Error;

/// The files of a folder.
#[derive(Debug)]
pub struct InFolder(pub PathBuf);

impl Files for InFolder {
    fn open(&self, name: &str) -> Result<Box<dyn ReadAt>, Error> {
        Ok(Box::new(PooledFile::open(&self.0.join(name))?))
    }
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
        let fingerprint = fingerprint()?;
        manifest.check(&folder, game, fingerprint)?;
        manifest.check_files(&folder)?;
        Database::from_files(&folder, manifest, Box::new(InFolder(folder.clone())), game, fingerprint)
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
}
