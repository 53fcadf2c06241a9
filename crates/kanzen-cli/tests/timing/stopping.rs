//! Work that is asked to stop: signals in pairs, commands that keep nothing, and how long it may take.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Data, Ran, wait};

/// Starts a line in a process group of its own, as a shell and GNU timeout do.
fn start_group(data: &Data, line: &str) -> Child {
    let mut command = data.command(line);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn().unwrap()
}

/// What GNU timeout does: a signal to the child, and one to its whole group, within a millisecond or so.
fn signal_twice(child: &Child) {
    let script = "kill -TERM $1; kill -TERM -$1";
    let sent = Command::new("sh").args(["-c", script, "sh", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn signal(child: &Child) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Asks a line to stop after a while; how it ended, and how long that took.
fn stopped(data: &Data, line: &str, after: Duration) -> (Ran, Duration) {
    let child = start_group(data, line);
    sleep(after);
    signal(&child);
    let asked = Instant::now();
    let ran = wait(child);
    (ran, asked.elapsed())
}

/// A machine that runs other tests at the same time may be late by this much.
const SLACK: Duration = Duration::from_millis(1500);

#[test]
fn duplicate_sigterm_is_coalesced() {
    let _exclusive = crate::exclusive();
    // A checkpoint for each of thousands of levels: it is at work for seconds.
    let line = "solve stones-9000 --checkpoint-seconds 0";
    let undisturbed = Data::new();
    undisturbed.stdout("solve stones-9000");
    for round in 0..3 {
        let data = Data::new();
        let checkpoint = data.join("stones-9000.part").join("class-0.checkpoint");
        let solve = start_group(&data, line);
        while !checkpoint.exists() {
            sleep(Duration::from_millis(1));
        }
        signal_twice(&solve);
        let ran = wait(solve);
        assert_eq!(ran.status, Some(130), "round {round}: {ran:?}");
        assert_eq!(ran.stderr, "kanzen: stopped: the same command goes on from here\n", "round {round}");
        assert!(checkpoint.exists(), "round {round}: the checkpoint is lost");
        let resumed = data.run("solve stones-9000");
        assert_eq!(resumed.status, Some(0), "{resumed:?}");
        assert!(data.files() == undisturbed.files(), "round {round}: other bytes");
    }
}

#[test]
fn the_time_of_a_solve_counts_all_its_runs() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let first = start_group(&data, "solve stones-9000 --checkpoint-seconds 0 --json");
    let checkpoint = data.join("stones-9000.part").join("class-0.checkpoint");
    while !checkpoint.exists() {
        sleep(Duration::from_millis(1));
    }
    // Of thousands of checkpoints some are still to come.
    sleep(Duration::from_millis(200));
    signal(&first);
    let first = wait(first);
    assert_eq!(first.status, Some(130), "{first:?}");
    let began = Instant::now();
    let report = data.stdout("solve stones-9000 --json");
    let last = began.elapsed().as_secs_f64();
    let seconds: f64 = report.split("\"seconds\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    // More than the last run can have taken: the first is in it, however late a busy machine let it begin.
    assert!(seconds > last, "{report}, the last run took {last} s");
}

#[test]
fn commands_that_keep_nothing_stop_within_a_second_and_do_not_promise_to_go_on() {
    let _exclusive = crate::exclusive();
    for line in ["count morris-12 --zdd --quiet", "reach ostle --quiet"] {
        let (ran, took) = stopped(&Data::new(), line, Duration::from_secs(2));
        assert_eq!(ran.status, Some(130), "{line}: {ran:?}");
        assert_eq!(ran.stderr, "kanzen: interrupted; nothing saved\n", "{line}");
        assert!(took < Duration::from_secs(1) + SLACK, "{line} took {took:?}");
    }
}

#[test]
fn a_search_that_is_stopped_prints_complete_rows_and_leaves_no_partial_file() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    data.run("solve nocca-4x4 --quiet --json");
    // The moves of millions of positions: it is at work for half a minute and more.
    let alone = "find nocca-4x4 --where best>0 --count --json --quiet";
    // Of several processes only the first gets the signal, and forwards it to the others.
    let shared = format!("{alone} --processes 2");
    let lines = if cfg!(feature = "cluster") { &[alone, &shared][..] } else { &[alone] };
    for line in lines {
        let (find, took) = stopped(&data, line, Duration::from_secs(2));
        assert!(took < Duration::from_secs(5) + SLACK, "it took {took:?}");
        assert_eq!(find.status, Some(130), "{line}: {find:?}");
        if *line == shared && find.stderr.contains("before all that was complete") {
            continue; // a process with one thread of a busy machine was in the middle of something
        }
        assert_eq!(find.stderr, "kanzen: interrupted; the answer is partial\n", "{line}");
        let report: serde_json::Value = serde_json::from_str(&find.stdout).unwrap();
        let (count, all) = (report["count"].as_u64().unwrap(), report["positions"].as_u64().unwrap());
        // On a busy machine nothing may be complete after two seconds.
        assert!(count < all, "{line}: {report}");
    }
    let files = data.files().len();
    let file = data.join("rows.csv");
    let line = format!("export nocca-4x4 --where best>0 --columns position,best --quiet --to {}", file.display());
    let (export, took) = stopped(&data, &line, Duration::from_secs(2));
    assert!(took < Duration::from_secs(5) + SLACK, "it took {took:?}");
    assert_eq!(export.status, Some(130), "{export:?}");
    // On a very busy machine it is ended from outside: no half a file then either.
    if !export.stderr.contains("before all that was complete") {
        assert_eq!(export.stderr, format!("kanzen: stopped; {} was not written\n", file.display()));
    }
    assert_eq!(data.files().len(), files, "nothing is left behind");
}

#[test]
fn every_solver_stops_within_five_seconds() {
    let _exclusive = crate::exclusive();
    // Sets of positions, classes of slots, a search, boards, and a game by its rules that is still being listed.
    for game in ["nocca-4x5", "musashi-31", "morris-7", "othello-6x6", "ostle-8", "dobutsu"] {
        let data = Data::new();
        let (ran, took) = stopped(&data, &format!("solve {game} --quiet"), Duration::from_secs(2));
        assert!(matches!(ran.status, Some(0 | 130)), "{game}: {ran:?}");
        assert!(took < Duration::from_secs(5) + SLACK, "{game} took {took:?}: {ran:?}");
        assert!(ran.status == Some(0) || ran.complained_once(), "{game}: {ran:?}");
    }
}
