//! Publishes a database as files for range requests: linked or cut into parts, and a pack of what every reader needs.
//!
//! The pack holds what every reader needs, found by opening the database and asking for the start.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::Entry;
use crate::store::{BlockFile, Manifest, Pack, Record, VfsPath};
use crate::vocabulary::Error;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Published {
    /// Files that were cut into parts, with their lengths.
    pub cut: Vec<(String, u64)>,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Writes the database of a game into another folder: its files as they are, hard links where the disk allows that, and
/// those of more than `split` bytes cut into parts, `NAME.000` and so on; and beside them the [pack](super::Fetched).
pub fn publish(entry: &Entry, data: &Path, to: &Path, split: Option<u64>) -> Result<Published, Error> {
    let from = data.join(&entry.info().id);
    let manifest = Manifest::read(&from)?;
    fs::create_dir_all(to).map_err(Error::io("create", to))?;
    let mut published = Published::default();
    let linked = |name: &str| link(&from.join(name), &to.join(name)).map_err(Error::io("write", &to.join(name)));
    linked(Manifest::FILE)?;
    for file in &manifest.files {
        published.bytes += file.bytes;
        match split.filter(|split| file.bytes > *split) {
            Some(split) => {
                let path = to.join(&file.name);
                cut_up(&from.join(&file.name), &path, split).map_err(Error::io("write the parts of", &path))?;
                published.cut.push((file.name.clone(), file.bytes));
            }
            None => linked(&file.name)?,
        }
    }
    published.bytes += write_pack(entry, data, &to.join(Pack::FILE))?;
    Ok(published)
}

/// The same file under another name, or a copy where the disk has no such thing.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
}

/// A file as `NAME.000`, `NAME.001`, ... of so many bytes each.
fn cut_up(from: &Path, to: &Path, split: u64) -> io::Result<()> {
    let mut file = File::open(from)?;
    let mut left = file.metadata()?.len();
    let mut number = 0;
    while left > 0 {
        let mut name = to.as_os_str().to_owned();
        name.push(format!(".{number:03}"));
        let mut part = File::create(Path::new(&name))?;
        let copied = io::copy(&mut (&mut file).take(split), &mut part)?;
        part.flush()?;
        left = if copied == 0 { 0 } else { left - copied };
        number += 1;
    }
    Ok(())
}

/// A database of at most so many bytes is packed as a whole.
const WHOLE: u64 = 48 << 10;
/// So many bytes of indexes of blocks are packed, those of the first files; an index that is not packed costs a look-up
/// one more round trip.
const INDEXES: u64 = 96 << 10;
/// A last block, which identifies a file, is packed if it has at most so many bytes.
const HEAD: u64 = 4 << 10;

/// If what the initial position and its moves take has more bytes than this, the pack holds their values instead.
const START: u64 = 128 << 10;

/// Writes the pack of a game's database to a file, and returns its size.
///
/// It holds the manifest, the ends of all files, small indexes, and what the initial position and its moves take.
pub fn write_pack(entry: &Entry, data: &Path, to: &Path) -> Result<u64, Error> {
    let folder = data.join(&entry.info().id);
    let manifest = Manifest::read(&folder)?;
    manifest.check(&folder, &entry.info().id, entry.fingerprint()?)?;
    let sealed = std::fs::read(folder.join(Manifest::FILE)).map_err(Error::io("read", &folder))?;
    let seen_by = |record: &Record| VfsPath::new(Arc::new(record.clone()), &folder);
    let open = |record: &Record| entry.open_files(&seen_by(record), manifest.clone());
    let bytes = |record: &Record| record.ranges().iter().map(|range| range.bytes.len() as u64).sum();
    let mut kept = Record::default();
    let solved = open(&kept)?;
    let before: u64 = bytes(&kept);
    let probe = solved.at(None)?.probe()?;
    let mut start = None;
    if bytes(&kept) - before > START {
        kept = Record::default();
        open(&kept)?;
        start = Some(serde_json::to_string(&probe).map_err(|wrong| Error::Rules(wrong.to_string()))?);
    }
    let whole = manifest.files.iter().map(|file| file.bytes).sum::<u64>() <= WHOLE;
    let mut room = INDEXES;
    for file in &manifest.files {
        let path = seen_by(&kept).join(&file.name);
        let blocks = BlockFile::from_source(&path, path.open()?, None, manifest.fingerprint)?;
        let last = blocks.blocks().saturating_sub(1);
        if whole || blocks.index_bytes() <= room {
            room = room.saturating_sub(blocks.index_bytes());
            blocks.checksum()?;
        }
        if blocks.packed_len(last)?.is_some_and(|bytes| bytes <= HEAD) {
            blocks.read(last)?;
        }
        if whole {
            (0..last).try_for_each(|block| blocks.read(block).map(|_| ()))?;
        }
    }
    Pack::write(to, manifest.fingerprint, &sealed, &kept.ranges(), start)
}
