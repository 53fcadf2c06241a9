//! What `kanzen new` writes is built, tested and solved as a newcomer would do it, without the network.
//!
//! It shares the target folder with the workspace, so that only the library and the command are built once more. It is
//! linted where it lies: the template is a test of this crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::kanzen;
use serde_json::Value as Json;

const NAME: &str = "new-game-of-the-tests";

/// Writes the crate into an empty folder.
fn written(folder: &Path) -> PathBuf {
    let output = kanzen().args(["new", NAME]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("cargo test"), "{output:?}");
    folder.join(NAME)
}

/// Asks for the features that the rest of the workspace asks for of crates that both use: these are then the very ones
/// that the workspace has built. Where the list is out of date the test takes minutes longer, and proves the same.
const SHARED: &str = r#"
[dependencies]
either = { version = "*", default-features = false, features = ["use_std"] }
getrandom = { version = "0.4", features = ["std", "sys_rng"] }
indexmap = "*"
memchr = "*"
once_cell = "*"
serde_core = "*"
serde_json = { version = "*", features = ["raw_value"] }
syn = { version = "3", features = ["extra-traits", "full", "visit-mut"] }
"#;

fn share_builds(folder: &Path) {
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let (text, profile) = text.split_once("\n[profile.dev]\n").expect("a profile at the end");
    assert!(text.contains("\n[dependencies]\n") && !profile.contains("\n["), "{text}");
    // Crates of others are shared only where they are compiled alike. The library is compiled once more, since it lies
    // outside: unoptimised that takes a third of the time, and the game is small.
    let workspace = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml")).unwrap();
    let profile = workspace.split_once("\n[profile.dev]\n").expect("a profile").1;
    let profile = profile.split_once("\n[profile.wasm]\n").expect("another after it").0;
    let quick = profile.replace("\n[profile.dev.package]\n", "\n[profile.dev.package]\nkanzen.opt-level = 0\n");
    assert_ne!(quick, profile);
    let text = text.replace("\n[dependencies]\n", SHARED);
    fs::write(&manifest, format!("{text}\n[profile.dev]\n{quick}")).unwrap();
}

/// Runs cargo in the crate; it must succeed.
fn cargo(folder: &Path, line: &str) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(line.split(' ')).current_dir(folder).env("CARGO_TARGET_DIR", target);
    let output = cargo.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "cargo {line}\n{stdout}\n{stderr}");
    output
}

#[test]
fn the_new_crate_builds_tests_and_solves() {
    let parent = tempfile::tempdir().unwrap();
    let folder = written(parent.path());
    cargo(&folder, "fmt --check");
    share_builds(&folder);

    // The first test of a new game does not wait for a web server.
    let built = cargo(&folder, "tree --offline --prefix none");
    let built = String::from_utf8_lossy(&built.stdout);
    assert!(built.contains("clap v") && !built.contains("axum") && !built.contains("tokio"), "{built}");
    let with_server = cargo(&folder, "tree --offline --prefix none --features serve");
    assert!(String::from_utf8_lossy(&with_server.stdout).contains("axum v"));

    // The example of the README, from outside the workspace.
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let example = readme.split_once("```rust\n").unwrap().1.split_once("```").unwrap().0;
    fs::create_dir(folder.join("examples")).unwrap();
    fs::write(folder.join("examples/readme.rs"), example).unwrap();
    let printed = cargo(&folder, "run --offline --quiet --example readme");
    assert_eq!(String::from_utf8_lossy(&printed.stdout), "take 1: win in 11\ntake 2: loss in 10\ntake 3: loss in 10\n");

    let tests = cargo(&folder, "test --offline --quiet");
    let stdout = String::from_utf8_lossy(&tests.stdout);
    assert!(stdout.contains("5 passed; 0 failed"), "{stdout}");

    let data = parent.path().join("data");
    let ask = |line: &str| {
        let line = format!("run --offline --quiet -- --data {} {line}", data.display());
        String::from_utf8(cargo(&folder, &line).stdout).unwrap()
    };
    // Counted before anything is forecast, and before anything is solved.
    let count: Json = serde_json::from_str(&ask(&format!("count {NAME} --json"))).unwrap();
    let games: Json = serde_json::from_str(&ask("games --json")).unwrap();
    assert_eq!((&games[0]["positions"], &games[0]["state"]), (&count["total"], &"unsolved".into()));
    let reach: Json = serde_json::from_str(&ask(&format!("reach {NAME} --json"))).unwrap();
    let reached: u64 =
        reach["layers"].as_array().unwrap().iter().map(|layer| layer["positions"].as_u64().unwrap()).sum();
    assert_eq!(Json::from(reached), count["total"]);

    let solved: Json = serde_json::from_str(&ask(&format!("solve {NAME} --json"))).unwrap();
    assert_eq!(solved["positions"], count["total"]);
    // Known since Gardner's matchboxes: the second player wins.
    assert_eq!(solved["initial"]["value"], "loss", "{solved}");
    assert!(data.join(NAME).join("manifest.json").is_file());
    let games: Json = serde_json::from_str(&ask("games --json")).unwrap();
    assert_eq!((games.as_array().unwrap().len(), &games[0]["id"]), (1, &Json::from(NAME)));
    let verified = ask(&format!("verify {NAME} --full"));
    assert!(verified.contains("every value follows from the rules"), "{verified}");
    let line = ask(&format!("line {NAME}"));
    assert!(line.starts_with(&format!("{NAME}  bbb/.../www w: loss in ")), "{line}");
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let parent = tempfile::tempdir().unwrap();
    fs::create_dir(parent.path().join("dodgem")).unwrap();
    let output = kanzen().args(["new", "dodgem"]).current_dir(parent.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "kanzen: dodgem is there already: choose another name\n");
    assert_eq!(fs::read_dir(parent.path().join("dodgem")).unwrap().count(), 0);
}

#[test]
fn no_file_of_the_template_is_forgotten() {
    let parent = tempfile::tempdir().unwrap();
    let folder = written(parent.path());
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("template");
    for (folder, template) in [(folder.join("src"), template.join("src")), (folder, template)] {
        let names = |folder: &Path| {
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let plain = |name: String| name.trim_start_matches('.').trim_end_matches(".in").to_owned();
            names.map(plain).filter(|name| name != "Cargo.lock").collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(names(&folder), names(&template));
    }
}

#[test]
fn the_new_crate_names_no_folder_of_this_machine() {
    let parent = tempfile::tempdir().unwrap();
    let folder = written(parent.path());
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    for file in ["Cargo.toml", "README.md", "src/main.rs", "src/rules.rs", "src/tests.rs"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        for absolute in ["path = \"/", "](/", checkout.to_str().unwrap(), parent.path().to_str().unwrap()] {
            // The way from a folder below / goes through the checkout's own path.
            let named = text.replace("../", "\0").replace(&format!("\0{}", &checkout.to_str().unwrap()[1..]), "");
            assert!(!named.contains(absolute), "{file} has {absolute}");
        }
        assert!(!text.contains("Forecast {") && !text.contains("memory_bytes"), "{file} invents what a solve costs");
    }
}

#[test]
fn the_page_quotes_the_rules_as_they_are() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(top.join("../../docs/add-a-game.md")).unwrap();
    let rules = fs::read_to_string(top.join("template/src/rules.rs")).unwrap();
    let quotes: Vec<&str> =
        page.split("```rust,ignore\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(quotes.len() >= 6, "only {} quotes", quotes.len());
    for quote in quotes {
        assert!(rules.contains(quote), "docs/add-a-game.md quotes what template/src/rules.rs does not have:\n{quote}");
    }
}
