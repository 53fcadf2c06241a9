//! `kanzen data pack` and `data add`: databases are packed, checked and imported, also untrusted ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::common::{Data, Ran};
use serde_json::Value as Json;
use tar::{Builder, EntryType, Header};

const GAME: &str = "stones-21";

/// A data folder with a solved game, and a folder for archives.
fn solved() -> (Data, tempfile::TempDir) {
    let data = Data::new();
    data.stdout(&format!("solve {GAME} --quiet"));
    (data, tempfile::tempdir().unwrap())
}

fn packed(data: &Data, to: &Path) -> Vec<u8> {
    data.stdout(&format!("data pack {GAME} --quiet --to {}", to.display()));
    fs::read(to).unwrap()
}

fn add(data: &Data, from: &Path) -> Ran {
    Ran::of(data.command("data add --quiet").arg(from).output().unwrap())
}

/// Adds what must be refused, in one line and with nothing left behind. Returns the line.
fn refusal(from: &Path) -> String {
    let data = Data::new();
    let ran = add(&data, from);
    assert!(ran.refused(), "{}: {ran:?}", from.display());
    assert_eq!(data.files(), BTreeMap::new(), "{}", from.display());
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0, "{}", from.display());
    ran.stderr
}

/// An archive of these entries.
fn archive(path: &Path, entries: &[(&str, EntryType, &[u8])]) {
    let mut builder = Builder::new(fs::File::create(path).unwrap());
    for (name, kind, bytes) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        // As it is: the crate itself refuses to write names that lead elsewhere.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap().flush().unwrap();
}

/// The files of the solved game as entries of an archive.
fn sound(data: &Data) -> Vec<(String, Vec<u8>)> {
    data.files().into_iter().collect()
}

fn entries(files: &[(String, Vec<u8>)]) -> Vec<(&str, EntryType, &[u8])> {
    files.iter().map(|(name, bytes)| (name.as_str(), EntryType::Regular, &bytes[..])).collect()
}

#[test]
fn what_is_packed_is_moved_in_with_the_same_bytes() {
    let (data, folder) = solved();
    for ending in ["tar", "tar.gz", "tar.zst"] {
        let path = folder.path().join(format!("stones.{ending}"));
        let bytes = packed(&data, &path);
        assert_eq!(bytes, packed(&data, &folder.path().join(format!("again.{ending}"))), "{ending}");
        let other = Data::new();
        let text = other.stdout(&format!("data add --quiet {}", path.display()));
        assert!(text.contains("every checksum fits, and its SHA-256") && text.contains("22 positions"), "{text}");
        assert_eq!(other.files(), data.files(), "{ending}");
        assert!(other.stdout(&format!("verify {GAME} --full --quiet")).contains("22 positions checked"));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6, "nothing else is left beside them");
}

