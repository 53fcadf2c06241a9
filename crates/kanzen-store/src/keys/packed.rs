//! Sorted keys that several processes pack: each its part, joined into one file.

use std::path::Path;

use super::{Directory, KEYS, KeysOptions, coding};
use crate::BlockWriter;
use crate::blocks::{MAX_BLOCK, pack_block};
use crate::vfs::VfsPath;
use crate::{NextBlock, PACKED_KEYS};
use kanzen_core::vocabulary::Error;

/// Packs ascending keys from a place on for [`write_packed_keys`]: for each block its first key, and its bytes as they will
/// stand in the file. `path` is for errors.
pub(crate) fn pack_wide_keys(path: &Path, options: KeysOptions, first: u64, keys: &[u128]) -> Result<Vec<u8>, Error> {
    if let Some(at) = keys.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(Error::NotAscending { path: path.to_owned(), slot: first + at as u64 + 1 });
    }
    let mut packed = Vec::new();
    for keys in keys.chunks(options.per_block as usize) {
        let block = pack_block(path, options.level, MAX_BLOCK, &coding::encode(keys.iter().copied()))?;
        packed.extend(keys[0].to_le_bytes());
        packed.extend((block.len() as u32).to_le_bytes());
        packed.extend(block);
    }
    Ok(packed)
}

/// Joins keys that were packed by [`PACKED_KEYS`] at a time: the file is that of [`write_wide_keys`].
pub(crate) fn write_packed_keys(
    path: &VfsPath,
    fingerprint: u64,
    options: KeysOptions,
    width: usize,
    len: u64,
    next: &mut NextBlock<'_>,
) -> Result<(), Error> {
    let directory = Directory { len, per_block: u64::from(options.per_block) };
    let mut blocks = BlockWriter::create(path, KEYS, fingerprint)?.level(options.level);
    let mut firsts: Vec<u128> = Vec::new();
    for part in 0..len.div_ceil(PACKED_KEYS) {
        let damaged = || Error::damaged(path, format!("keys from {}, from another process", part * PACKED_KEYS));
        let packed = next(part)?;
        let mut rest = &packed[..];
        while !rest.is_empty() {
            let (first, others) = rest.split_first_chunk().ok_or_else(damaged)?;
            let (length, others) = others.split_first_chunk().ok_or_else(damaged)?;
            let (block, others) = others.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
            firsts.push(u128::from_le_bytes(*first));
            blocks.push_packed(block)?;
            rest = others;
        }
    }
    if firsts.len() as u64 != directory.blocks() || !firsts.is_sorted_by(|a, b| a < b) {
        return Err(Error::damaged(path, "its keys, from other processes"));
    }
    blocks.push(&directory.to_bytes(width, firsts.into_iter()))?;
    blocks.finish().map(|_| ())
}
