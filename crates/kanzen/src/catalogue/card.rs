//! Collects the metadata of a database for a data archive.

use std::path::Path;

use serde::Serialize;

use super::{Entry, LongestDistance, Verdict};
use crate::query::{AllPositions, Stats, Weak};
use crate::store::{Manifest, sha256_of};
use crate::vocabulary::Error;

/// A data card: which game by which rules, what is known of it, and the files that hold it.
///
/// All of it follows from the database and the rules; nothing depends on the machine or the hour.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Card {
    /// The name in commands and files.
    pub game: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// The fingerprint of these rules and their numbering, in hexadecimal.
    pub fingerprint: String,
    /// How positions and moves are written, in words.
    pub notation: String,
    /// The initial position.
    pub initial_position: String,
    /// The value of the initial position.
    pub initial: Verdict,
    /// Positions, up to the symmetries of the published table.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// All positions, mirror images and colours apart, where they were counted.
    pub all_positions: Option<AllPositions>,
    /// The longest distance, and how many positions have it.
    pub longest: Option<LongestDistance>,
    /// What is known where not every position is: then the counts are those of the stored line.
    pub weak: Option<Weak>,
    /// The version of the store's format.
    pub format: u32,
    /// The files, the manifest first.
    pub files: Vec<CardFile>,
}

/// A file of the database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CardFile {
    /// Its name in the folder.
    pub name: String,
    /// The length of the file.
    pub bytes: u64,
    /// The SHA-256 of its bytes; databases of early versions do not contain it.
    pub sha256: Option<String>,
}

impl Card {
    /// Reads the card of a game's database in a data folder.
    pub fn of(entry: &Entry, data: &Path) -> Result<Card, Error> {
        let solved = entry.open(data)?;
        let (stats, initial) = (solved.stats()?, solved.verdict()?);
        let info = entry.info();
        let folder = data.join(&info.id);
        let manifest = Manifest::read(&folder)?;
        let path = folder.join(Manifest::FILE);
        let bytes = std::fs::metadata(&path).map_err(Error::io("read", &path))?.len();
        let mut files = vec![CardFile { name: Manifest::FILE.to_owned(), bytes, sha256: Some(sha256_of(&path)?) }];
        let listed = manifest.files.iter();
        files.extend(listed.map(|file| CardFile {
            name: file.name.clone(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        }));
        Ok(Card {
            game: info.id.clone(),
            title: info.title.clone(),
            rules: info.rules.clone(),
            fingerprint: format!("{:016x}", manifest.fingerprint),
            notation: entry.notation(),
            initial_position: entry.initial(),
            initial,
            positions: stats.positions,
            wins: stats.wins,
            losses: stats.losses,
            draws: stats.draws,
            all_positions: stats.all_positions,
            longest: longest(&stats),
            weak: stats.weak,
            format: manifest.format,
            files,
        })
    }

    /// The size of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The SHA-256 of the manifest, which holds the digests of all other files: by it the whole database is known.
    pub fn sha256(&self) -> &str {
        self.files.first().and_then(|manifest| manifest.sha256.as_deref()).unwrap_or_default()
    }
}

/// The histogram ends with the longest distance.
fn longest(stats: &Stats) -> Option<LongestDistance> {
    stats.histogram.last().map(|bar| LongestDistance { distance: bar.distance, positions: bar.wins + bar.losses })
}
