//! Sessions of the command as text files, each with an empty data folder of its own.
//!
//! `TRYCMD=overwrite cargo test -p kanzen-cli --test it sessions` writes what the command prints now; read the difference.

use std::path::Path;

#[test]
fn the_command_prints_what_the_files_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "trycmd" || end == "toml"));
    files.sort();
    assert!(files.len() >= 10, "only {} files", files.len());
    for file in files {
        let data = tempfile::tempdir().unwrap();
        let cases = trycmd::TestCases::new();
        cases.env("KANZEN_DATA", data.path().to_str().unwrap());
        cases.env("COLUMNS", "100"); // help is wrapped to it
        cases.insert_var("[DATA]", data.path().to_str().unwrap().to_owned()).unwrap();
        cases.case(&file);
        cases.run();
    }
}
