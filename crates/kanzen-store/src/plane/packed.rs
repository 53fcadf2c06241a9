//! Planes whose blocks are packed by several processes and joined by one.

use std::path::Path;

use super::coder::Coder;
use super::{Head, PlaneFile, PlaneOptions};
use crate::blocks::pack_block;
use crate::occurrence::Noted;
use crate::vfs::VfsPath;
use crate::{BlockWriter, ValueSet};
use crate::{NextBlock, PackedPlane};
use kanzen_core::vocabulary::{Error, Value};

/// How planes are cut that several processes make.
fn head_of(plane: &PackedPlane<'_>) -> (Head, PlaneOptions) {
    let options = PlaneOptions { entries: plane.block as u32, ..PlaneOptions::default() };
    let head =
        Head { slots: plane.slots, entries: plane.block, page: options.page().into(), palette: plane.palette.to_vec() };
    (head, options)
}

/// Packs a block: which values occur in it, and its bytes as they will stand in the file. `path` is for errors.
pub fn pack_plane_block(
    path: &Path,
    plane: &PackedPlane<'_>,
    block: u64,
    value: &dyn Fn(u64) -> Value,
) -> Result<Vec<u8>, Error> {
    let (head, options) = head_of(plane);
    let coder = Coder::new(&head);
    let slots = plane.slots_of(block);
    let codes: Vec<i16> = slots.clone().map(|slot| value(slot).code()).collect();
    let (raw, set) = coder.encode_apart(path, slots.start, &codes)?;
    let mut packed = set.to_bytes().to_vec();
    packed.extend(pack_block(path, options.level, options.page() as usize, &raw)?);
    Ok(packed)
}

/// Joins packed blocks: the file is that of [`write_plane`](super::write_plane).
pub fn write_packed_plane(
    path: &VfsPath,
    fingerprint: u64,
    plane: &PackedPlane<'_>,
    next: &mut NextBlock<'_>,
) -> Result<(), Error> {
    let (head, options) = head_of(plane);
    let mut blocks =
        BlockWriter::create(path, PlaneFile::KIND, fingerprint)?.level(options.level).pages(options.page() as usize);
    let noted = Noted::new(head.palette.len());
    for block in 0..plane.blocks() {
        let packed = next(block)?;
        let damaged = || Error::damaged(path, format!("block {block}, from another process"));
        let (set, packed) = packed.split_first_chunk().ok_or_else(damaged)?;
        blocks.push_packed(packed)?;
        noted.note(block, ValueSet::from_bytes(*set));
    }
    blocks.push(&head.to_bytes())?;
    noted.write(path, fingerprint)?;
    blocks.finish().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_plane_with;

    #[test]
    fn packed_apart_and_joined_it_is_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let value = |slot: u64| match slot % 7 {
            0 => Value::DRAW,
            n if slot < 3000 => Value::win(n as u16),
            n => Value::loss((n + slot % 5) as u16),
        };
        for (slots, values) in [(0, 0), (1, 1), (4096, 17), (10_000, 17)] {
            let mut palette: Vec<Value> = (0..slots).map(value).collect();
            palette.sort();
            palette.dedup();
            assert_eq!(palette.len(), values, "{slots} slots");
            let plane = PackedPlane { slots, block: 1024, palette: &palette };
            let [joined, whole] = ["joined", "whole"].map(|name| VfsPath::from(folder.path()).join(name));
            let mut next = |block| pack_plane_block(&joined, &plane, block, &value);
            write_packed_plane(&joined, 7, &plane, &mut next).unwrap();
            let options = PlaneOptions { entries: 1024, ..PlaneOptions::default() };
            write_plane_with(&whole, 7, options, slots, value).unwrap();
            for end in ["", ".occurs"] {
                let read = |name: &str| std::fs::read(folder.path().join(format!("{name}{end}"))).ok();
                assert!(read("joined") == read("whole"), "{slots} slots, {end}");
            }
        }
    }
}
