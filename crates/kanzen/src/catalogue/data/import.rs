//! Imports a database into a data folder, after all checks.
//!
//! The caller reads the archive or folder that it comes from.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::super::{Catalogue, Verdict};
use crate::store::{self, Manifest};
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Budget, Error};

/// The name of the file that describes a database and lists its files.
pub const MANIFEST: &str = Manifest::FILE;

/// It has at most so many bytes.
pub const MOST_MANIFEST_BYTES: u64 = Manifest::MOST_BYTES;

/// What was imported.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Imported {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// How many files it has, besides the manifest.
    pub files: u64,
    /// Those of them whose SHA-256 was compared, besides the checksums that all have.
    pub with_sha256: u64,
    /// The size of its files.
    pub bytes: u64,
    /// Positions, as its census counts them.
    pub positions: u64,
    /// The value of the initial position.
    pub initial: Verdict,
}

/// The import of a database of a game of the catalogue: see [`store::Import`]. Dropped before [`commit`](Import::commit), it
/// leaves nothing.
pub struct Import<'a> {
    games: &'a dyn Catalogue,
    files: store::Import,
    from: PathBuf,
    observer: &'a dyn Observer,
}

impl<'a> Import<'a> {
    /// Begins with the manifest of the database at `from`. Refuses a game that the catalogue does not have.
    pub fn begin(
        games: &'a dyn Catalogue,
        data: &Path,
        from: &Path,
        manifest: &[u8],
        observer: &'a dyn Observer,
    ) -> Result<Import<'a>, Error> {
        let files = store::Import::begin(data, from, manifest)?;
        let game = &files.manifest().game;
        games.find(game)?;
        observer.event(Event::Stage { name: "copy", total: Some(files.manifest().bytes()) });
        Ok(Import { games, files, from: from.to_owned(), observer })
    }

    /// The names of its files.
    pub fn files(&self) -> Vec<String> {
        self.files.manifest().files.iter().map(|file| file.name.clone()).collect()
    }

    /// Whether a file is one of its own.
    pub fn has(&self, name: &str) -> bool {
        self.files.manifest().file(name).is_some()
    }

    /// Copies one of its files.
    pub fn take(&mut self, name: &str, bytes: &mut dyn Read) -> Result<(), Error> {
        let observer = self.observer;
        self.files.take(name, bytes, &mut |steps| {
            observer.event(Event::Steps { steps });
            !observer.stop()
        })
    }

    /// Compares all checksums, opens the database by the rules of its game, and only then renames it into place.
    pub fn commit(self, budget: &Budget) -> Result<Imported, Error> {
        let manifest = self.files.manifest();
        let (game, files, bytes) = (manifest.game.clone(), manifest.files.len() as u64, manifest.bytes());
        self.observer.event(Event::Stage { name: "check", total: Some(bytes) });
        let advance = |steps| self.observer.event(Event::Steps { steps });
        let check = crate::machine::pool(budget.threads)?.install(|| self.files.check(&mut |steps| advance(steps)))?;
        if let Some(wrong) = check.wrong.into_iter().next() {
            return Err(self.named(wrong));
        }
        // In its own block: open files must not outlive the temporary name.
        let (positions, initial) = {
            let solved = self.games.find(&game)?.open(self.files.stage()).map_err(|wrong| self.named(wrong))?;
            let summary = || Ok((solved.stats()?.positions, solved.verdict()?));
            summary().map_err(|wrong| self.named(wrong))?
        };
        if self.observer.stop() {
            return Err(Error::Stopped);
        }
        self.files.commit()?;
        Ok(Imported { game, files, with_sha256: check.with_sha256, bytes, positions, initial })
    }

    /// Rewrites the path of an error from the temporary folder to the source.
    fn named(&self, mut error: Error) -> Error {
        let stage = self.files.stage();
        if let Some(path) = error.path_mut()
            && let Ok(inside) = path.strip_prefix(&**stage)
        {
            *path = self.from.join(inside);
        }
        error
    }
}
