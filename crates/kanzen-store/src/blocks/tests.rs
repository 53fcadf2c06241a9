use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::damage::each_damage;
use crate::{FORMAT, ReadAt, VfsPath};
use kanzen_core::vocabulary::Error;

const WORD: Kind = *b"word";

fn write(path: &Path, blocks: &[Vec<u8>]) -> BlockSummary {
    let mut writer = BlockWriter::create(path, WORD, 7).unwrap();
    writer.push_many(blocks.len() as u64, |block| Ok(blocks[block as usize].clone())).unwrap();
    writer.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_is_written_is_read(blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let summary = write(&path, &blocks);
        let file = BlockFile::open(&path, WORD, 7).unwrap();
        prop_assert_eq!((file.blocks(), file.bytes(), file.checksum().unwrap()), (summary.blocks, summary.bytes, summary.checksum));
        prop_assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
        for (number, block) in blocks.iter().enumerate() {
            prop_assert_eq!(&file.read(number as u64).unwrap(), block);
        }
        assert!(matches!(file.read(summary.blocks), Err(Error::OutOfRange { .. })));
        assert!(matches!(file.read(u64::MAX), Err(Error::OutOfRange { .. })));
    }
}

#[test]
fn one_by_one_and_in_parallel_give_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let blocks: Vec<Vec<u8>> = (0..100u32).map(|i| (0..i * 7).map(|j| (i * j % 11) as u8).collect()).collect();
    let [one, many] = ["one", "many"].map(|name| folder.path().join(name));
    let mut writer = BlockWriter::create(&one, WORD, 7).unwrap();
    blocks.iter().for_each(|block| writer.push(block).unwrap());
    let summary = writer.finish().unwrap();
    let threads = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
    for count in [1, 4] {
        assert_eq!(threads(count).install(|| write(&many, &blocks)), summary);
        assert!(fs::read(&one).unwrap() == fs::read(&many).unwrap());
    }
}

#[test]
fn pages_are_read_alone_and_a_file_does_not_depend_on_what_was_packed_before() {
    let folder = tempfile::tempdir().unwrap();
    let [one, again] = ["one", "again"].map(|name| folder.path().join(name));
    let mut luck = 1u64;
    let mut next = |below: u64| {
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (luck >> 33) % below
    };
    // From nearly constant to nearly random, some with long repeats.
    let blocks: Vec<Vec<u8>> = (0..60)
        .map(|i| {
            let (values, run) = (1 + i % 20 * i % 20, 1 + i % 7 * 40);
            let mut block = Vec::new();
            while block.len() < 1000 * (i % 9) as usize {
                block.extend(std::iter::repeat_n(next(values) as u8, 1 + next(run) as usize));
            }
            block
        })
        .collect();
    for (level, page) in [(1, 100), (1, 8192), (3, 4096), (3, 1 << 20)] {
        let write = |path: &Path, order: &mut dyn Iterator<Item = usize>| {
            let mut writer = BlockWriter::create(path, WORD, 7).unwrap().level(level).pages(page);
            order.for_each(|block| writer.push(&blocks[block]).unwrap());
            writer.finish().unwrap();
            BlockFile::open(path, WORD, 7).unwrap()
        };
        let ahead = write(&one, &mut (0..blocks.len()));
        let back = write(&again, &mut (0..blocks.len()).rev());
        for (number, block) in blocks.iter().enumerate() {
            let fresh: Vec<u8> =
                block.chunks(page).flat_map(|page| zstd::bulk::compress(page, level).unwrap()).collect();
            if !block.is_empty() {
                assert!(ahead.compressed(number as u64).unwrap().1 == fresh, "block {number} at level {level}");
                assert!(back.compressed((blocks.len() - 1 - number) as u64).unwrap().1 == fresh, "backwards");
            }
            assert!(ahead.read(number as u64).unwrap() == *block);
            for (at, bytes) in block.chunks(page).enumerate() {
                assert!(ahead.read_page(number as u64, at, page).unwrap() == bytes, "page {at} of block {number}");
            }
            assert!(ahead.read_page(number as u64, 1 + block.len() / page, page).is_err());
        }
    }
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let blocks = [b"complete".to_vec(), vec![], vec![5; 1000], (0..50).collect()];
    write(&path, &blocks);
    each_damage(&path, |what| {
        let Ok(file) = BlockFile::open(&path, WORD, 7) else { return };
        let mut damaged = 0;
        for (number, block) in blocks.iter().enumerate() {
            match file.read(number as u64) {
                Ok(read) => assert!(read == *block, "{what}: a wrong answer"),
                Err(Error::Damaged { place, .. }) => {
                    assert_eq!(place, format!("block {number}"), "{what}");
                    damaged += 1;
                }
                Err(other) => panic!("{what}: {other}"),
            }
        }
        assert_eq!(damaged, 1, "{what}: one block is damaged");
        assert!(file.verify().is_err());
    });
}