#[test]
fn a_folder_is_moved_in_as_well_and_stays() {
    let (data, _) = solved();
    let other = Data::new();
    let from = data.join(GAME);
    let report: Json = serde_json::from_str(&other.stdout(&format!("data add --json {}", from.display()))).unwrap();
    assert_eq!((&report["game"], &report["positions"]), (&GAME.into(), &22.into()));
    assert_eq!(report["files"], report["with_sha256"]);
    assert_eq!(other.files(), data.files());
    // A link in an untrusted folder leads to a file outside it.
    let plane = from.join("class-0.plane");
    fs::rename(&plane, data.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(data.join("elsewhere"), &plane).unwrap();
    assert!(refusal(&from).contains("class-0.plane is not a regular file"));
}

#[test]
fn archives_of_other_programs_are_read() {
    let (data, folder) = solved();
    for options in [&["--format=gnu"][..], &["--format=ustar"], &["--format=posix"], &["--gzip"], &["--format=v7"]] {
        let path = folder.path().join("by-tar");
        let mut tar = std::process::Command::new("tar");
        tar.arg("--create").arg("--file").arg(&path).args(options).arg("--directory").arg(data.path()).arg(".");
        let Ok(ran) = tar.output() else { return };
        if !ran.status.success() {
            continue; // another tar, which has no such format
        }
        let other = Data::new();
        let ran = add(&other, &path);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{options:?}");
        assert_eq!(other.files(), data.files(), "{options:?}");
    }
}

#[test]
fn what_is_there_already_is_never_overwritten() {
    let (data, folder) = solved();
    let path = folder.path().join("stones.tar");
    packed(&data, &path);
    let before = data.files();
    let ran = add(&data, &path);
    assert!(ran.refused() && ran.stderr.contains("is solved already"), "{ran:?}");
    assert_eq!(data.files(), before);
    // Whatever it is.
    let other = Data::new();
    fs::create_dir(other.join(GAME)).unwrap();
    fs::write(other.join(GAME).join("precious"), "").unwrap();
    assert!(add(&other, &path).refused());
    assert_eq!(other.files().keys().collect::<Vec<_>>(), [&format!("{GAME}/precious")]);
}

#[test]
fn links_devices_and_paths_that_lead_elsewhere_are_refused() {
    let (data, folder) = solved();
    let (files, path) = (sound(&data), folder.path().join("hostile.tar"));
    let wrong: [(&str, EntryType, &[u8]); 9] = [
        ("../escaped", EntryType::Regular, b"x"),
        ("stones-21/../../escaped", EntryType::Regular, b"x"),
        ("/tmp/escaped", EntryType::Regular, b"x"),
        ("stones-21/class-0.plane", EntryType::Symlink, b""),
        ("stones-21/class-0.plane", EntryType::Link, b""),
        ("stones-21/pipe", EntryType::Fifo, b""),
        ("stones-21/disk", EntryType::Block, b""),
        ("stones-21/long", EntryType::GNULongName, b"stones-21/other"),
        ("stones-21/more", EntryType::XHeader, b"16 path=../up\n"),
    ];
    for entry in wrong {
        // Before the files and after them.
        let mut first = vec![entry];
        first.extend(entries(&files));
        archive(&path, &first);
        refusal(&path);
        first.rotate_left(1);
        archive(&path, &first);
        let line = refusal(&path);
        assert!(line.contains("holds no database that can be moved in"), "{line}");
    }
    assert!(!folder.path().parent().unwrap().join("escaped").exists());
    assert!(!Path::new("/tmp/escaped").exists());
}

#[test]
fn what_is_missing_twice_or_of_another_length_is_refused() {
    let (data, folder) = solved();
    let (files, path) = (sound(&data), folder.path().join("wrong.tar"));
    let plane = files.iter().position(|(name, _)| name.ends_with("class-0.plane")).unwrap();
    let refused = |files: &[(String, Vec<u8>)]| {
        archive(&path, &entries(files));
        refusal(&path)
    };
    let mut missing = files.clone();
    missing.remove(plane);
    assert!(refused(&missing).contains("it lacks `class-0.plane`"));
    let mut twice = files.clone();
    twice.push(files[plane].clone());
    assert!(refused(&twice).contains("it has `class-0.plane` twice"));
    let mut longer = files.clone();
    longer[plane].1.push(0);
    assert!(refused(&longer).contains("has more than the"));
    let mut shorter = files.clone();
    shorter[plane].1.pop();
    assert!(refused(&shorter).contains("ends 1 bytes too early"));
    let mut two = files.clone();
    two.extend(files.iter().map(|(name, bytes)| (format!("more/{name}"), bytes.clone())));
    assert!(refused(&two).contains("more than one database"));
    let without: Vec<_> = files.iter().filter(|(name, _)| !name.ends_with("manifest.json")).cloned().collect();
    assert!(refused(&without).contains("there is no manifest.json in it"));
    assert!(refused(&[]).contains("there is no manifest.json in it"));
    let long = [(format!("{GAME}/manifest.json"), vec![b' '; (4 << 20) + 1])];
    assert!(refused(&long).contains("manifest.json has more than"));
}

/// Header, names, lengths, digests: one changed bit anywhere is noticed, or changes nothing that is taken.
#[test]
fn a_flipped_byte_is_refused_or_changes_nothing() {
    let (data, folder) = solved();
    let path = folder.path().join("stones.tar");
    let (bytes, sound) = (packed(&data, &path), data.files());
    let (mut refused, mut accepted) = (0, 0);
    for place in (0..bytes.len()).step_by(bytes.len() / 150 + 1) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).unwrap();
        let other = Data::new();
        let ran = add(&other, &path);
        if ran.status == Some(0) {
            assert_eq!(other.files(), sound, "byte {place}");
            accepted += 1;
        } else {
            assert!(ran.refused() && other.files().is_empty(), "byte {place}: {ran:?}");
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused} refused, {accepted} accepted");
}

