use std::fs;

use proptest::prelude::*;

use super::*;
use crate::BlockCache;
use crate::damage::each_damage;
use kanzen_core::vocabulary::{Error, Tally};

fn values(most: u16) -> impl Strategy<Value = Vec<Value>> {
    let value = prop_oneof![
        (0..most).prop_map(Value::win),
        (0..most).prop_map(Value::loss),
        Just(Value::DRAW),
        Just(Value::UNTIMED_WIN),
        Just(Value::UNTIMED_LOSS)
    ];
    prop::collection::vec(value, 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_written_is_read(
        values in prop_oneof![values(9), values(Value::MAX_DISTANCE)],
        entries in 1u32..200,
        (from, to) in (0u64..600, 0u64..600),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let [path, second] = ["plane", "second"].map(|name| folder.path().join(name));
        let slots = values.len() as u64;
        let options = PlaneOptions { entries, page: 64, level: 1 };
        let summary = write_plane_with(&path, 7, options, slots, |slot| values[slot as usize]).unwrap();
        let mut tally = Tally::default();
        values.iter().for_each(|&value| tally.add(value, 1));
        prop_assert_eq!((summary.slots, &summary.tally), (slots, &tally));

        let plane = PlaneFile::open(&path, 7, &BlockCache::new(1000)).unwrap();
        prop_assert_eq!(plane.len(), slots);
        prop_assert_eq!(plane.tally().unwrap(), tally);
        for (slot, &value) in values.iter().enumerate() {
            prop_assert_eq!(plane.get(slot as u64).unwrap(), value);
        }
        for beyond in [slots, slots + 1, u64::MAX] {
            assert!(matches!(plane.get(beyond), Err(Error::OutOfRange { .. })));
        }
        let codes: Vec<i16> = values.iter().map(|value| value.code()).collect();
        prop_assert_eq!(&plane.read_all().unwrap(), &codes);
        let range = from.min(to)..from.max(to);
        match plane.read_range(range.clone()) {
            Ok(part) if range.is_empty() => prop_assert!(part.is_empty()),
            Ok(part) => prop_assert_eq!(&part, &codes[range.start as usize..range.end as usize]),
            Err(_) => prop_assert!(range.end > slots),
        }

        // The same values in pieces of any size, with the palette given, make the same file.
        let mut writer = PlaneWriter::create(&second, 7, &values, options).unwrap();
        for piece in values.chunks(1 + from as usize) {
            writer.push(piece).unwrap();
        }
        prop_assert_eq!(writer.finish().unwrap(), summary);
        prop_assert!(fs::read(&path).unwrap() == fs::read(&second).unwrap());
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plane");
    let mut files = Vec::new();
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let value_at = |slot: u64| Value::win((slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as u16 % 400);
        let summary = pool.install(|| write_plane(&path, 7, 1_000_003, value_at)).unwrap();
        files.push((summary, fs::read(&path).unwrap()));
    }
    assert!(files[0] == files[1]);
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_nothing() {
    for distances in [3, 300] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plane");
        let value_at = |slot: u64| Value::win((slot % distances) as u16);
        write_plane_with(&path, 7, PlaneOptions { entries: 128, page: 32, level: 3 }, 310, value_at).unwrap();
        each_damage(&path, |what| {
            let Ok(plane) = PlaneFile::open(&path, 7, &BlockCache::new(1 << 20)) else { return };
            assert_eq!(plane.len(), 310, "{what}");
            for slot in 0..310 {
                match plane.get(slot) {
                    Ok(value) => assert_eq!(value, value_at(slot), "{what}"),
                    Err(Error::Damaged { .. }) => {}
                    Err(other) => panic!("{what}: {other}"),
                }
            }
            assert!(plane.read_all().is_err() && plane.tally().is_err(), "{what}: noticed");
        });
    }
}

#[test]
fn a_value_that_the_palette_lacks_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plane");
    let mut writer = PlaneWriter::create(&path, 7, &[Value::DRAW], PlaneOptions::default()).unwrap();
    writer.push(&[Value::DRAW, Value::win(3)]).unwrap(); // not a whole block yet
    let refused = writer.finish().unwrap_err();
    assert!(matches!(refused, Error::NotInPalette { slot: 1, .. }), "{refused}");
    assert!(!path.exists());
}

#[test]
fn every_value_fits_in_one_palette() {
    let all: Vec<Value> = (i16::MIN..=i16::MAX).filter_map(Value::from_code).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plane");
    write_plane(&path, 7, all.len() as u64, |slot| all[slot as usize]).unwrap();
    let plane = PlaneFile::open(&path, 7, &BlockCache::new(0)).unwrap();
    assert_eq!(plane.palette(), all);
    assert_eq!(plane.read_map(0..plane.len(), Value::code).unwrap().len(), all.len());
}

#[test]
fn a_palette_too_large_for_a_byte_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.plane");
    let options = PlaneOptions { entries: 4, ..PlaneOptions::default() };
    let palette: Vec<Value> = (0..257).rev().map(Value::win).collect();
    let never = |_: usize| -> Result<Vec<Vec<u8>>, Error> { panic!("nothing is made for a palette that is refused") };
    let refused = write_plane_indices(&path, 7, &palette, options, &[1], never).unwrap_err();
    assert_eq!(refused.to_string(), "boards.plane would hold 257 different values, at most 256 fit");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    write_plane_indices(&path, 7, &palette[..256], options, &[1], |_| Ok(vec![vec![0, 1, 254, 255]])).unwrap();
    let plane = PlaneFile::open(&path, 7, &BlockCache::new(0)).unwrap();
    assert_eq!(plane.get(3).unwrap(), palette[255]);
}
