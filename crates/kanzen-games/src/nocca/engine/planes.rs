//! From the logs of the rounds to the database: a plane of distances for each array.
//!
//! A slot is a bit of the array. Its value is that of the player who wins: `win(d)` in the plane of wins is won in `d`
//! by the side to move, in the plane of losses lost in `d`; a draw stands for neither, and for bits that are nobody's.

use kanzen::solve::rounds::Numbers;
use kanzen::store::{PlaneOptions, RoundFile, WorkFolder, write_plane_indices};
use kanzen::{Error, Value};

use super::layout::{Array, Layout};
use super::rounds::{BLOCK, CHUNK, array_of, log_name, padded};

/// The zstd level: higher ones cost more time than the bytes they save are worth.
const LEVEL: i32 = 3;

/// The file of an array's plane.
pub fn plane_name(array: Array) -> &'static str {
    match array {
        Array::Losses => "losses.plane",
        Array::Wins => "wins.plane",
    }
}

/// The distances of an array below `rounds`, longest first.
pub fn distances(array: Array, rounds: usize) -> Vec<usize> {
    (0..rounds).rev().filter(|&distance| array_of(distance) == array).collect()
}

/// Writes the plane of an array from the logs of so many rounds.
pub fn write(layout: &Layout, array: Array, work: &WorkFolder, rounds: usize) -> Result<(), Error> {
    let distances = distances(array, rounds);
    let open = |&distance: &usize| RoundFile::open(&work.file(&log_name(distance)), work.fingerprint());
    let logs: Vec<RoundFile> = distances.iter().map(open).collect::<Result<_, _>>()?;
    let values = distances.iter().map(|&distance| Value::win(distance as u16));
    let palette: Vec<Value> = [Value::DRAW].into_iter().chain(values).collect();
    let blocks = padded(layout.words(array)) / BLOCK;
    let sizes: Vec<u64> = (0..blocks).step_by(CHUNK).map(|first| CHUNK.min(blocks - first) as u64).collect();
    let options = PlaneOptions { entries: 64 * BLOCK as u32, level: LEVEL, ..PlaneOptions::default() };
    let path = work.file(plane_name(array));
    write_plane_indices(&path, work.fingerprint(), &palette, options, &sizes, |chunk| {
        let blocks = sizes[chunk] as usize;
        let mut numbers = Numbers::new(blocks * BLOCK);
        for (index, log) in logs.iter().enumerate().filter(|(_, log)| !log.is_empty(chunk as u64)) {
            log.read(chunk as u64, blocks, BLOCK, |block, new| numbers.add(1 + index as u8, block * BLOCK, new))?;
        }
        Ok((0..blocks).map(|block| numbers.bytes(block * BLOCK..(block + 1) * BLOCK)).collect())
    })?;
    Ok(())
}
