//! A database in a folder of this machine.

use std::io::{self, Read};

use super::Database;
use crate::checks::check_name;
use crate::folder::LOCK;
use crate::vfs::VfsPath;
use crate::{Import, Manifest, ReadAt};
use kanzen_core::vocabulary::Error;

impl Database {
    /// Opens the database of a game in a data folder: `data/GAME`. Its files must be there with their lengths.
    pub fn open(data: impl Into<VfsPath>, game: &str, fingerprint: u64) -> Result<Database, Error> {
        Database::open_with(data, game, || Ok(fingerprint))
    }

    /// As [`open`](Database::open), where it takes some work to tell the fingerprint: only done for a database that is
    /// there.
    pub fn open_with(
        data: impl Into<VfsPath>,
        game: &str,
        fingerprint: impl FnOnce() -> Result<u64, Error>,
    ) -> Result<Database, Error> {
        check_name(game)?;
        let folder = data.into().join(game);
        let manifest = match Manifest::read(&folder) {
            // A folder with files but no manifest was finished once: it is not for a solve to write into.
            Err(Error::NotSolved { .. }) if !folder.list()?.is_empty() => {
                return Err(Error::Missing { path: folder.join(Manifest::FILE).to_path_buf() });
            }
            manifest => manifest?,
        };
        let fingerprint = fingerprint()?;
        manifest.check(&folder, game, fingerprint)?;
        manifest.check_files(&folder)?;
        Database::in_folder(&folder, manifest, game, fingerprint)
    }

    /// Removes the lock that a solve leaves behind if it is killed in its very last step.
    pub fn tidy(&self) -> Result<(), Error> {
        let lock = self.folder.join(LOCK);
        if lock.exists() {
            lock.remove()?;
            self.folder.sync_folder()?;
        }
        Ok(())
    }

    /// Writes the same database to another data folder, which must not have one of this game yet: see
    /// [`WorkFolder::open_or_create`](crate::WorkFolder::open_or_create).
    pub fn save(&self, data: impl Into<VfsPath>) -> Result<(), Error> {
        let path = self.folder.join(Manifest::FILE);
        let manifest = path.read(Manifest::MOST_BYTES)?;
        let manifest = manifest.ok_or_else(|| Error::Missing { path: path.to_path_buf() })?;
        let mut copy = Import::begin(data, &self.folder, &manifest)?;
        for file in &self.manifest.files {
            let mut source = Reader { file: self.folder.join(&file.name).open()?, at: 0 };
            copy.take(&file.name, &mut source, &mut |_| true)?;
        }
        copy.commit()
    }
}

/// The bytes of a file in order.
struct Reader {
    file: Box<dyn ReadAt>,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = (self.file.size()? - self.at).min(buffer.len() as u64) as usize;
        self.file.read_exact_at(&mut buffer[..bytes], self.at)?;
        self.at += bytes as u64;
        Ok(bytes)
    }
}
