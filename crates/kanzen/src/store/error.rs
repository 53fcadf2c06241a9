//! What can go wrong with files, in sentences for the person who can act on them.

use std::io;
use std::path::{Path, PathBuf};

use crate::Value;

/// A database that cannot be written, read or trusted.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried: `read`, `write`, ...
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A checksum does not fit.
    #[error("{} is damaged at {place}: restore it, or remove its folder and solve again", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it: `block 17`, `the index`, ...
        place: String,
    },
    /// A file that the manifest lists is not there.
    #[error("{} is missing: restore it, or remove its folder and solve again", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A sound file, but of another kind.
    #[error("{} holds `{found}`, not `{expected}`", .path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// Its kind.
        found: String,
        /// The kind asked for.
        expected: String,
    },
    /// Written by another version of the format.
    #[error("{} has format {found}, this version reads {expected}", .path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// Written for other rules.
    #[error("{} was written for other rules ({found}) than this version's ({expected})", .path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// Its fingerprint.
        found: String,
        /// Ours.
        expected: String,
    },
    /// No finished database there.
    #[error("{game} is not solved in {}: run `kanzen solve {game}`", .folder.display())]
    NotSolved {
        /// The game.
        game: String,
        /// The data folder.
        folder: PathBuf,
    },
    /// A finished database is there already.
    #[error("{game} is solved already: remove {} to solve it again", .folder.display())]
    AlreadySolved {
        /// The game.
        game: String,
        /// The finished folder.
        folder: PathBuf,
    },
    /// Another process works on it.
    #[error("another solve is at work in {}", .folder.display())]
    Busy {
        /// The unfinished folder.
        folder: PathBuf,
    },
    /// Asked for something the file does not have.
    #[error("{} has {len} slots, there is no slot {slot}", .path.display())]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The slot asked for.
        slot: u64,
        /// How many there are.
        len: u64,
    },
    /// A plane was given a value that its palette lacks.
    #[error("{}: the value `{value}` of slot {slot} is not in the palette", .path.display())]
    NotInPalette {
        /// The file being written.
        path: PathBuf,
        /// The slot.
        slot: u64,
        /// Its value.
        value: Value,
    },
    /// Keys to be written were not strictly ascending.
    #[error("{}: key {slot} is not above the key before it", .path.display())]
    NotAscending {
        /// The file being written.
        path: PathBuf,
        /// The number of the key.
        slot: u64,
    },
    /// A name that cannot be that of a file or folder in the data folder.
    #[error("`{name}` cannot be the name of a file or folder in a database")]
    BadName {
        /// The name.
        name: String,
    },
    /// A block that is too large to be read back.
    #[error("{}: a block has at most {limit} bytes, not {bytes}", .path.display())]
    TooLarge {
        /// The file being written.
        path: PathBuf,
        /// The bytes of the block.
        bytes: u64,
        /// The most it may have.
        limit: u64,
    },
}

impl StoreError {
    /// For `map_err`: the system refused `action` on `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { action, path, source }
    }

    /// `path` is damaged at `place`.
    pub fn damaged(path: &Path, place: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), place: place.into() }
    }

    /// `path` is written for the rules `found`, unless those are the ones expected.
    pub(crate) fn check_rules(path: &Path, found: u64, expected: u64) -> Result<(), StoreError> {
        if found == expected {
            return Ok(());
        }
        let [found, expected] = [found, expected].map(|fingerprint| format!("{fingerprint:016x}"));
        Err(StoreError::OtherRules { path: path.to_owned(), found, expected })
    }

    /// `path` has the format `found`, unless that is the one this version reads.
    pub(crate) fn check_format(path: &Path, found: u32) -> Result<(), StoreError> {
        if found == super::FORMAT {
            return Ok(());
        }
        Err(StoreError::OtherFormat { path: path.to_owned(), found, expected: super::FORMAT })
    }
}
