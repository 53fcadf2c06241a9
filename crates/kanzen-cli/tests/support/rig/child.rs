//! Runs the command in a process of its own, on a disk that fails: returns its exit status and output.
//!
//! A program that wants to start such children calls [`play_child`] first: in a child it does not come back.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use kanzen_cli::Program;

use super::SmallGames;
use super::fault::{Fault, Kind, Trouble};

const FAULT: &str = "KANZEN_TEST_FAULT";
const FOLDER: &str = "KANZEN_TEST_FOLDER";
const LINE: &str = "KANZEN_TEST_LINE";

/// Runs `kanzen LINE --data FOLDER` with a fault. `child` are the arguments that bring this program to [`play_child`].
pub fn run(child: &[&str], line: &str, folder: &Path, (kind, number, trouble): (Kind, u64, Trouble)) -> Output {
    let (mode, error) = match trouble {
        Trouble::Once(error) => ("once", error),
        Trouble::FromThenOn(error) => ("on", error),
        Trouble::Kill => ("kill", 0),
    };
    let mut command = Command::new(std::env::current_exe().expect("a program knows its file"));
    command.args(child).env(FAULT, format!("{} {number} {mode} {error}", kind as usize)).env(FOLDER, folder);
    command.env(LINE, line).env_remove("KANZEN_DATA").env_remove("KANZEN_CHECKPOINT_SECONDS");
    command.output().expect("the program starts itself")
}

/// Ends the process as the command would, if it was started as a child.
pub fn play_child() {
    let (Ok(fault), Some(folder), Ok(line)) = (std::env::var(FAULT), std::env::var_os(FOLDER), std::env::var(LINE))
    else {
        return;
    };
    let words: Vec<&str> = fault.split(' ').collect();
    let [kind, number, mode, error] = words[..] else { panic!("a fault has four words: {fault}") };
    let error = error.parse().expect("the number of an error");
    let trouble = match mode {
        "once" => Trouble::Once(error),
        "on" => Trouble::FromThenOn(error),
        _ => Trouble::Kill,
    };
    let kind = Kind::ALL[kind.parse::<usize>().expect("the number of a kind")];
    let fault = Fault::at(kind, number.parse().expect("the number of an operation"), trouble);
    let arguments = ["kanzen"].into_iter().chain(line.split(' ')).map(OsString::from);
    let arguments = arguments.chain([OsString::from("--data"), folder]);
    let status = Program::new("kanzen", SmallGames).on(Arc::new(fault.on_disk())).status_of(arguments);
    std::process::exit(status.into());
}
