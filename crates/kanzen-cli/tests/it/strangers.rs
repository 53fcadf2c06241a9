//! Forged databases, as the command meets them: one line and status 2, soon and with little memory.
//!
//! `kanzen-games/tests/timing` tries thousands of generated forgeries; these were found by hand.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Data, Ran};
use kanzen::Value;
use kanzen_store::{BlockCache, FileEntry, Manifest, PlaneFile, write_plane};

/// What is done, and what it is called.
type Named<T> = (&'static str, T);

/// Every question that opens a database.
const QUESTIONS: [&str; 6] =
    ["probe GAME", "line GAME", "stats GAME", "stats GAME --csv", "verify GAME --sample 50", "verify GAME --full"];

/// Address space for a question, in kilobytes: far less than what the forged sizes ask for.
const ENOUGH: &str = "1000000";

/// Asks with little memory to take.
fn ask(data: &Data, question: &str) -> Ran {
    let command = data.command(&format!("{question} --quiet"));
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -v {ENOUGH}; exec \"$0\" \"$@\"")]);
    limited.arg(command.get_program()).args(command.get_args()).env_remove("KANZEN_DATA");
    let start = Instant::now();
    let ran = Ran::of(limited.output().unwrap());
    assert!(start.elapsed() < Duration::from_secs(10), "{question} takes {:?}", start.elapsed());
    ran
}

/// Every question is refused, and none of them changes what is there.
fn all_refused(data: &Data, game: &str, why: &str) {
    for question in QUESTIONS {
        let ran = ask(data, &question.replace("GAME", game));
        assert!(ran.refused(), "{why}: {question}: {ran:?}");
    }
}

/// A game solved into a folder of its own.
fn solved(game: &str) -> Data {
    let data = Data::new();
    data.stdout(&format!("stats {game} --quiet"));
    data
}

/// Changes the manifest of a game.
fn change(data: &Data, game: &str, change: impl FnOnce(&mut Manifest)) {
    let folder = data.join(game);
    let mut manifest = Manifest::read(&folder).unwrap();
    change(&mut manifest);
    manifest.write(&folder).unwrap();
}

#[test]
fn only_regular_files_are_read() {
    let puts: [Named<fn(&Path)>; 5] = [
        ("a pipe", |path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success())),
        ("a device", |path| symlink("/dev/zero", path).unwrap()),
        ("a folder", |path| fs::create_dir(path).unwrap()),
        ("a link to itself", |path| symlink(path.file_name().unwrap(), path).unwrap()),
        ("a link to another file", |path| symlink("/etc/hostname", path).unwrap()),
    ];
    for file in ["manifest.json", "class-0.plane", "class-0.keys"] {
        for (what, put) in puts {
            let data = solved("stones-21");
            let path = data.join("stones-21").join(file);
            fs::remove_file(&path).unwrap();
            put(&path);
            let ran = ask(&data, "probe stones-21");
            assert!(ran.refused() && ran.stderr.contains("is not a regular file"), "{what} as {file}: {ran:?}");
            all_refused(&data, "stones-21", what);
            assert!(data.run("solve stones-21").refused());
        }
    }
}

#[test]
fn an_endless_manifest_is_not_read_to_its_end() {
    let data = solved("stones-21");
    let path = data.join("stones-21/manifest.json");
    fs::OpenOptions::new().append(true).open(&path).unwrap().set_len(8 << 30).unwrap();
    all_refused(&data, "stones-21", "eight gigabytes of nothing");
    assert!(ask(&data, "probe stones-21").stderr.contains("its length"));
}

#[test]
fn an_index_of_gigabytes_is_not_taken_into_memory() {
    let data = solved("stones-21");
    let folder = data.join("stones-21");
    for file in ["class-0.plane", "class-0.keys"] {
        let sound = fs::read(folder.join(file)).unwrap();
        let index: u64 = 24 * ((8 << 30) / 24);
        let mut footer = 32u64.to_le_bytes().to_vec();
        footer.extend((index / 24).to_le_bytes());
        footer.extend(7u64.to_le_bytes());
        footer.extend(xxhash_rust::xxh3::xxh3_64(&footer).to_le_bytes());
        footer.extend(b"\nnezank\x0b");
        let path = folder.join(file);
        fs::write(&path, &sound[..32]).unwrap();
        let mut open = fs::OpenOptions::new().append(true).open(&path).unwrap();
        open.set_len(32 + index).unwrap();
        std::io::Write::write_all(&mut open, &footer).unwrap();
        change(&data, "stones-21", |manifest| {
            let entry: &mut FileEntry = manifest.files.iter_mut().find(|entry| entry.name == file).unwrap();
            entry.bytes = 32 + index + footer.len() as u64;
        });
        for question in ["probe stones-21", "line stones-21", "verify stones-21 --full"] {
            let ran = ask(&data, question);
            assert!(ran.refused(), "{file}: {question}: {ran:?}");
        }
        let bytes = sound.len() as u64;
        fs::write(&path, sound).unwrap();
        change(&data, "stones-21", |manifest| {
            manifest.files.iter_mut().find(|entry| entry.name == file).unwrap().bytes = bytes;
        });
    }
    data.stdout("probe stones-21");
}

