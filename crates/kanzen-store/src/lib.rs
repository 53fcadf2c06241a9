//! Values on the disk.
//!
//! The store knows nothing of games. It keeps
//!
//! - *blocks* of bytes, compressed, each with a checksum ([`BlockWriter`], [`BlockFile`]);
//! - *planes*, one small value per slot ([`write_plane`], [`PlaneWriter`], [`PlaneFile`]);
//! - sorted *keys*, found by number and numbered by key ([`write_keys`], [`KeysFile`]);
//! - *values with exceptions*, a byte a slot and for some another that holds in one case ([`ExceptionsFile`]);
//! - *occurrences*, which values there are in which block, so that a search can skip the others ([`Occurrence`]);
//! - a *manifest* with the identity of a database and its files ([`Manifest`]);
//! - *folders*: one in work with its checkpoints ([`WorkFolder`]), which becomes a finished one ([`Database`]);
//!   one that comes from elsewhere ([`Import`]);
//! - *ranges*: files of which only some bytes are there yet, as in a browser ([`Ranges`]),
//!   and what every reader needs of them, in one file ([`Pack`]).
//!
//! All of it goes through one small file-system trait, [`Vfs`]: the disk, memory, or one that fails on purpose, for tests.
//!
//! Nothing is written in place: a file is written beside its name, synced and renamed; so is a folder. A damaged byte
//! gives an error that names the place, never a wrong answer.

mod blocks;
mod cache;
mod check_file;
mod checks;
#[cfg(test)]
mod damage;
mod database;
mod digest;
mod edition;
mod exceptions;
mod folder;
mod from_memory;
mod handles;
mod import;
mod inventory;
mod keys;
mod keys_index;
mod manifest;
mod occurrence;
mod opened;
mod pack;
mod plane;
mod platform;
mod ranges;
mod read_at;
mod recorded;
mod sealed;
mod solution;
mod sources;
mod summary;
#[cfg(test)]
mod tests;
mod vfs;

pub use blocks::{BlockFile, Kind, MAX_BLOCK};
pub use blocks::{BlockSummary, BlockWriter};
pub use cache::BlockCache;
pub use database::{Database, Kept};
pub use digest::sha256_of;
pub use edition::Edition;
pub use exceptions::ExceptionsFile;
pub use exceptions::write_exceptions;
pub use folder::{Checkpoint, WorkFolder};
pub use from_memory::from_memory;
pub use import::Import;
pub use inventory::{Holding, HoldingCheck, holding, holdings};
pub use keys::KeysFile;
pub use keys::{KeysOptions, write_keys, write_keys_with};
pub use keys_index::KeysIndex;
pub use manifest::{ClassEntry, FileEntry, Manifest};
pub use occurrence::{Occurrence, ValueSet, occurs_file};
pub use pack::{Pack, Range};
pub use plane::PlaneFile;
pub use plane::{PlaneOptions, PlaneSummary, PlaneWriter, write_plane, write_plane_indices, write_plane_with};
pub use ranges::{Ranges, Wanted};
pub use read_at::ReadAt;
pub use recorded::Record;
pub use solution::{Counting, Solution, SolvedClass};
pub use sources::{
    AddChunks, AscendingKeys, Exception, FillCodes, FillExceptions, IndexedPlane, LogParts, MakeChunk, NextBlock,
    PACKED_KEYS, PackedPlane, ReadChunk, SolvedGame, StepsDone, VisitKeys, VisitState,
};
pub use summary::Summary;
pub use vfs::{Disk, Faulting, FileKind, Lock, Memory, Metadata, NewFile, Operation, Verdict, Vfs, VfsPath};

/// The version of everything in this room. A file of another version is refused.
pub const FORMAT: u32 = 2;

/// The zstd level used unless another is asked for.
pub const LEVEL: i32 = 3;

/// The file of a class's values.
pub fn plane_file(class: usize) -> String {
    format!("class-{class}.plane")
}

/// The file of a class's keys.
pub fn keys_file(class: usize) -> String {
    format!("class-{class}.keys")
}

/// The setting that holds the game's numbers of the listed classes.
pub const CLASSES: &str = "classes";
