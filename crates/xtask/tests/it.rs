//! Runs the command as scripts/test does.

use std::process::{Command, Output};

fn xtask(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(words).output().unwrap()
}

#[test]
fn checks_that_pass_exit_with_zero_and_print_what_they_saw() {
    let output = xtask(&["figures", "--check"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("agree with results/"));
}

#[test]
fn bad_usage_exits_with_two_and_prints_the_usage() {
    let wrong: [&[&str]; 4] = [&[], &["figure"], &["record", "name"], &["record", "name", "--"]];
    for words in wrong {
        let output = xtask(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("usage: cargo xtask COMMAND"));
    }
}

#[test]
fn a_command_that_fails_is_reported_in_one_line() {
    let output = xtask(&["record", "never-written", "--", "false"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(stderr, "xtask: false ended with exit status: 1; nothing is recorded\n");
}