#[test]
fn a_morris_database_without_its_placing_planes_is_refused() {
    let data = solved("morris-3");
    change(&data, "morris-3", |manifest| manifest.files.truncate(1));
    all_refused(&data, "morris-3", "only the moving plane is left");
    let data = solved("morris-5");
    let whole = Manifest::read(&data.join("morris-5")).unwrap();
    let planes: Vec<usize> = (0..whole.files.len()).filter(|&at| whole.files[at].name.ends_with(".plane")).collect();
    for gone in [planes[7], planes[40]] {
        change(&data, "morris-5", |manifest| drop(manifest.files.remove(gone)));
        all_refused(&data, "morris-5", &format!("without {}", whole.files[gone].name));
        whole.write(&data.join("morris-5")).unwrap();
    }
}

#[test]
fn classes_that_are_not_those_of_the_game_are_refused() {
    for game in ["morris-3", "nocca-3x2", "tictactoe", "othello-3x4", "othello-3x6"] {
        let data = solved(game);
        let whole = Manifest::read(&data.join(game)).unwrap();
        let changes: [Named<fn(&mut Manifest)>; 5] = [
            ("a label without its words", |manifest| manifest.classes[0].label.clear()),
            ("another word", |manifest| drop(manifest.classes[0].label.insert("\u{1b}[2J".into(), 1.into()))),
            ("a class less", |manifest| drop(manifest.classes.pop())),
            ("a class twice", |manifest| manifest.classes.push(manifest.classes[0].clone())),
            ("another number of slots", |manifest| manifest.classes[0].slots = 1),
        ];
        for (why, alter) in changes {
            change(&data, game, alter);
            all_refused(&data, game, &format!("{game}: {why}"));
            whole.write(&data.join(game)).unwrap();
        }
        data.stdout(&format!("probe {game}"));
    }
}

#[test]
fn counts_beyond_counting_are_refused() {
    let data = solved("tictactoe");
    change(&data, "tictactoe", |manifest| {
        for class in &mut manifest.classes {
            class.slots = u64::MAX / 2;
            class.tally.add(Value::win(1), u64::MAX / 2);
        }
    });
    all_refused(&data, "tictactoe", "counts that overflow");
    assert!(ask(&data, "stats tictactoe").stderr.contains("its counts"));
}

/// Eight stones are lost in 4, and the database has 6: a query that follows the values must notice.
#[test]
fn a_line_of_values_that_contradict_each_other_is_refused() {
    let data = solved("stones-21");
    let folder = data.join("stones-21");
    let path = folder.join("class-0.plane");
    let mut manifest = Manifest::read(&folder).unwrap();
    let plane = PlaneFile::open(&path, manifest.fingerprint, &BlockCache::new(1 << 20)).unwrap();
    let mut values: Vec<Value> = (0..plane.len()).map(|slot| plane.get(slot).unwrap()).collect();
    values[8] = Value::loss(6);
    let summary = write_plane(&path, manifest.fingerprint, plane.len(), |slot| values[slot as usize]).unwrap();
    let entry = manifest.files.iter_mut().find(|file| file.name == "class-0.plane").unwrap();
    *entry = FileEntry::new("class-0.plane", &summary.file);
    manifest.write(&folder).unwrap();

    let ran = ask(&data, "line stones-21 8");
    assert!(ran.refused(), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "kanzen: the values of stones-21 contradict each other: 8 is a loss in 6, by its moves a loss in 4: \
         restore it, or remove its folder and solve again\n"
    );
    for question in ["line stones-21 9", "line stones-21 8 --json", "probe stones-21 8", "line stones-21 20"] {
        assert!(ask(&data, question).refused(), "{question}");
    }
    assert_eq!(ask(&data, "line stones-21 7").status, Some(0), "what lies before is sound");
}

#[test]
fn a_made_up_line_of_best_play_is_refused() {
    let data = solved("othello-3x6");
    let whole = Manifest::read(&data.join("othello-3x6")).unwrap();
    for score in [i64::MIN, -32_768, 32_767, 19, 1_000_000] {
        change(&data, "othello-3x6", |manifest| drop(manifest.settings.insert("score".into(), score.into())));
        all_refused(&data, "othello-3x6", &format!("a score of {score}"));
    }
    whole.write(&data.join("othello-3x6")).unwrap();
    data.stdout("probe othello-3x6");
}
