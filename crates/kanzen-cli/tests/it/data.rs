//! `kanzen data` lists what there is, finds every damaged byte, and removes what it is asked to.

use std::fs;

use crate::common::Data;
use serde_json::Value as Json;

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn it_lists_databases_and_unfinished_solves_and_nothing_else() {
    let data = Data::new();
    assert_eq!(data.stdout("data"), format!("nothing is solved in {}\n", data.path().display()));
    data.stdout("solve tictactoe --quiet");
    data.stdout("solve nocca-3x2 --quiet");
    // What a killed solve leaves.
    fs::create_dir(data.join("other")).unwrap();
    let full = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$1\" solve nocca-3x3 --quiet --data \"$2\"", "sh"])
        .args([env!("CARGO_BIN_EXE_kanzen")])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(full.status.code(), Some(2));
    let listed = json(&data.stdout("data --json"));
    let games: Vec<&str> = listed.as_array().unwrap().iter().map(|held| held["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["nocca-3x2", "nocca-3x3", "tictactoe"]);
    let [nocca, stopped, tictactoe] = [0, 1, 2].map(|at| &listed[at]);
    assert_eq!((&tictactoe["positions"], &tictactoe["initial"]["value"]), (&765.into(), &"draw".into()));
    assert_eq!((&nocca["finished"], &nocca["initial"]["distance"]), (&true.into(), &11.into()));
    assert_eq!(
        (&stopped["finished"], &stopped["at_work"], &stopped["positions"]),
        (&false.into(), &false.into(), &Json::Null)
    );
    let table = data.stdout("data list");
    assert!(table.contains("stopped") && table.contains("win in 11"), "{table}");
}

#[test]
fn every_flipped_byte_of_every_file_is_found() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet");
    let sound = data.stdout("data check");
    assert!(sound.ends_with(": every checksum fits, and its SHA-256\n"), "{sound}");
    for (name, bytes) in data.files() {
        for place in (0..bytes.len()).step_by(bytes.len() / 9 + 1).chain([bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            fs::write(data.join(&name), &damaged).unwrap();
            let ran = data.run("data check tictactoe");
            assert_eq!(
                (ran.status, ran.stderr.as_str()),
                (Some(2), "kanzen: damaged: tictactoe\n"),
                "{name} at {place}"
            );
            assert!(ran.stdout.contains(name.strip_prefix("tictactoe/").unwrap()), "{}", ran.stdout);
        }
        fs::write(data.join(&name), bytes).unwrap();
    }
    assert_eq!(data.stdout("data check"), sound);
}

#[test]
fn the_digest_in_the_manifest_is_that_of_sha256sum() {
    let data = Data::new();
    data.stdout("solve stones-21 --quiet");
    let manifest = json(&fs::read_to_string(data.join("stones-21/manifest.json")).unwrap());
    for file in manifest["files"].as_array().unwrap() {
        let path = data.join("stones-21").join(file["name"].as_str().unwrap());
        let Ok(sum) = std::process::Command::new("sha256sum").arg(&path).output() else { return };
        assert!(String::from_utf8(sum.stdout).unwrap().starts_with(file["sha256"].as_str().unwrap()));
    }
}

/// A file whose checksums were all made right again, in the manifest too, is found by its digest alone.
#[test]
fn a_forged_file_is_found_by_its_digest() {
    use kanzen::Value;
    use kanzen_store::{FileEntry, Manifest, write_plane};
    let data = Data::new();
    data.stdout("solve stones-21 --quiet");
    let folder = data.join("stones-21");
    let mut manifest = Manifest::read(&folder).unwrap();
    let entry = manifest.files.iter_mut().find(|file| file.name == "class-0.plane").unwrap();
    let digest = entry.sha256.clone();
    let plane = write_plane(&folder.join("class-0.plane"), manifest.fingerprint, 22, |_| Value::DRAW).unwrap();
    *entry = FileEntry { sha256: digest, ..FileEntry::new("class-0.plane", &plane.file) };
    manifest.write(&folder).unwrap();
    let ran = data.run("data check stones-21 --json");
    assert_eq!(ran.status, Some(2));
    let damage = json(&ran.stdout)[0]["damage"][0].as_str().unwrap().to_owned();
    assert!(damage.contains("class-0.plane is damaged at its SHA-256"), "{damage}");
}

#[test]
fn a_manifest_without_digests_still_opens() {
    use kanzen_store::Manifest;
    let data = Data::new();
    data.stdout("solve stones-21 --quiet");
    let mut manifest = Manifest::read(&data.join("stones-21")).unwrap();
    manifest.files.iter_mut().for_each(|file| file.sha256 = None);
    manifest.write(&data.join("stones-21")).unwrap();
    assert!(!fs::read_to_string(data.join("stones-21/manifest.json")).unwrap().contains("sha256"));
    assert!(data.stdout("verify stones-21 --full").starts_with("stones-21  22 positions checked"));
    assert!(data.stdout("data check").ends_with(": every checksum fits\n"));
}

#[test]
fn what_is_removed_is_gone_and_nothing_else() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet");
    data.stdout("solve stones-21 --quiet");
    let refused = data.run("data remove tictactoe");
    assert!(refused.refused() && refused.stderr.contains("--yes"), "{refused:?}");
    assert!(data.stdout("data remove tictactoe --yes").starts_with("tictactoe removed, "));
    assert!(!data.join("tictactoe").exists() && data.join("stones-21").exists());
    assert_eq!(data.run("data remove tictactoe --yes").status, Some(1));
    assert_eq!(data.run("data check tictactoe").status, Some(1));
    // Names that lead elsewhere are refused.
    fs::write(data.join("precious"), "").unwrap();
    fs::create_dir(data.join("photographs")).unwrap();
    for name in ["precious", "photographs", "..", "../x", "", "stones-21/."] {
        let ran = data.command("data remove --yes").arg(name).output().unwrap();
        assert!(!ran.status.success(), "{name}");
    }
    assert!(data.join("photographs").exists() && data.join("precious").exists() && data.join("stones-21").exists());
    // A database without its manifest has the name of a game: it can be removed.
    fs::remove_file(data.join("stones-21/manifest.json")).unwrap();
    data.stdout("data remove stones-21 --yes");
    assert!(!data.join("stones-21").exists());
}