/// Reads every block of a file whose index is read when wanted: how many are damaged; a wrong answer fails.
fn damaged_blocks(bytes: Vec<u8>, blocks: &[Vec<u8>], what: &str) -> Option<usize> {
    let file = BlockFile::from_source(Path::new("file"), Box::new(bytes), Some(WORD), 7).ok()?;
    let damaged = (0..).zip(blocks).filter(|(number, block)| match file.read(*number) {
        Ok(read) => {
            assert!(read == **block, "{what}: a wrong answer");
            false
        }
        Err(Error::Damaged { place, .. }) => {
            assert!(place.contains("block") || place.starts_with("its end"), "{what}: {place}");
            true
        }
        // A file that was lengthened or cut and still has ends: fewer blocks.
        Err(Error::OutOfRange { .. }) => true,
        Err(other) => panic!("{what}: {other}"),
    });
    let damaged = damaged.count();
    assert!(file.verify().is_err(), "{what}: noticed when all is read");
    Some(damaged)
}

#[test]
fn a_flipped_byte_is_no_wrong_answer_where_the_index_is_read_when_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let blocks = [b"complete".to_vec(), vec![], vec![5; 1000], (0..50).collect()];
    write(&path, &blocks);
    each_damage(&path, |what| {
        damaged_blocks(fs::read(&path).unwrap(), &blocks, what);
    });
}

#[test]
fn a_damaged_entry_far_down_a_long_index_is_an_error_that_names_its_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let blocks: Vec<Vec<u8>> = (0..700u32).map(|i| vec![i as u8; 1 + i as usize % 5]).collect();
    write(&path, &blocks);
    let whole = fs::read(&path).unwrap();
    let index = whole.len() - FOOTER_LEN - blocks.len() * ENTRY_LEN;
    // Within a chunk, and on both sides of where two of them meet.
    for block in [0, 1, 254, 255, 256, 257, 511, 512, 699] {
        for byte in 0..ENTRY_LEN {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[index + block * ENTRY_LEN + byte] ^= flip;
                let what = format!("byte {byte} of entry {block} ^ {flip:02x}");
                let damaged = damaged_blocks(bytes.clone(), &blocks, &what);
                assert!(damaged.is_some_and(|damaged| damaged >= 1), "{what}");
                // Opened by itself, without a manifest, it is refused at once.
                fs::write(&path, bytes).unwrap();
                assert!(matches!(BlockFile::open(&path, WORD, 7), Err(Error::Damaged { .. })), "{what}");
            }
        }
    }
}

/// A file that counts what is read of it.
#[derive(Debug)]
struct Counted(Vec<u8>, std::sync::Arc<std::sync::atomic::AtomicU64>);

impl ReadAt for Counted {
    fn size(&self) -> std::io::Result<u64> {
        self.0.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, std::sync::atomic::Ordering::Relaxed);
        self.0.read_exact_at(buffer, offset)
    }
}

#[test]
fn opening_and_asking_read_little_of_a_file_with_very_many_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut writer = BlockWriter::create(&path, WORD, 7).unwrap();
    writer.push_many(100_000, |block| Ok(block.to_le_bytes().to_vec())).unwrap();
    writer.finish().unwrap();
    let read = std::sync::Arc::default();
    let source = Counted(fs::read(&path).unwrap(), std::sync::Arc::clone(&read));
    let so_far = || read.load(std::sync::atomic::Ordering::Relaxed);
    let file = BlockFile::from_source(&path, Box::new(source), Some(WORD), 7).unwrap();
    assert_eq!(so_far(), (HEADER_LEN + FOOTER_LEN) as u64, "an index of 2.4 MB is not read");
    for block in [0u64, 77_777, 99_999] {
        let before = so_far();
        assert_eq!(file.read(block).unwrap(), block.to_le_bytes());
        assert!(so_far() - before < 7_000, "block {block}: {} bytes", so_far() - before);
    }
    let before = so_far();
    assert_eq!(file.read(77_778).unwrap(), 77_778u64.to_le_bytes());
    assert!(so_far() - before < 100, "its entry is known");
}

