//! Writing sorted keys.

use super::{Directory, KEYS, MAX_PER_BLOCK, coding};
use crate::vfs::VfsPath;
use crate::{BlockSummary, BlockWriter, LEVEL};
use kanzen_core::vocabulary::{Error, Key};

/// How keys are cut and compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeysOptions {
    /// Keys per block: a look-up decodes one block. Between 1 and 64 Ki.
    pub per_block: u32,
    /// The zstd level.
    pub level: i32,
}

impl KeysOptions {
    /// For keys that are packed in parts of so many: no block is longer than a part.
    pub(crate) fn of_blocks(keys: u64) -> KeysOptions {
        let options = KeysOptions::default();
        KeysOptions { per_block: keys.clamp(1, options.per_block.into()) as u32, ..options }
    }
}

impl Default for KeysOptions {
    fn default() -> KeysOptions {
        KeysOptions { per_block: 1 << 11, level: LEVEL }
    }
}

/// Writes strictly ascending keys; the file is the same for any number of threads.
///
/// ```
/// use kanzen_store::{BlockCache, KeysFile, write_keys};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("keys");
/// write_keys(&path, 7, &[2u64, 3, 5, 1 << 40])?;
///
/// let keys = KeysFile::<u64>::open(&path, 7, &BlockCache::new(1 << 20))?;
/// assert_eq!((keys.rank(5)?, keys.rank(4)?), (Some(2), None));
/// assert_eq!(keys.select(3)?, 1 << 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_keys<K: Key>(path: impl Into<VfsPath>, fingerprint: u64, keys: &[K]) -> Result<BlockSummary, Error> {
    write_keys_with(path, fingerprint, KeysOptions::default(), keys.len() as u64, |slot| keys[slot as usize])
}

/// As [`write_keys`], with options, and keys that come from a function of their slot.
pub fn write_keys_with<K: Key>(
    path: impl Into<VfsPath>,
    fingerprint: u64,
    options: KeysOptions,
    len: u64,
    key_at: impl Fn(u64) -> K + Sync,
) -> Result<BlockSummary, Error> {
    let fill = |first: u64, keys: &mut [u128]| {
        keys.iter_mut().zip(first..).for_each(|(key, slot)| *key = key_at(slot).wide());
    };
    write_wide_keys(&path.into(), fingerprint, options, size_of::<K>(), len, &fill)
}

/// As [`write_keys_with`], for keys of `width` bytes that `fill` writes from a slot on.
pub(crate) fn write_wide_keys(
    path: &VfsPath,
    fingerprint: u64,
    options: KeysOptions,
    width: usize,
    len: u64,
    fill: &(dyn Fn(u64, &mut [u128]) + Sync),
) -> Result<BlockSummary, Error> {
    let directory = Directory { len, per_block: u64::from(options.per_block).clamp(1, MAX_PER_BLOCK) };
    let mut blocks = BlockWriter::create(path, KEYS, fingerprint)?.level(options.level);
    blocks.push_many(directory.blocks(), |block| {
        let slots = directory.slots(block);
        // With the key before the first, if there is one: keys ascend from block to block as well.
        let before = slots.start.saturating_sub(1);
        let mut keys = vec![0; (slots.end - before) as usize];
        fill(before, &mut keys);
        if let Some(at) = keys.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error::NotAscending { path: path.to_path_buf(), slot: before + at as u64 + 1 });
        }
        Ok(coding::encode(keys[(slots.start - before) as usize..].iter().copied()))
    })?;
    let firsts = (0..directory.blocks()).map(|block| {
        let mut first = [0];
        fill(block * directory.per_block, &mut first);
        first[0]
    });
    blocks.push(&directory.to_bytes(width, firsts))?;
    blocks.finish()
}

impl Directory {
    pub(super) fn to_bytes(self, width: usize, firsts: impl Iterator<Item = u128>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.len, self.per_block, width as u64] {
            bytes.extend(number.to_le_bytes());
        }
        firsts.for_each(|first| coding::put_key(&mut bytes, first, width));
        bytes
    }
}
