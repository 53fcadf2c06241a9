//! The manifest, the folders and the checkpoints.

use kanzen_core::vocabulary::Error;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::damage::each_damage;
use super::*;
use kanzen_core::vocabulary::{Tally, Value};

const GAME: &str = "stones";
const RULES: u64 = 0xfeed;

fn work(data: &Path) -> WorkFolder {
    WorkFolder::open_or_create(data, GAME, RULES).unwrap()
}

fn listing(folder: &Path) -> Vec<String> {
    VfsPath::from(folder).list().unwrap()
}

/// Writes two small files and the manifest that lists them.
fn small_database(work: &WorkFolder) -> Manifest {
    let plane = write_plane(work.file("plane"), RULES, 5, |slot| Value::loss(slot as u16)).unwrap();
    let keys = write_keys(work.file("keys"), RULES, &[2u64, 3, 5, 7, 11]).unwrap();
    let mut manifest = Manifest::new(GAME, RULES);
    manifest.settings.insert("engine".into(), json!({"zeta": 1.1, "alpha": [true, null]}));
    let label = json!({"white": 5, "black": 4}).as_object().unwrap().clone();
    manifest.classes.push(ClassEntry { label, slots: 5, tally: plane.tally });
    manifest.files = vec![FileEntry::new("plane", &plane.file), FileEntry::new("keys", &keys)];
    manifest
}

#[test]
fn a_finished_folder_is_a_database_and_nothing_else() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    work.put("levels", b"61").unwrap();
    let manifest = small_database(&work);
    let database = work.finish(&manifest).unwrap();
    assert_eq!(listing(data.path()), [GAME]);
    assert_eq!(listing(&data.path().join(GAME)), ["keys", "manifest.json", "plane"]);
    assert_eq!(database.manifest(), &manifest);
    assert_eq!(database.plane("plane").unwrap().get(3).unwrap(), Value::loss(3));
    assert_eq!(database.keys::<u64>("keys").unwrap().rank(7).unwrap(), Some(3));
    assert_eq!(database.manifest().census().total().positions(), 5);
    let again = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
    assert!(matches!(again, Error::AlreadySolved { .. }), "{again}");
    assert_eq!(listing(data.path()), [GAME]);
}

#[test]
fn two_solves_write_the_same_manifest() {
    let written = [1, 2].map(|_| {
        let data = tempfile::tempdir().unwrap();
        let work = work(data.path());
        let manifest = small_database(&work);
        fs::read(&*work.finish(&manifest).unwrap().path("manifest.json")).unwrap()
    });
    assert!(written[0] == written[1]);
}

#[test]
fn an_unfinished_folder_is_not_solved() {
    let data = tempfile::tempdir().unwrap();
    let unsolved = |what: &str| {
        let refused = Database::open(data.path(), GAME, RULES).unwrap_err();
        assert!(matches!(refused, Error::NotSolved { .. }), "{what}: {refused}");
    };
    unsolved("nothing there");
    let work = work(data.path());
    small_database(&work);
    unsolved("in work");
    fs::create_dir(data.path().join(GAME)).unwrap();
    unsolved("an empty folder");
}

#[test]
fn a_folder_of_other_rules_is_refused_in_work_and_finished() {
    let data = tempfile::tempdir().unwrap();
    let other_rules = |refused: Error| {
        assert!(matches!(refused, Error::OtherRules { .. }), "{refused}");
        assert!(refused.to_string().contains("000000000000feed"), "{refused}");
    };
    drop(work(data.path()));
    other_rules(WorkFolder::open_or_create(data.path(), GAME, 1).unwrap_err());
    let work = work(data.path());
    let manifest = small_database(&work);
    let database = work.finish(&manifest).unwrap();
    other_rules(Database::open(data.path(), GAME, 1).unwrap_err());
    drop(database);

    // The same folder under the name of another game.
    fs::rename(data.path().join(GAME), data.path().join("pebbles")).unwrap();
    let refused = Database::open(data.path(), "pebbles", RULES).unwrap_err();
    assert!(matches!(refused, Error::OtherRules { .. }), "{refused}");
}

