//! A small database of each format still opens with the same answers, or is refused with its line.
//!
//! `formats/README.md` lists where they come from. A new format adds a folder, and takes none away.

use std::fs;
use std::path::Path;

use crate::common::Data;

const GAME: &str = "stones-5";

/// A data folder with the database of a format.
fn of_format(format: &str) -> Data {
    let data = Data::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/formats/{format}/{GAME}"));
    fs::create_dir(data.join(GAME)).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let path = file.unwrap().path();
        fs::copy(&path, data.join(GAME).join(path.file_name().unwrap())).unwrap();
    }
    data
}

#[test]
fn there_is_one_of_each_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    for format in 1..=kanzen_store::FORMAT {
        assert!(folder.join(format!("{format}/{GAME}/manifest.json")).is_file(), "format {format} has none");
    }
}

#[test]
fn format_2_still_opens_with_the_same_answers() {
    let data = of_format("2");
    assert!(data.stdout(&format!("probe {GAME} --json")).contains(r#""value":"win","distance":3"#));
    assert!(data.stdout(&format!("probe {GAME} 4 --json")).contains(r#""value":"loss","distance":2"#));
    assert!(data.stdout(&format!("verify {GAME} --full --quiet")).contains("6 positions checked"));
    assert!(data.stdout("data check --quiet").ends_with("every checksum fits, and its SHA-256\n"));
    // And what this program writes are the very same files.
    let solved = Data::new();
    solved.stdout(&format!("solve {GAME} --quiet"));
    assert_eq!(solved.files(), data.files());
}

#[test]
fn format_2_as_it_was_before_digests_still_opens_with_the_same_answers() {
    let (early, data) = (of_format("2-early"), of_format("2"));
    for line in
        ["probe stones-5 --json", "line stones-5 --json", "stats stones-5 --json", "verify stones-5 --full --quiet"]
    {
        assert_eq!(early.stdout(line), data.stdout(line), "{line}");
    }
    assert!(early.stdout("data check --quiet").ends_with("every checksum fits\n"));
    // Its card does not promise what the manifest does not hold.
    let card = early.stdout("card stones-5");
    assert!(card.matches("| not known |").count() == 2 && !card.contains("all of them are known"), "{card}");
}

#[test]
fn a_format_of_the_future_is_refused_with_its_line() {
    use kanzen_store::{FORMAT, Manifest};
    let data = of_format("2");
    let mut manifest = Manifest::read(&data.join(GAME)).unwrap();
    manifest.format = FORMAT + 1;
    manifest.write(&data.join(GAME)).unwrap();
    let ran = data.run("probe stones-5");
    let line = format!("has format {}, this version reads {FORMAT}", FORMAT + 1);
    assert!(ran.refused() && ran.stderr.contains(&line), "{ran:?}");
}

#[test]
fn format_1_is_refused_with_its_line() {
    let data = of_format("1");
    for line in ["probe stones-5", "solve stones-5", "stats stones-5", "card stones-5"] {
        let ran = data.run(line);
        assert!(ran.refused() && ran.stderr.contains("has format 1, this version reads 2"), "{line}: {ran:?}");
    }
    assert!(data.stdout("data").contains("cannot be used"));
}

#[test]
fn the_version_names_the_program_and_its_kernels() {
    let version = |variable: &str, option: &str| {
        let output = crate::common::kanzen().arg(option).env("KANZEN_CPU", variable).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let long = version("portable", "--version");
    assert!(long.contains("\nkernels   portable, of portable"), "{long}");
    let commit = long.lines().find_map(|line| line.strip_prefix("commit    ")).unwrap();
    assert!(commit.starts_with("not ") || commit.len() >= 40, "{long}");
    let frames = if cfg!(feature = "dataframes") { ", dataframes" } else { "" };
    assert!(long.contains(&format!("\nfeatures  games, serve, cluster{frames}\n")), "{long}");
    assert!(long.contains(&format!("\ntarget    {}", std::env::consts::ARCH)), "{long}");
    assert_eq!(version("", "-V"), format!("kanzen {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(long.lines().next(), version("", "-V").lines().next());
}