#[test]
fn a_block_in_another_place_is_damaged() {
    // Equal lengths, so that only the salt in the checksum distinguishes the blocks.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&path, &[vec![1; 9], vec![2; 9]]);
    let mut bytes = fs::read(&path).unwrap();
    let index = bytes.len() - FOOTER_LEN - 2 * ENTRY_LEN;
    let length = (index - HEADER_LEN) / 2;
    assert_eq!(u32_at(&bytes, index + 8) as usize, length);
    // Swap the blocks, their checksums in the index, and mend the checksums above.
    let (first, second) = bytes[HEADER_LEN..index].split_at_mut(length);
    first.swap_with_slice(second);
    let (first, second) = bytes[index..index + 2 * ENTRY_LEN].split_at_mut(ENTRY_LEN);
    first[16..].swap_with_slice(&mut second[16..]);
    let footer_at = bytes.len() - FOOTER_LEN;
    let index_checksum = xxh3_64(&bytes[index..footer_at]);
    let footer = Footer { index_offset: index as u64, blocks: 2, index_checksum };
    bytes.splice(footer_at.., footer.to_bytes());
    fs::write(&path, bytes).unwrap();
    let file = BlockFile::open(&path, WORD, 7).unwrap();
    assert!(file.read(0).is_err() && file.read(1).is_err());
}

#[test]
fn a_length_from_the_file_is_not_believed() {
    // An index whose checksums are right but whose raw length is absurd.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&path, &[vec![1; 9]]);
    let mut bytes = fs::read(&path).unwrap();
    let index = bytes.len() - FOOTER_LEN - ENTRY_LEN;
    bytes[index + 12..index + 16].copy_from_slice(&u32::MAX.to_le_bytes());
    let footer_at = bytes.len() - FOOTER_LEN;
    let index_checksum = xxh3_64(&bytes[index..footer_at]);
    let footer = Footer { index_offset: index as u64, blocks: 1, index_checksum };
    bytes.splice(footer_at.., footer.to_bytes());
    fs::write(&path, bytes).unwrap();
    let by_its_ends = BlockFile::open_ends(&VfsPath::from(&path), Some(WORD), 7).unwrap().read(0).unwrap_err();
    for refused in [BlockFile::open(&path, WORD, 7).unwrap_err(), by_its_ends] {
        assert!(refused.to_string().contains("the entry of block 0"), "{refused}");
    }

    let mut writer = BlockWriter::create(&path, WORD, 7).unwrap();
    assert!(matches!(writer.push(&vec![0; MAX_BLOCK + 1]), Err(Error::TooLarge { .. })));
}

#[test]
fn another_kind_ruleset_or_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&path, &[vec![1]]);
    let kind = BlockFile::open(&path, *b"keys", 7).unwrap_err();
    assert!(kind.to_string().ends_with("holds `word`, not `keys`"), "{kind}");
    assert!(matches!(BlockFile::open(&path, WORD, 8), Err(Error::OtherRules { .. })));
    let mut bytes = fs::read(&path).unwrap();
    bytes.splice(..HEADER_LEN, Header { format: FORMAT + 1, kind: WORD, fingerprint: 7 }.to_bytes());
    fs::write(&path, bytes).unwrap();
    let refused = BlockFile::open(&path, WORD, 7).unwrap_err();
    assert!(matches!(refused, Error::OtherFormat { found, expected: FORMAT, .. } if found == FORMAT + 1));
    fs::remove_file(&path).unwrap();
    assert!(matches!(BlockFile::open(&path, WORD, 7), Err(Error::Missing { .. })));
}

#[test]
fn an_unfinished_file_leaves_nothing_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&path, &[b"old".to_vec()]);
    let mut writer = BlockWriter::create(&path, WORD, 7).unwrap();
    writer.push(b"new").unwrap();
    drop(writer);
    assert_eq!(BlockFile::open(&path, WORD, 7).unwrap().read(0).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::os::unix::fs::symlink("/dev/full", folder.path().join("file.tmp")).unwrap();
    let mut writer = BlockWriter::create(&path, WORD, 7).unwrap();
    writer.push(b"no room for this").unwrap();
    let full = writer.finish().unwrap_err().to_string();
    assert!(full.starts_with("cannot write") && full.contains("No space left"), "{full}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn blocks_made_in_groups_are_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let (one_by_one, grouped) = (folder.path().join("one"), folder.path().join("grouped"));
    let raw = |block: u64| vec![block as u8; 100 + block as usize];
    let mut writer = BlockWriter::create(&one_by_one, *b"test", 7).unwrap();
    writer.push_many(101, |block| Ok(raw(block))).unwrap();
    let summary = writer.finish().unwrap();
    let sizes: Vec<u64> = (0..50).map(|group| group % 5).chain([1]).collect();
    let before = |group: usize| sizes[..group].iter().sum::<u64>();
    let mut writer = BlockWriter::create(&grouped, *b"test", 7).unwrap();
    writer.push_groups(&sizes, |group| Ok((before(group)..before(group + 1)).map(raw).collect())).unwrap();
    assert_eq!(writer.finish().unwrap(), summary);
    assert_eq!(std::fs::read(one_by_one).unwrap(), std::fs::read(grouped).unwrap());
}