#[test]
fn an_archive_that_ends_early_or_is_none_is_refused() {
    let (data, folder) = solved();
    for ending in ["tar", "tar.gz", "tar.zst"] {
        let path = folder.path().join(format!("stones.{ending}"));
        let bytes = packed(&data, &path);
        for length in [0, 1, 4, bytes.len() / 3, bytes.len() / 2] {
            fs::write(&path, &bytes[..length]).unwrap();
            refusal(&path);
        }
    }
    let path = folder.path().join("noise");
    fs::write(&path, "no archive ".repeat(1000)).unwrap();
    refusal(&path);
    assert!(refusal(&folder.path().join("absent")).contains("is missing"));
    assert!(refusal(folder.path()).contains("manifest.json is missing"));
}

/// A few kilobytes that unpack to gigabytes are given up soon.
#[test]
fn a_bomb_is_refused() {
    let (_, folder) = solved();
    let path = folder.path().join("bomb.tar.zst");
    let mut bomb = zstd::Encoder::new(fs::File::create(&path).unwrap(), 1).unwrap();
    let mut header = Header::new_gnu();
    header.set_path("stones-21/zeros").unwrap();
    header.set_size(200 << 20);
    header.set_cksum();
    bomb.write_all(header.as_bytes()).unwrap();
    let piece = vec![0; 1 << 20];
    (0..200).for_each(|_| bomb.write_all(&piece).unwrap());
    bomb.finish().unwrap();
    assert!(refusal(&path).contains("unpacks to far more than a database would"));
}

/// A forger can make every checksum right: other rules, another game and another name are still refused.
#[test]
fn a_database_of_other_rules_or_of_no_known_game_is_refused() {
    use kanzen_store::Manifest;
    let (data, _) = solved();
    let folder = data.join(GAME);
    let manifest = Manifest::read(&folder).unwrap();
    let with = |change: &dyn Fn(&mut Manifest)| {
        let mut forged = manifest.clone();
        change(&mut forged);
        forged.write(&folder).unwrap();
        refusal(&folder)
    };
    assert!(with(&|forged| forged.fingerprint ^= 1).contains("other rules"));
    assert!(with(&|forged| forged.game = "chess".into()).contains("unknown game \"chess\""));
    assert!(with(&|forged| forged.game = "stones-22".into()).contains("other rules"));
    assert!(with(&|forged| forged.files[0].bytes = 1 << 60).contains("needs"));
    assert!(with(&|forged| forged.format = 1).contains("has format 1, this version reads 2"));
    assert!(with(&|forged| forged.files[0].sha256 = Some("0".repeat(64))).contains("its SHA-256"));
    // The very one is taken.
    manifest.write(&folder).unwrap();
    assert_eq!(add(&Data::new(), &folder).status, Some(0));
}

#[test]
fn damaged_databases_are_not_packed() {
    let (data, folder) = solved();
    let plane = data.join(GAME).join("class-0.plane");
    let mut bytes = fs::read(&plane).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&plane, bytes).unwrap();
    let path: PathBuf = folder.path().join("stones.tar");
    let ran = data.run(&format!("data pack {GAME} --quiet --to {}", path.display()));
    assert!(ran.refused() && ran.stderr.contains("class-0.plane is damaged"), "{ran:?}");
    assert!(data.run(&format!("data pack {GAME} --to {}/x.zip", folder.path().display())).refused());
    assert_eq!(data.run(&format!("data pack tictactoe --to {}", path.display())).status, Some(1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