#[test]
fn a_folder_of_another_format_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let path = work(data.path()).file("state.json");
    let state = json!({"format": 99, "something": "new"});
    fs::write(&*path, sealed::seal(&state)).unwrap();
    let refused = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
    assert!(matches!(refused, Error::OtherFormat { found: 99, expected: FORMAT, .. }), "{refused}");

    let finished = tempfile::tempdir().unwrap();
    fs::write(finished.path().join("manifest.json"), sealed::seal(&state)).unwrap();
    let refused = Manifest::read(finished.path()).unwrap_err();
    assert!(matches!(refused, Error::OtherFormat { found: 99, .. }), "{refused}");
}

#[test]
fn one_process_works_at_a_time_and_the_next_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let first = work(data.path());
    first.put("levels", b"61").unwrap();
    fs::write(&*first.file("half.tmp"), "left by a kill").unwrap();
    let busy = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
    assert!(matches!(busy, Error::Busy { .. }), "{busy}");
    drop(first);
    let second = work(data.path());
    assert_eq!(second.get("levels").unwrap().unwrap(), b"61");
    assert!(second.has("levels") && !second.has("half.tmp"));
    second.remove("levels").unwrap();
    second.remove("levels").unwrap(); // gone already
    assert!(second.get("levels").unwrap().is_none());
}

#[test]
fn many_threads_ask_and_one_gets_the_folder() {
    let data = tempfile::tempdir().unwrap();
    let got: Vec<_> = std::thread::scope(|scope| {
        let ask = || WorkFolder::open_or_create(data.path(), GAME, RULES);
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(got.iter().filter(|work| work.is_ok()).count(), 1);
    assert!(got.iter().all(|work| matches!(work, Ok(_) | Err(Error::Busy { .. }))));
}

#[test]
fn a_finish_that_was_killed_is_completed() {
    // After the manifest, anything that it does not list may be gone already, in any order; or the lock alone is left.
    for gone in 0..8 {
        let data = tempfile::tempdir().unwrap();
        let work = work(data.path());
        work.put("levels", b"61").unwrap();
        let manifest = small_database(&work);
        manifest.write(work.path()).unwrap();
        for (bit, name) in ["state.json", "levels", "lock"].into_iter().enumerate() {
            if gone >> bit & 1 == 1 {
                fs::remove_file(&*work.file(name)).unwrap();
            }
        }
        drop(work);
        let solved = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
        assert!(matches!(solved, Error::AlreadySolved { .. }), "{solved}");
        let database = Database::open(data.path(), GAME, RULES).unwrap();
        assert_eq!(listing(database.folder()), ["keys", "manifest.json", "plane"]);
        assert_eq!(listing(data.path()), [GAME]);
    }
}

#[test]
fn a_kill_at_the_very_start_or_end_is_no_harm() {
    let data = tempfile::tempdir().unwrap();
    let part = data.path().join("stones.part");
    fs::create_dir(&part).unwrap();
    drop(work(data.path())); // an empty folder
    fs::remove_file(part.join("state.json")).unwrap();
    fs::write(part.join("state.json.tmp"), "{").unwrap();
    let folder = work(data.path()); // a lock and half a state
    let manifest = small_database(&folder);
    let database = folder.finish(&manifest).unwrap();
    fs::write(&*database.path("lock"), "").unwrap(); // all was done but to remove the lock
    Database::open(data.path(), GAME, RULES).unwrap();
}

#[test]
fn a_folder_that_does_not_say_whose_it_is_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let folder = work(data.path());
    folder.put("levels", b"61").unwrap();
    let state = folder.file("state.json");
    drop(folder);
    each_damage(&state, |what| {
        let refused = WorkFolder::open_or_create(data.path(), GAME, RULES).expect_err(what);
        assert!(matches!(refused, Error::Damaged { .. }), "{what}: {refused}");
    });
    fs::remove_file(&*state).unwrap();
    let refused = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
    assert!(matches!(refused, Error::Missing { .. }), "{refused}");
}

#[test]
fn finish_replaces_nothing() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    let manifest = small_database(&work);
    let finished = data.path().join(GAME);
    fs::create_dir(&finished).unwrap();
    fs::write(finished.join("precious"), "").unwrap();
    let refused = work.finish(&manifest).unwrap_err();
    assert!(matches!(refused, Error::AlreadySolved { .. }), "{refused}");
    assert_eq!(listing(&finished), ["precious"]);
    let missing = Database::open(data.path(), GAME, RULES).unwrap_err();
    assert!(matches!(missing, Error::Missing { .. }), "{missing}");
    // Out of the way, the finish goes on.
    fs::remove_dir_all(&finished).unwrap();
    WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap_err();
    Database::open(data.path(), GAME, RULES).unwrap();
}

