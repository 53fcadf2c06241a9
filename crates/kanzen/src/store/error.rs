//! What can go wrong with files, in sentences for the person who can act on them.

use std::io;
use std::path::PathBuf;

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
    #[error("{} is damaged at {place}: solve again or restore it", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it: `block 17`, `the index`, ...
        place: String,
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
    /// Another process works on it.
    #[error("another solve is at work in {}", .folder.display())]
    Busy {
        /// The unfinished folder.
        folder: PathBuf,
    },
}
