//! The provenance of answers: game, rules, program and database, for citation.

use std::path::Path;

use serde::Serialize;

use crate::store::{Manifest, sha256_of};
use crate::vocabulary::Error;

/// What distinguishes a database from every other one: its rules, and a checksum of all of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Provenance {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The version of the store's format.
    pub format: u32,
    /// The fingerprint of the rules, in hexadecimal.
    pub rules: String,
    /// The SHA-256 of the manifest, which holds the digests of all other files: two databases of equal bytes have equal
    /// manifests.
    pub sha256: String,
    /// How many files it has, besides the manifest.
    pub files: usize,
    /// The size of these files.
    pub bytes: u64,
    /// A recorded run that solved the game and counted the same, where there is one.
    pub run: Option<RecordedRun>,
}

/// A run that solved a game, as the source tree has its record: what a reader can look up, and repeat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RecordedRun {
    /// The file of the record, in the source tree.
    pub record: String,
    /// The day, as `2026-11-16`.
    pub date: String,
    /// The commit of the program.
    pub commit: String,
    /// The processor and its cores.
    pub machine: String,
    /// On how many threads.
    pub threads: usize,
    /// How long it took.
    pub seconds: f64,
    /// The most memory it held.
    pub memory_bytes: u64,
    /// The positions it counted, and of them those that the mover wins, loses and draws.
    #[serde(skip)]
    pub counts: [u64; 4],
}

impl Provenance {
    /// Reads the data folder's manifest of a game.
    pub(super) fn read(data: &Path, game: &str) -> Result<Provenance, Error> {
        let folder = data.join(game);
        let manifest = Manifest::read(&folder)?;
        Ok(Provenance {
            format: manifest.format,
            rules: format!("{:016x}", manifest.fingerprint),
            sha256: sha256_of(&folder.join(Manifest::FILE))?,
            files: manifest.files.len(),
            bytes: manifest.files.iter().map(|file| file.bytes).sum(),
            game: manifest.game,
            run: None,
        })
    }
}
