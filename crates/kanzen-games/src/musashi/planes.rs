//! From the logs of the rounds to a plane of distances.

use kanzen::Error;
use kanzen::solve::rounds::Numbers;
use kanzen::store::{PlaneOptions, RoundFile, WorkFolder, write_plane_indices};

use super::engine::CHUNK;
use super::layout::Layout;
use super::method::{log_path, palette, plane_name};

/// The zstd level: higher ones cost more time than the bytes they save are worth.
const LEVEL: i32 = 1;

/// Bytes of a page. A position with brown to move asks for the values of up to two hundred others, nearly all in
/// different pages. The planes of the smallest board are soon in the cache as a whole: it saves the time for pages.
fn page(layout: &Layout) -> u32 {
    if layout.bits() < 30 { 1 << layout.stored_bits() } else { 1 << 13 }
}

/// Whether a block of the database is written: of a set that is its own mirror image, half is enough.
pub fn is_stored(layout: &Layout, point: usize, block: u64) -> bool {
    !layout.is_middle(layout.stored()[point]) || block <= layout.flipped_stored_block(block)
}

/// Writes the plane of a point from the logs of so many rounds that won anything.
pub fn write(layout: &Layout, work: &WorkFolder, point: usize, rounds: usize) -> Result<(), Error> {
    let logs: Vec<RoundFile> = (0..rounds)
        .map(|round| RoundFile::open(&log_path(work, round, point), work.fingerprint()))
        .collect::<Result<_, _>>()?;
    let block_words = 1usize << (layout.block_bits() - 6);
    let all_blocks = 1usize << (layout.bits() - layout.block_bits());
    let chunk_blocks = CHUNK.min(all_blocks);
    let stored_words = 1usize << (layout.stored_bits() - 6);
    let stored_in_chunk = chunk_blocks * block_words / stored_words;
    let stored_blocks = |chunk: usize| {
        (0..stored_in_chunk).filter(move |at| is_stored(layout, point, (chunk * stored_in_chunk + at) as u64))
    };
    let sizes: Vec<u64> = (0..all_blocks / chunk_blocks).map(|chunk| stored_blocks(chunk).count() as u64).collect();
    let options = PlaneOptions { entries: 1 << layout.stored_bits(), page: page(layout), level: LEVEL };
    let path = work.file(&plane_name(point));
    write_plane_indices(&path, work.fingerprint(), &palette(rounds), options, &sizes, |chunk| {
        if sizes[chunk] == 0 {
            return Ok(Vec::new());
        }
        let mut numbers = Numbers::new(chunk_blocks * block_words);
        for (round, log) in logs.iter().enumerate().filter(|(_, log)| !log.is_empty(chunk as u64)) {
            log.read(chunk as u64, chunk_blocks, block_words, |block, new| {
                numbers.add((rounds - round) as u8, block * block_words, new);
            })?;
        }
        Ok(stored_blocks(chunk).map(|at| numbers.bytes(at * stored_words..(at + 1) * stored_words)).collect())
    })?;
    Ok(())
}
