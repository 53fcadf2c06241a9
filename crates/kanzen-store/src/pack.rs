//! What every reader of a database by ranges needs, in one small file: its manifest, the ends of its files, and
//! what the first position takes.
//!
//! A block file of its own kind, so that all of it is checked like the rest:
//!
//! ```text
//! block 0      the manifest
//! block 1..    a range each: offset, length of the name, name, bytes
//!              without a name: what is known of the initial position, as JSON
//! ```

use std::path::Path;

use super::{BlockFile, Kind, Manifest};
use kanzen_core::vocabulary::Error;

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
    /// What every reader needs of its files.
    pub ranges: Vec<Range>,
    /// What is known of the initial position, as JSON, where looking it up would take too many bytes.
    pub start: Option<String>,
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
        let (mut ranges, mut start) = (Vec::new(), None);
        for block in 1..file.blocks() {
            let bytes = file.read_sized(block, 0..=room)?;
            room -= bytes.len();
            let range = Range::from_bytes(&bytes).ok_or_else(|| file.damaged(block))?;
            if range.file.is_empty() {
                start = Some(String::from_utf8(range.bytes).map_err(|_| file.damaged(block))?);
            } else {
                ranges.push(range);
            }
        }
        Ok(Pack { manifest, ranges, start })
    }

    /// Writes a pack; `manifest` is the file of the database as it is, `start` what is known of the initial position.
    pub fn write(
        path: &Path,
        fingerprint: u64,
        manifest: &[u8],
        ranges: &[Range],
        start: Option<String>,
    ) -> Result<u64, Error> {
        // Once written, it is read very often: it may take some time.
        let mut writer = super::BlockWriter::create(path, KIND, fingerprint)?.level(19);
        writer.push(manifest)?;
        let start = start.map(|json| Range { file: String::new(), from: 0, bytes: json.into_bytes() });
        ranges.iter().chain(&start).try_for_each(|range| writer.push(&range.to_bytes()))?;
        Ok(writer.finish()?.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_has_its_ranges_and_what_is_known_of_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Pack::FILE);
        let manifest = Manifest::new("stones", 7);
        manifest.write(folder.path()).unwrap();
        let sealed = std::fs::read(folder.path().join(Manifest::FILE)).unwrap();
        let ranges = [Range { file: "values.plane".into(), from: 12, bytes: vec![1, 2, 3] }];
        for start in [None, Some("{\"value\":\"win\"}".to_owned())] {
            Pack::write(&path, 7, &sealed, &ranges, start.clone()).unwrap();
            let pack = Pack::parse(&path, std::fs::read(&path).unwrap()).unwrap();
            assert_eq!((pack.ranges, pack.start), (ranges.to_vec(), start));
        }
    }
}