#[test]
fn a_manifest_that_lists_what_is_not_there_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let folder = work(data.path());
    let mut manifest = small_database(&folder);
    manifest.files.push(FileEntry { name: "more".into(), bytes: 1, checksum: 1, ends: None, sha256: None });
    assert!(matches!(folder.finish(&manifest), Err(Error::Missing { .. })));
    let folder = work(data.path());
    manifest.files[2] = FileEntry { name: "../keys".into(), ..manifest.files[1].clone() };
    assert!(matches!(folder.finish(&manifest), Err(Error::BadName { .. })));
    let folder = work(data.path());
    manifest.files.truncate(2);
    folder.finish(&manifest).unwrap();
}

#[test]
fn files_that_changed_places_are_noticed() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    let planes = [("a", 1), ("b", 2)].map(|(name, distance)| {
        FileEntry::new(name, &write_plane(work.file(name), RULES, 9, |_| Value::win(distance)).unwrap().file)
    });
    let mut manifest = Manifest::new(GAME, RULES);
    manifest.files = planes.to_vec();
    assert_eq!(planes[0].bytes, planes[1].bytes);
    let database = work.finish(&manifest).unwrap();
    database.plane("a").unwrap();
    fs::copy(&*database.path("b"), &*database.path("a")).unwrap();
    let database = Database::open(data.path(), GAME, RULES).unwrap();
    assert!(matches!(database.plane("a"), Err(Error::Damaged { .. })));
    assert!(matches!(database.plane("c"), Err(Error::Missing { .. })));
    // So they are where an earlier version wrote a manifest, which knows files by their whole index only.
    manifest.files.iter_mut().for_each(|file| file.ends = None);
    manifest.write(database.folder()).unwrap();
    assert!(!fs::read_to_string(&*database.path("manifest.json")).unwrap().contains("ends"));
    let database = Database::open(data.path(), GAME, RULES).unwrap();
    assert!(matches!(database.plane("a"), Err(Error::Damaged { .. })));
    assert_eq!(database.plane("b").unwrap().get(3).unwrap(), Value::win(2));
    fs::write(&*database.path("b"), "short").unwrap();
    let cut = Database::open(data.path(), GAME, RULES).unwrap_err();
    assert!(cut.to_string().contains("it has 5 bytes instead of"), "{cut}");
}

#[test]
fn a_flipped_byte_of_a_manifest_is_an_error() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    let manifest = small_database(&work);
    let path = work.finish(&manifest).unwrap().path("manifest.json");
    each_damage(&path, |what| {
        let refused = Database::open(data.path(), GAME, RULES).expect_err(what);
        assert!(matches!(refused, Error::Damaged { .. }), "{what}: {refused}");
    });
    assert_eq!(Manifest::read(&data.path().join(GAME)).unwrap(), manifest);
}

#[test]
fn a_manifest_keeps_any_settings_and_tallies() {
    let folder = tempfile::tempdir().unwrap();
    let mut manifest = Manifest::new(GAME, u64::MAX);
    for (name, number) in [("z", 1e-7), ("a", f64::MAX), ("m", 0.1 + 0.2)] {
        manifest.settings.insert(name.into(), number.into());
    }
    let mut tally = Tally::default();
    tally.add(Value::UNTIMED_LOSS, u64::MAX / 2);
    manifest.classes.push(ClassEntry { label: Default::default(), slots: u64::MAX, tally });
    manifest.write(folder.path()).unwrap();
    let read = Manifest::read(folder.path()).unwrap();
    assert_eq!(read.classes, manifest.classes);
    assert!(read.settings.keys().eq(["z", "a", "m"]));
    assert_eq!(listing(folder.path()), ["manifest.json"]);
}

#[test]
fn a_damaged_checkpoint_is_absent_and_reported() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    work.write_checkpoint("levels", &json!({"level": 3}), &[b"first", b"", b"third"]).unwrap();
    let path = work.file("levels");
    each_damage(&path, |what| {
        assert!(work.open_checkpoint("levels").unwrap().is_none(), "{what}");
        assert_eq!(work.take_losses().len(), 1, "{what}");
        assert!(!work.has("levels"));
    });
    let whole = work.open_checkpoint("levels").unwrap().unwrap();
    assert_eq!((whole.header(), whole.lengths()), (&json!({"level": 3}), &[5, 0, 5][..]));
    assert_eq!([0, 1, 2].map(|array| whole.read(array).unwrap()), [&b"first"[..], b"", b"third"]);
    assert!(whole.read(3).is_err() && whole.read_into(0, &mut [0; 4]).is_err());
    assert!(work.take_losses().is_empty());
}

