//! Every checksum of a file, at the speed of the disk: its bytes are read once, in order, and nothing is unpacked.

use rayon::prelude::*;

use super::digest::FileDigest;
use super::vfs::VfsPath;
use super::{BlockFile, FileEntry};
use kanzen_core::vocabulary::Error;

/// Blocks that are read together for each thread: while some are hashed, the next ones are fetched.
const BATCH: u64 = 8;
/// Bytes of header, index and footer that are read at a time.
const PIECE: u64 = 1 << 20;

/// Checks a block file of these rules against its own checksums and, where there is one, against its line in a manifest.
pub(super) fn check_file(path: &VfsPath, fingerprint: u64, entry: Option<&FileEntry>) -> Result<(), Error> {
    // Header and footer are checked as it is opened, the index as its checksum is asked for.
    let file = BlockFile::open_ends(path, None, fingerprint)?;
    let found = (file.bytes(), file.checksum()?);
    if entry.is_some_and(|entry| {
        (entry.bytes, entry.checksum) != found || entry.ends.is_some_and(|ends| ends != file.ends())
    }) {
        return Err(Error::damaged(path, "its checksum: it is not the file that the manifest lists"));
    }
    let expected = entry.and_then(|entry| entry.sha256.as_deref());
    let mut digest = expected.map(|_| FileDigest::default());
    let ends = path.open()?;
    let raw = |range: std::ops::Range<u64>, digest: &mut Option<FileDigest>| -> Result<(), Error> {
        let Some(digest) = digest else { return Ok(()) };
        let mut from = range.start;
        while from < range.end {
            let mut piece = vec![0; PIECE.min(range.end - from) as usize];
            ends.read_exact_at(&mut piece, from).map_err(Error::io("read", path))?;
            digest.update(&piece);
            from += piece.len() as u64;
        }
        Ok(())
    };
    let header = BlockFile::HEADER_BYTES;
    raw(0..header, &mut digest)?;
    let after_blocks = check_blocks(&file, header, &mut digest)?;
    raw(after_blocks..file.bytes(), &mut digest)?;
    match (digest.map(FileDigest::finish), expected) {
        (Some(found), Some(expected)) if found != expected => {
            Err(Error::damaged(path, "its SHA-256: its checksums fit, but it is not the file that was written"))
        }
        _ => Ok(()),
    }
}

/// Checks all blocks, which begin at an offset, adds their bytes to a digest, and returns where they end.
fn check_blocks(file: &BlockFile, start: u64, digest: &mut Option<FileDigest>) -> Result<u64, Error> {
    let batch = BATCH * rayon::current_num_threads() as u64;
    type Blocks = Vec<(u64, Vec<u8>)>;
    let fetch = |from: u64| -> Result<Blocks, Error> {
        let blocks = from..file.blocks().min(from.saturating_add(batch));
        // The first that is damaged is named, whichever thread comes across one first.
        let read: Vec<Result<(u64, Vec<u8>), Error>> = blocks.into_par_iter().map(|block| file.packed(block)).collect();
        read.into_iter().collect()
    };
    let mut end = start;
    let mut ready: Blocks = Vec::new();
    let mut from = 0;
    while from < file.blocks() || !ready.is_empty() {
        let hash = || digest.as_mut().map(|digest| ready.iter().for_each(|(_, block)| digest.update(block)));
        let (next, _) = rayon::join(|| fetch(from), hash);
        ready = next?;
        for (offset, block) in &ready {
            if *offset != end {
                return Err(Error::damaged(file.path(), "the index: its blocks do not follow each other"));
            }
            end += block.len() as u64;
        }
        from = from.saturating_add(batch);
    }
    Ok(end)
}
