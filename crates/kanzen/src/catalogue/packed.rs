//! The pack of a database: what everybody needs who reads it by ranges, found by opening it and asking for the start.

use std::path::Path;
use std::sync::Arc;

use super::Entry;
use crate::store::{BlockFile, InFolder, Manifest, Pack, RecordedFiles};
use crate::vocabulary::Error;

/// A database of at most so many bytes is packed as a whole.
const WHOLE: u64 = 48 << 10;
/// So many bytes of indexes of blocks are packed, those of the first files; an index that is not packed costs a look-up
/// one more round trip.
const INDEXES: u64 = 96 << 10;
/// A last block, which says what a file is, is packed if it has at most so many bytes.
const HEAD: u64 = 4 << 10;

/// If what the initial position and its moves take has more bytes than this, the pack holds their values instead.
const START: u64 = 128 << 10;

/// Writes the pack of a game's database to a file, and tells its size.
///
/// It holds the manifest, the ends of all files, small indexes, and what the initial position and its moves take.
pub fn write_pack(entry: &dyn Entry, data: &Path, to: &Path) -> Result<u64, Error> {
    let folder = data.join(&entry.info().id);
    let manifest = Manifest::read(&folder)?;
    let sealed = std::fs::read(folder.join(Manifest::FILE)).map_err(Error::io("read", &folder))?;
    let files = || Arc::new(RecordedFiles::new(Box::new(InFolder(folder.clone()))));
    let open = |files: &Arc<RecordedFiles>| entry.open_files(&folder, manifest.clone(), Box::new(files.clone()));
    let bytes = |files: &RecordedFiles| files.record().ranges().iter().map(|range| range.bytes.len() as u64).sum();
    let mut kept = files();
    let solved = open(&kept)?;
    let before: u64 = bytes(&kept);
    let probe = solved.at(None)?.probe()?;
    let mut start = None;
    if bytes(&kept) - before > START {
        kept = files();
        open(&kept)?;
        start = Some(serde_json::to_string(&probe).map_err(|wrong| Error::Rules(wrong.to_string()))?);
    }
    let whole = manifest.files.iter().map(|file| file.bytes).sum::<u64>() <= WHOLE;
    let mut room = INDEXES;
    for file in &manifest.files {
        let source = crate::store::Files::open(&*kept, &file.name)?;
        let blocks = BlockFile::from_source(&folder.join(&file.name), source, None, manifest.fingerprint)?;
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
    Pack::write(to, manifest.fingerprint, &sealed, &kept.record().ranges(), start)
}
