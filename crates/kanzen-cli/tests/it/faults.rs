//! A system call fails in the middle of a solve: one line names it, nothing is lost, and the same command ends with the
//! same bytes once the fault is gone.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::rig::fault::{EIO, EMFILE, ENOSPC, Fault, Kind, Trouble, troubles};
use crate::rig::{Dice, ENGINES, child, entry, files, solve, solve_undisturbed};
use kanzen::catalogue::Entry;
use kanzen::{Error, ErrorKind};

/// How many operations of each kind a solve asks for, and what it leaves.
fn undisturbed(entry: &Entry) -> (Fault, BTreeMap<String, Vec<u8>>) {
    let data = tempfile::tempdir().unwrap();
    let count = Fault::none();
    solve(entry, count.at_folder(data.path())).unwrap();
    (count, files(data.path()))
}

/// Solves with a fault, then without; returns whether the fault was met.
fn solved_after(entry: &Entry, fault: (Kind, u64, Trouble), whole: &BTreeMap<String, Vec<u8>>) -> bool {
    let data = tempfile::tempdir().unwrap();
    let disk = Fault::at(fault.0, fault.1, fault.2);
    let case = || format!("{} with {fault:?}", entry.info().id);
    let solved = catch_unwind(AssertUnwindSafe(|| solve(entry, disk.at_folder(data.path()))));
    match solved {
        Err(_) => panic!("{}: a panic", case()),
        Ok(Err(error)) => {
            assert_eq!(error.kind(), ErrorKind::System, "{}: {error}", case());
            assert!(matches!(error, Error::Io { .. }), "{}: {error}", case());
        }
        // Some refusals do no harm: a file that should go stays, or the time so far is not kept. Then all is there.
        Ok(Ok(_)) => {
            let left = files(data.path());
            for (name, bytes) in whole {
                assert!(left.get(name) == Some(bytes), "{}: ended well without {name}", case());
            }
        }
    }
    solve_undisturbed(entry, data.path()).unwrap_or_else(|error| panic!("{}: then {error}", case()));
    assert!(files(data.path()) == *whole, "{}: other bytes", case());
    disk.hits() > 0
}

#[test]
fn every_operation_of_a_small_solve_may_fail() {
    let entry = entry("stones-30");
    let (count, whole) = undisturbed(&entry);
    let mut met = 0;
    for kind in Kind::ALL {
        assert!(count.met(kind) > 0, "{kind:?} never comes up");
        for number in 0..count.met(kind) {
            for &error in troubles(kind) {
                met += u64::from(solved_after(&entry, (kind, number, Trouble::Once(error)), &whole));
            }
            met += u64::from(solved_after(&entry, (kind, number, Trouble::FromThenOn(EIO)), &whole));
        }
    }
    assert!(met > 100, "only {met} faults were met");
}

#[test]
fn scattered_operations_of_every_engine_may_fail() {
    const EACH: u64 = 3;
    for id in ENGINES {
        let entry = entry(id);
        let (count, whole) = undisturbed(&entry);
        let mut dice = Dice(id.len() as u64);
        let mut met = 0;
        for kind in Kind::ALL {
            for _ in 0..EACH.min(count.met(kind)) {
                let errors = troubles(kind);
                let error = errors[dice.below(errors.len() as u64) as usize];
                let trouble = if dice.below(2) == 0 { Trouble::Once(error) } else { Trouble::FromThenOn(error) };
                met += u64::from(solved_after(&entry, (kind, dice.below(count.met(kind)), trouble), &whole));
            }
        }
        // On two threads the number of operations differs a little from run to run.
        assert!(met >= 3 * EACH, "{id}: only {met} faults were met");
    }
}

/// Not a test of its own: the children of the tests below come here.
#[test]
fn a_child_is_the_command() {
    child::play_child();
}

const CHILD: [&str; 3] = ["--exact", "faults::a_child_is_the_command", "--nocapture"];

/// Runs the command on a disk with a fault: its exit status, nothing if it was killed, and its words.
fn command(game: &str, folder: &Path, fault: (Kind, u64, Trouble)) -> (Option<i32>, String) {
    let line = format!("solve {game} --quiet --checkpoint-seconds 0 --threads 2");
    let output = child::run(&CHILD, &line, folder, fault);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_command_reports_the_failure_in_one_line_and_exits_with_2() {
    for (id, kind, number, error, words) in [
        ("nocca-3x2", Kind::Write, 3, ENOSPC, "No space left on device"),
        ("tictactoe", Kind::Sync, 5, EIO, "Input/output error"),
        ("ostle-small", Kind::Open, 2, EMFILE, "Too many open files"),
        ("othello-4x5", Kind::Rename, 1, EIO, "Input/output error"),
    ] {
        let data = tempfile::tempdir().unwrap();
        let (status, stderr) = command(id, data.path(), (kind, number, Trouble::FromThenOn(error)));
        assert_eq!(status, Some(2), "{id}: {stderr}");
        assert!(stderr.starts_with("kanzen: cannot ") && stderr.lines().count() == 1, "{id}: {stderr}");
        assert!(stderr.contains(words), "{id}: {stderr}");
    }
}

#[test]
fn killed_at_any_operation_the_command_goes_on() {
    const EACH: u64 = 1;
    for id in ENGINES {
        let entry = entry(id);
        let (count, whole) = undisturbed(&entry);
        let mut dice = Dice(7 + id.len() as u64);
        for kind in [Kind::Create, Kind::Write, Kind::Sync, Kind::Rename] {
            let data = tempfile::tempdir().unwrap();
            for _ in 0..EACH {
                let (status, stderr) = command(id, data.path(), (kind, dice.below(count.met(kind)), Trouble::Kill));
                assert!(matches!(status, None | Some(0)), "{id}: {status:?} {stderr}");
            }
            solve_undisturbed(&entry, data.path()).unwrap();
            assert!(files(data.path()) == whole, "{id} killed at a {kind:?}: other bytes");
        }
    }
}
