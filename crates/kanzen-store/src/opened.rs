//! Files opened by their path.

use std::sync::Arc;

use super::exceptions;
use super::vfs::VfsPath;
use super::{BlockCache, BlockFile, ExceptionsFile, KeysFile, Kind, PlaneFile};
use kanzen_core::vocabulary::{Error, Key};

impl BlockFile {
    /// Opens a file of this kind, written for the rules with this fingerprint. Header, index and footer are checked
    /// here, each block when it is read.
    pub fn open(path: impl Into<VfsPath>, kind: Kind, fingerprint: u64) -> Result<BlockFile, Error> {
        let file = BlockFile::open_ends(&path.into(), Some(kind), fingerprint)?;
        file.checksum()?;
        Ok(file)
    }

    /// Opens a file of this kind, or of any, and checks header and footer only: for those who know the checksum of
    /// these [`ends`](BlockFile::ends), or ask for that of the whole [file](BlockFile::checksum).
    pub(crate) fn open_ends(path: &VfsPath, kind: Option<Kind>, fingerprint: u64) -> Result<BlockFile, Error> {
        BlockFile::from_source(path, path.open()?, kind, fingerprint)
    }
}

impl PlaneFile {
    /// Opens a plane written for the rules with this fingerprint; its blocks go through `cache`.
    pub fn open(path: impl Into<VfsPath>, fingerprint: u64, cache: &Arc<BlockCache>) -> Result<PlaneFile, Error> {
        PlaneFile::from_blocks(BlockFile::open(path, PlaneFile::KIND, fingerprint)?, cache)
    }
}

impl<K: Key> KeysFile<K> {
    /// Opens keys written for the rules with this fingerprint; their blocks go through `cache`.
    pub fn open(path: impl Into<VfsPath>, fingerprint: u64, cache: &Arc<BlockCache>) -> Result<KeysFile<K>, Error> {
        KeysFile::from_blocks(BlockFile::open(path, KeysFile::<K>::KIND, fingerprint)?, cache)
    }
}

impl ExceptionsFile {
    /// Opens a file of so many slots, written for the rules with this fingerprint.
    pub fn open(
        path: impl Into<VfsPath>,
        fingerprint: u64,
        slots: u32,
        cache: &Arc<BlockCache>,
    ) -> Result<ExceptionsFile, Error> {
        ExceptionsFile::new(BlockFile::open(path, exceptions::KIND, fingerprint)?, slots, cache)
    }
}