#[test]
fn a_large_checkpoint_comes_back() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    let array: Vec<u8> = (0..3_500_001u64).map(|i| ((i * i) >> 7) as u8).collect();
    let lengths = [array.len() as u64, 10];
    let fill = |number: usize, offset: u64, piece: &mut [u8]| match number {
        0 => piece.copy_from_slice(&array[offset as usize..][..piece.len()]),
        _ => piece.fill(9),
    };
    work.write_checkpoint_with("big", &json!(null), &lengths, fill).unwrap();
    let big = work.open_checkpoint("big").unwrap().unwrap();
    assert!(big.read(0).unwrap() == array);
    assert_eq!(big.read(1).unwrap(), [9; 10]);
}

#[test]
fn names_do_not_lead_out_of_the_folder() {
    let data = tempfile::tempdir().unwrap();
    for name in ["", "..", ".hidden", "a/b", "stones.part", "a\0"] {
        let refused = WorkFolder::open_or_create(data.path(), name, RULES);
        assert!(matches!(refused, Err(Error::BadName { .. })), "{name}");
    }
    let work = work(data.path());
    for name in ["", "../x", "lock", "state.json", "manifest.json", "x.tmp"] {
        assert!(matches!(work.put(name, b""), Err(Error::BadName { .. })), "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_a_sentence() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = WorkFolder::open_or_create(&file, GAME, RULES).unwrap_err();
    assert!(refused.to_string().starts_with("cannot "), "{refused}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    work.put("levels", b"61").unwrap();
    std::os::unix::fs::symlink("/dev/full", &*work.file("levels.tmp")).unwrap();
    let full = work.put("levels", b"62").unwrap_err();
    assert!(full.to_string().contains("No space left"), "{full}");
    assert_eq!(work.get("levels").unwrap().unwrap(), b"61");

    let manifest = small_database(&work);
    std::os::unix::fs::symlink("/dev/full", &*work.file("manifest.json.tmp")).unwrap();
    let full = work.finish(&manifest).unwrap_err();
    assert!(full.to_string().contains("No space left"), "{full}");
    let work = WorkFolder::open_or_create(data.path(), GAME, RULES).unwrap();
    assert_eq!(work.get("levels").unwrap().unwrap(), b"61");
    work.finish(&manifest).unwrap();
}

/// A disk of memory, where there is one: on the real one others write at the same time.
#[test]
fn room_that_a_solve_has_used_itself_counts_as_free() {
    use kanzen_core::machine::free_disk;
    let Ok(data) = tempfile::tempdir_in("/dev/shm") else { return };
    let work = WorkFolder::open_or_create(data.path(), "stones", 7).unwrap();
    let Some(free) = free_disk(data.path()).filter(|free| *free > 200 << 20) else { return };
    std::fs::write(&*work.file("round-0-0"), vec![1; 64 << 20]).unwrap();
    // What is there already and what is free now are what was free at first, give or take what others write.
    work.check_room(free - (16 << 20)).unwrap();
    let refusal = work.check_room(free + (64 << 20)).unwrap_err();
    assert!(matches!(refusal, Error::Disk { .. }), "{refusal}");
}

#[test]
fn a_log_in_parts_has_the_bytes_of_a_log_at_once() {
    let data = tempfile::tempdir().unwrap();
    let work = work(data.path());
    let make = |chunk: u64| (0..chunk * chunk % 1000).map(|place| (place / 7) as u8).collect::<Vec<u8>>();
    work.put_log("at-once", 100, &make).unwrap();
    let parts = [0..40, 40..40, 40..41, 41..100];
    work.put_log_in_parts("parts", &mut |add| {
        parts.iter().try_for_each(|part| add(part.end - part.start, &|chunk| make(part.start + chunk)))
    })
    .unwrap();
    let [at_once, parts] = ["at-once", "parts"].map(|name| fs::read(&*work.file(name)).unwrap());
    assert!(at_once == parts);
    work.put_log_in_parts("failed", &mut |add| add(3, &make).and(Err(Error::Stopped))).unwrap_err();
    let names = listing(work.path());
    assert!(!names.iter().any(|name| name.starts_with("failed")), "{names:?}");
}
