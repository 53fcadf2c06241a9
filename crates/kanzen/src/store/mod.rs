//! Values on the disk.
//!
//! The store knows nothing of games. It keeps
//!
//! - *blocks* of bytes, compressed, each with a checksum ([`BlockWriter`], [`BlockFile`]);
//! - *planes*, one small value per slot ([`write_plane`], [`PlaneWriter`], [`PlaneFile`]);
//! - sorted *keys*, found by number and numbered by key ([`write_keys`], [`KeysFile`]);
//! - *values with exceptions*, a byte a slot and for some another that holds in one case ([`ExceptionsFile`]);
//! - *occurrences*, which values there are in which block, so that a search can skip the others ([`Occurrence`]);
//! - a *manifest* that says what a database is and which files it has ([`Manifest`]);
//! - *folders*: one in work with its checkpoints ([`WorkFolder`]), which becomes a finished one ([`Database`]); one that
//!   somebody else has finished, on its way in ([`Arrival`]);
//! - *ranges*: files of which only some bytes are there yet, as in a browser ([`Ranges`]),
//!   and what everybody needs of them, in one file ([`Pack`]).
//!
//! All of it asks for the disk in one place, which tests can watch ([`watch`]).
//!
//! Nothing is written in place: a file is written beside its name, synced and renamed; so is a folder. A damaged byte
//! gives an error that names the place, never a wrong answer.

#[cfg(feature = "solve")]
mod arrival;
mod blocks;
mod cache;
#[cfg(feature = "solve")]
mod check_file;
#[cfg(feature = "solve")]
mod checkpoint;
mod checks;
#[cfg(test)]
mod damage;
mod database;
#[cfg(feature = "solve")]
mod digest;
#[cfg(feature = "solve")]
mod disk;
#[cfg(feature = "solve")]
mod edition;
mod exceptions;
#[cfg(feature = "solve")]
mod files;
#[cfg(feature = "solve")]
mod folder;
#[cfg(feature = "solve")]
mod from_memory;
#[cfg(feature = "solve")]
mod handles;
#[cfg(feature = "solve")]
mod inventory;
mod keys;
mod keys_index;
mod manifest;
mod occurrence;
#[cfg(feature = "solve")]
mod opened;
mod pack;
mod plane;
mod ranges;
mod read_at;
#[cfg(feature = "solve")]
mod recorded;
mod sealed;
#[cfg(feature = "solve")]
mod solve_store;
mod summary;
#[cfg(test)]
mod tests;

#[cfg(feature = "solve")]
pub use arrival::Arrival;
pub use blocks::{BlockFile, Kind, MAX_BLOCK};
#[cfg(feature = "solve")]
pub use blocks::{BlockSummary, BlockWriter};
pub use cache::BlockCache;
#[cfg(feature = "solve")]
pub use checkpoint::Checkpoint;
pub use database::{Database, Kept};
#[cfg(feature = "solve")]
pub use database::InFolder;
#[cfg(feature = "solve")]
pub use digest::sha256_of;
#[cfg(feature = "solve")]
pub use disk::{Operation, Verdict, Watch, Watching, watch};
#[cfg(feature = "solve")]
pub use edition::Edition;
pub use exceptions::ExceptionsFile;
#[cfg(feature = "solve")]
pub use exceptions::write_exceptions;
#[cfg(feature = "solve")]
pub use files::folder_bytes;
#[cfg(feature = "solve")]
pub use folder::WorkFolder;
#[cfg(feature = "solve")]
pub use from_memory::from_memory;
#[cfg(feature = "solve")]
pub use inventory::{Holding, HoldingCheck, holding, holdings};
pub use keys::KeysFile;
#[cfg(feature = "solve")]
pub use keys::{KeysOptions, write_keys, write_keys_with};
pub use keys_index::KeysIndex;
pub use manifest::{ClassEntry, FileEntry, Manifest};
pub use occurrence::{Occurrence, ValueSet, occurs_file};
pub use pack::{Pack, Range};
pub use plane::PlaneFile;
#[cfg(feature = "solve")]
pub use plane::{PlaneOptions, PlaneSummary, PlaneWriter, write_plane, write_plane_indices, write_plane_with};
pub use ranges::{Ranges, Wanted};
pub use read_at::{Files, ReadAt};
#[cfg(feature = "solve")]
pub use recorded::{Record, RecordedFiles};
pub use summary::Summary;

/// The version of everything in this room. A file of another version is refused.
pub const FORMAT: u32 = 2;

/// The zstd level used unless another is asked for.
pub const LEVEL: i32 = 3;
