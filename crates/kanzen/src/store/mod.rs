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
//! - *folders*: one in work with its checkpoints ([`WorkFolder`]), which becomes a finished one ([`Database`]).
//!
//! All of it asks for the disk in one place, which tests can watch ([`watch`]).
//!
//! Nothing is written in place: a file is written beside its name, synced and renamed; so is a folder. A damaged byte
//! gives an error that names the place, never a wrong answer.

mod blocks;
mod cache;
mod check_file;
mod checkpoint;
mod checks;
#[cfg(test)]
mod damage;
mod database;
mod digest;
mod disk;
mod edition;
mod exceptions;
mod files;
mod folder;
mod handles;
mod inventory;
mod keys;
mod keys_index;
mod manifest;
mod occurrence;
mod plane;
mod read_at;
mod sealed;
mod solve_store;
mod summary;
#[cfg(test)]
mod tests;

pub use blocks::{BlockFile, BlockSummary, BlockWriter, Kind, MAX_BLOCK};
pub use cache::BlockCache;
pub use checkpoint::Checkpoint;
pub use database::Database;
pub use digest::sha256_of;
pub use disk::{Operation, Verdict, Watch, Watching, watch};
pub use edition::Edition;
pub use exceptions::{ExceptionsFile, write_exceptions};
pub use files::folder_bytes;
pub use folder::WorkFolder;
pub use inventory::{Holding, HoldingCheck, holding, holdings};
pub use keys::{KeysFile, KeysOptions, write_keys, write_keys_with};
pub use keys_index::KeysIndex;
pub use manifest::{ClassEntry, FileEntry, Manifest};
pub use occurrence::{Occurrence, ValueSet, occurs_file};
pub use plane::{
    PlaneFile, PlaneOptions, PlaneSummary, PlaneWriter, write_plane, write_plane_indices, write_plane_with,
};
pub use read_at::ReadAt;
pub use summary::Summary;

/// The version of everything in this room. A file of another version is refused.
pub const FORMAT: u32 = 2;

/// The zstd level used unless another is asked for.
pub const LEVEL: i32 = 3;
