//! A database that somebody else has made, on its way into a data folder.
//!
//! How it travels, as an archive or in a folder, is a face's business.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::super::{Catalogue, Verdict};
use crate::store::{Arrival, Manifest};
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Budget, Error};

/// The name of the file that says what a database is.
pub const MANIFEST: &str = Manifest::FILE;

/// It has at most so many bytes.
pub const MOST_MANIFEST_BYTES: u64 = Manifest::MOST_BYTES;

/// What came in.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Arrived {
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

/// A database of a game of the catalogue on its way in: see [`Arrival`]. Dropped before it is settled, it leaves nothing.
pub struct MovingIn<'a> {
    games: &'a dyn Catalogue,
    arrival: Arrival,
    from: PathBuf,
    observer: &'a dyn Observer,
}

impl<'a> MovingIn<'a> {
    /// Begins with the manifest of what comes from `from`. A game that the catalogue does not have is refused.
    pub fn begin(
        games: &'a dyn Catalogue,
        data: &Path,
        from: &Path,
        manifest: &[u8],
        observer: &'a dyn Observer,
    ) -> Result<MovingIn<'a>, Error> {
        let arrival = Arrival::begin(data, from, manifest)?;
        let game = &arrival.manifest().game;
        games.find(game)?;
        observer.event(Event::Stage { name: "copy", total: Some(arrival.manifest().bytes()) });
        Ok(MovingIn { games, arrival, from: from.to_owned(), observer })
    }

    /// The names of its files.
    pub fn files(&self) -> Vec<String> {
        self.arrival.manifest().files.iter().map(|file| file.name.clone()).collect()
    }

    /// Whether a file is one of its own.
    pub fn has(&self, name: &str) -> bool {
        self.arrival.manifest().file(name).is_some()
    }

    /// Takes one of its files.
    pub fn take(&mut self, name: &str, bytes: &mut dyn Read) -> Result<(), Error> {
        let observer = self.observer;
        self.arrival.take(name, bytes, &mut |steps| {
            observer.event(Event::Steps { steps });
            !observer.stop()
        })
    }

    /// Compares all checksums, opens it by the rules of its game, and only then gives it its name.
    pub fn settle(self, budget: &Budget) -> Result<Arrived, Error> {
        let manifest = self.arrival.manifest();
        let (game, files, bytes) = (manifest.game.clone(), manifest.files.len() as u64, manifest.bytes());
        self.observer.event(Event::Stage { name: "check", total: Some(bytes) });
        let heard = |steps| self.observer.event(Event::Steps { steps });
        let check = crate::machine::pool(budget.threads)?.install(|| self.arrival.check(&mut |steps| heard(steps)))?;
        if let Some(wrong) = check.wrong.into_iter().next() {
            return Err(self.named(wrong));
        }
        // In its own block: what is open there must not outlive the name.
        let (positions, initial) = {
            let solved = self.games.find(&game)?.open(self.arrival.stage()).map_err(|wrong| self.named(wrong))?;
            let told = || Ok((solved.stats()?.positions, solved.verdict()?));
            told().map_err(|wrong| self.named(wrong))?
        };
        if self.observer.stop() {
            return Err(Error::Stopped);
        }
        self.arrival.settle()?;
        Ok(Arrived { game, files, with_sha256: check.with_sha256, bytes, positions, initial })
    }

    /// An error that speaks of what came, not of the folder that is gone when it is read.
    fn named(&self, mut error: Error) -> Error {
        let stage = self.arrival.stage();
        if let Some(path) = error.path_mut()
            && let Ok(inside) = path.strip_prefix(stage)
        {
            *path = self.from.join(inside);
        }
        error
    }
}
