//! Damaged databases are refused with one line, or answered rightly; never answered wrongly.

use std::fs;

use crate::common::{Data, Ran};
use kanzen::Value;
use kanzen_store::{BlockCache, FileEntry, Manifest, PlaneFile, write_plane};

/// Questions that between them read every file of a database.
const QUESTIONS: [&str; 4] =
    ["probe GAME --json", "verify GAME --full --json", "stats GAME --longest --json", "line GAME --json"];

fn question(number: usize, game: &str) -> String {
    QUESTIONS[number % QUESTIONS.len()].replace("GAME", game)
}

/// Changes one byte in so many of each file in turn, and asks.
fn flip_bytes(game: &str, every: usize) {
    let data = Data::new();
    data.run(&format!("solve {game}"));
    let right: Vec<Ran> = (0..QUESTIONS.len()).map(|number| data.run(&question(number, game))).collect();
    assert!(right.iter().all(|ran| ran.status == Some(0)));
    let whole = data.files();
    let (mut asked, mut refused) = (0, 0);
    for (name, bytes) in &whole {
        for place in (0..bytes.len()).step_by(every) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            fs::write(data.join(name), &damaged).unwrap();
            let ran = data.run(&question(asked, game));
            let same = ran == right[asked % QUESTIONS.len()];
            assert!(same || ran.refused(), "byte {place} of {name}: {ran:?}");
            asked += 1;
            refused += usize::from(!same);
        }
        fs::write(data.join(name), bytes).unwrap();
    }
    assert_eq!(data.files(), whole, "a question changes no file");
    assert!(refused * 2 > asked, "of {asked} flips only {refused} were noticed");
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_nothing() {
    flip_bytes("stones-21", 2);
}

#[test]
fn so_it_is_with_more_than_one_class() {
    flip_bytes("tictactoe", 23);
}

#[test]
fn a_truncated_file_is_refused() {
    let data = Data::new();
    data.stdout("stats nocca-3x2");
    for (name, bytes) in data.files() {
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(data.join(&name), &bytes[..length]).unwrap();
            let ran = data.run("probe nocca-3x2");
            assert!(ran.refused(), "{name} with {length} bytes: {ran:?}");
        }
        fs::write(data.join(&name), [&bytes[..], b"x"].concat()).unwrap();
        assert!(data.run("probe nocca-3x2").refused(), "{name} with a byte more");
        fs::remove_file(data.join(&name)).unwrap();
        assert!(data.run("probe nocca-3x2").refused(), "without {name}");
        fs::write(data.join(&name), bytes).unwrap();
    }
    data.stdout("probe nocca-3x2");
}

#[test]
fn files_of_other_databases_are_refused() {
    let data = Data::new();
    data.stdout("stats stones-21");
    data.stdout("stats stones-22");
    let right = data.stdout("probe stones-22");
    for (name, bytes) in data.files() {
        let Some(file) = name.strip_prefix("stones-21/") else { continue };
        let twin = data.join("stones-22").join(file);
        let own = fs::read(&twin).unwrap();
        fs::write(&twin, bytes).unwrap();
        assert!(data.run("probe stones-22").refused(), "{file} of stones-21");
        fs::write(&twin, own).unwrap();
    }
    assert_eq!(data.stdout("probe stones-22"), right);
}

#[test]
fn other_rules_and_other_versions_are_refused() {
    let data = Data::new();
    data.stdout("stats stones-21");
    let folder = data.join("stones-21");
    let manifest = Manifest::read(&folder).unwrap();

    let mut other = manifest.clone();
    other.fingerprint ^= 1;
    other.write(&folder).unwrap();
    let ran = data.run("probe stones-21");
    assert!(ran.refused() && ran.stderr.contains("was written for other rules"), "{ran:?}");
    assert!(data.run("solve stones-21").refused());

    let mut other = manifest.clone();
    other.format += 1;
    other.write(&folder).unwrap();
    let ran = data.run("probe stones-21");
    assert!(ran.refused() && ran.stderr.contains("this version reads"), "{ran:?}");

    let mut other = manifest.clone();
    other.game = "stones-22".into();
    other.write(&folder).unwrap();
    assert!(data.run("probe stones-21").refused());

    manifest.write(&folder).unwrap();
    data.stdout("probe stones-21");
}

/// Files that are sound but hold a wrong value: only `verify` can detect it.
#[test]
fn verify_finds_a_wrong_value() {
    let data = Data::new();
    data.stdout("stats stones-21");
    let folder = data.join("stones-21");
    let path = folder.join("class-0.plane");
    let mut manifest = Manifest::read(&folder).unwrap();

    let plane = PlaneFile::open(&path, manifest.fingerprint, &BlockCache::new(1 << 20)).unwrap();
    let mut values: Vec<Value> = (0..plane.len()).map(|slot| plane.get(slot).unwrap()).collect();
    values[8] = Value::loss(6); // eight stones are lost in 4
    let summary = write_plane(&path, manifest.fingerprint, plane.len(), |slot| values[slot as usize]).unwrap();
    let entry = manifest.files.iter_mut().find(|file| file.name == "class-0.plane").unwrap();
    *entry = FileEntry::new("class-0.plane", &summary.file);
    // Which values occur where was written anew as well: a database may do without it.
    manifest.files.retain(|file| !file.name.ends_with(".occurs"));
    manifest.write(&folder).unwrap();

    let ran = data.run("verify stones-21");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stdout,
        "stones-21  22 positions checked: 4 values wrong\n  the census was counted again: 2 counts wrong\n\n  \
         position  stored     by the rules\n  \
         8         loss in 6  loss in 4\n  \
         9         win in 5   win in 7\n  \
         10        win in 5   win in 7\n  \
         11        win in 5   win in 7\n\n  \
         class    value      in the census  counted\n  \
         class 0  loss in 4              1        0\n  \
         class 0  loss in 6              1        2\n"
    );
    let json: serde_json::Value = serde_json::from_str(&data.run("verify stones-21 --json").stdout).unwrap();
    assert_eq!(json["mismatches"], 4);
    assert_eq!(
        json["examples"][0],
        serde_json::json!({
            "position": "8", "stored": "loss", "stored_distance": 6, "expected": "loss", "expected_distance": 4
        })
    );
}
