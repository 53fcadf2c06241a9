//! What everybody needs of a database who reads it by ranges, in one small file: its manifest, the ends of its files, and
//! what the first position takes.
//!
//! A block file of its own kind, so that all of it is checked like the rest:
//!
//! ```text
//! block 0      the manifest
//! block 1..    a range each: offset, length of the name, name, bytes
//! ```

use std::path::Path;

use super::{BlockFile, Kind, Manifest};
use crate::vocabulary::Error;

/// The kind of its block file.
pub(super) const KIND: Kind = *b"pack";
/// The most that a pack holds, before compression.
const MOST_BYTES: usize = 8 << 20;

/// Some bytes of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The name of the file.
    pub file: String,
    /// Where they begin.
    pub from: u64,
    /// The bytes from there on.
    pub bytes: Vec<u8>,
}

impl Range {
    #[cfg(feature = "solve")]
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.from.to_le_bytes().to_vec();
        bytes.extend((self.file.len() as u16).to_le_bytes());
        bytes.extend(self.file.as_bytes());
        bytes.extend(&self.bytes);
        bytes
    }

    /// Nothing if the bytes are no range.
    fn from_bytes(bytes: &[u8]) -> Option<Range> {
        let (from, bytes) = bytes.split_first_chunk::<8>()?;
        let (name, bytes) = bytes.split_first_chunk::<2>()?;
        let (name, bytes) = bytes.split_at_checked(u16::from_le_bytes(*name).into())?;
        let file = std::str::from_utf8(name).ok()?.to_owned();
        Some(Range { file, from: u64::from_le_bytes(*from), bytes: bytes.to_vec() })
    }
}

/// A manifest and some ranges.
#[derive(Clone, PartialEq, Debug)]
pub struct Pack {
    /// What the database is.
    pub manifest: Manifest,
    /// What everybody needs of its files.
    pub ranges: Vec<Range>,
}

impl Pack {
    /// The name of its file, in the folder of the database.
    pub const FILE: &str = "open.pack";

    /// The pack that these bytes are, written for any rules, which its manifest names; `path` is what errors call it.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Pack, Error> {
        let fingerprint = super::blocks::fingerprint_of(&bytes).ok_or_else(|| Error::damaged(path, "the header"))?;
        let file = BlockFile::from_source(path, Box::new(bytes), Some(KIND), fingerprint)?;
        let manifest = Manifest::parse(path, &file.read_sized(0, 0..=MOST_BYTES)?)?;
        let mut room = MOST_BYTES;
        let mut ranges = Vec::new();
        for block in 1..file.blocks() {
            let bytes = file.read_sized(block, 0..=room)?;
            room -= bytes.len();
            ranges.push(Range::from_bytes(&bytes).ok_or_else(|| file.damaged(block))?);
        }
        Ok(Pack { manifest, ranges })
    }

    /// Writes a pack; `manifest` is the file of the database as it is.
    #[cfg(feature = "solve")]
    pub fn write(path: &Path, fingerprint: u64, manifest: &[u8], ranges: &[Range]) -> Result<u64, Error> {
        // Once written, it is read very often: it may take some time.
        let mut writer = super::BlockWriter::create(path, KIND, fingerprint)?.level(19);
        writer.push(manifest)?;
        ranges.iter().try_for_each(|range| writer.push(&range.to_bytes()))?;
        Ok(writer.finish()?.bytes)
    }
}
