use kanzen_core::vocabulary::Error;
use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;

use super::*;
use crate::PACKED_KEYS;
use crate::damage::each_damage;

fn round_trip<K: Key>(set: &BTreeSet<u128>, per_block: u32) {
    let keys: Vec<K> = set.iter().map(|&key| K::from_wide(key)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let options = KeysOptions { per_block, level: 1 };
    write_keys_with(&path, 7, options, keys.len() as u64, |slot| keys[slot as usize]).unwrap();
    let file = KeysFile::<K>::open(&path, 7, &BlockCache::new(10_000)).unwrap();
    assert_eq!((file.len(), file.is_empty()), (keys.len() as u64, keys.is_empty()));
    let mut visited = Vec::new();
    file.visit_all(&mut |stretch| {
        visited.extend(stretch.iter().map(|key| K::from_wide(*key)));
        Ok(())
    })
    .unwrap();
    assert_eq!(visited, keys);
    for (slot, &key) in keys.iter().enumerate() {
        assert_eq!(file.rank(key).unwrap(), Some(slot as u64));
        assert_eq!(file.select(slot as u64).unwrap(), key);
        for near in [key.wide().wrapping_sub(1), key.wide().wrapping_add(1)].map(K::from_wide) {
            assert_eq!(file.rank(near).unwrap(), keys.binary_search(&near).ok().map(|slot| slot as u64));
        }
    }
    for beyond in [keys.len() as u64, u64::MAX] {
        assert!(matches!(file.select(beyond), Err(Error::OutOfRange { .. })));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn narrow_keys(keys in prop::collection::btree_set(any::<u32>().prop_map(u128::from), 0..300), per_block in 1u32..100) {
        round_trip::<u32>(&keys, per_block);
    }

    #[test]
    fn long_keys(keys in prop::collection::btree_set(any::<u64>().prop_map(u128::from), 0..300), per_block in 1u32..100) {
        round_trip::<u64>(&keys, per_block);
    }

    #[test]
    fn wide_keys(keys in prop::collection::btree_set(any::<u128>(), 0..300), per_block in 1u32..100) {
        round_trip::<u128>(&keys, per_block);
    }

    #[test]
    fn dense_keys(start in 0..u128::from(u32::MAX) - 500, len in 0u128..500, per_block in 1u32..100) {
        round_trip::<u32>(&(start..start + len).collect(), per_block);
    }
}

#[test]
fn the_ends_of_the_range_are_keys_too() {
    round_trip::<u32>(&BTreeSet::from([0, u128::from(u32::MAX)]), 10);
    round_trip::<u64>(&BTreeSet::from([0, u128::from(u64::MAX)]), 10);
    round_trip::<u128>(&BTreeSet::from([0, 1, u128::MAX - 1, u128::MAX]), 10);
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let keys: Vec<u64> = (0..200).map(|i| i * i * i).collect();
    write_keys_with(&path, 7, KeysOptions { per_block: 64, level: 3 }, 200, |slot| keys[slot as usize]).unwrap();
    each_damage(&path, |what| {
        let Ok(file) = KeysFile::<u64>::open(&path, 7, &BlockCache::new(1 << 20)) else { return };
        for (slot, &key) in keys.iter().enumerate() {
            match file.rank(key) {
                Ok(rank) => assert_eq!(rank, Some(slot as u64), "{what}"),
                Err(Error::Damaged { .. }) => {}
                Err(other) => panic!("{what}: {other}"),
            }
            match file.select(slot as u64) {
                Ok(selected) => assert_eq!(selected, key, "{what}"),
                Err(Error::Damaged { .. }) => {}
                Err(other) => panic!("{what}: {other}"),
            }
        }
        assert!(file.visit_all(&mut |_| Ok(())).is_err(), "{what}: noticed");
    });
}

#[test]
fn keys_that_do_not_ascend_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    for keys in [[1u32, 2, 2], [1, 3, 2]] {
        let refused = write_keys(&path, 7, &keys).unwrap_err();
        assert!(matches!(refused, Error::NotAscending { slot: 2, .. }), "{refused}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn keys_of_another_width_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    write_keys(&path, 7, &[1u32, 2, 3]).unwrap();
    assert!(KeysFile::<u64>::open(&path, 7, &BlockCache::new(0)).is_err());
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let files = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let key_at = |slot: u64| slot * 1000 + (slot * 7919) % 1000;
        let summary = pool.install(|| write_keys_with(&path, 7, KeysOptions::default(), 200_000, key_at)).unwrap();
        (summary, fs::read(&path).unwrap())
    });
    assert!(files[0] == files[1]);
}

#[test]
fn keys_packed_apart_and_joined_are_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    for len in [0u64, 1, 2048, PACKED_KEYS, 3 * PACKED_KEYS - 5] {
        let key = |slot: u64| u128::from(slot * 7 + slot % 5);
        let (joined, whole) = (folder.path().join("joined"), folder.path().join("whole"));
        let mut next = |part: u64| {
            let slots = part * PACKED_KEYS..len.min((part + 1) * PACKED_KEYS);
            let keys: Vec<u128> = slots.clone().map(key).collect();
            pack_wide_keys(&joined, KeysOptions::default(), slots.start, &keys)
        };
        write_packed_keys(&crate::VfsPath::from(&joined), 7, KeysOptions::default(), 8, len, &mut next).unwrap();
        write_keys_with(&whole, 7, KeysOptions::default(), len, |slot| key(slot) as u64).unwrap();
        assert!(std::fs::read(&joined).unwrap() == std::fs::read(&whole).unwrap(), "{len} keys");
    }
}
