//! A solve that is killed or asked to stop at any moment goes on, and ends with the same bytes.

use std::collections::BTreeMap;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Data, Dice, wait};

/// The files of an undisturbed solve, and how long it took.
fn undisturbed(line: &str) -> (BTreeMap<String, Vec<u8>>, Duration) {
    let data = Data::new();
    let start = Instant::now();
    let ran = data.run(line);
    assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
    (data.files(), start.elapsed())
}

/// Kills a solve at scattered moments again and again, lets it end, and compares.
fn killed_again_and_again(game: &str, rounds: u64, kills: u64) {
    let line = format!("solve {game} --checkpoint-seconds 0 --threads 2");
    let (files, mut whole) = undisturbed(&line);
    let mut dice = Dice(game.len() as u64);
    let (mut hits, mut resumed) = (0, 0);
    for round in 0..rounds {
        let data = Data::new();
        for _ in 0..kills {
            let mut solve = data.start(&line);
            sleep(Duration::from_micros(dice.below(whole.as_micros() as u64 + 1)));
            let alive = solve.try_wait().unwrap().is_none();
            solve.kill().unwrap(); // SIGKILL
            solve.wait().unwrap();
            hits += u64::from(alive);
            if !alive {
                // The first run met a busier machine: kill sooner.
                whole = whole * 3 / 4;
            }
            resumed +=
                u64::from(data.files().keys().any(|name| name.ends_with(".checkpoint") || name.ends_with(".plane")));
            if data.join(game).exists() {
                break;
            }
        }
        let ran = data.run(&line);
        assert_eq!(ran.status, Some(0), "round {round}: {ran:?}");
        assert!(data.files() == files, "round {round} of {game} has other bytes");
    }
    assert!(hits >= rounds, "only {hits} kills hit a solve of {game}");
    assert!(resumed > 0, "no kill of {game} came after the first checkpoint");
}

#[test]
fn a_killed_solve_of_one_class_ends_with_the_same_bytes() {
    let _exclusive = crate::exclusive();
    killed_again_and_again("nocca-3x3", 4, 8);
}

#[test]
fn a_killed_solve_of_many_classes_ends_with_the_same_bytes() {
    let _exclusive = crate::exclusive();
    killed_again_and_again("tictactoe", 6, 8);
}

#[test]
fn a_killed_search_goes_on_from_its_proofs_and_ends_with_the_same_bytes() {
    let _exclusive = crate::exclusive();
    killed_again_and_again("othello-5x5", 4, 4);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let _exclusive = crate::exclusive();
    for game in ["nocca-3x3", "tictactoe"] {
        let (one, _) = undisturbed(&format!("solve {game} --threads 1"));
        for threads in [2, 3, 7] {
            let (many, _) = undisturbed(&format!("solve {game} --threads {threads} --checkpoint-seconds 0"));
            assert!(one == many, "{game} on {threads} threads has other bytes");
        }
    }
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{signal}"), process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Whether every thread of a process that was sent SIGSTOP stands still: a signal is sent before it is obeyed.
fn stands_still(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    threads.map(|thread| std::fs::read_to_string(thread.unwrap().path().join("stat"))).all(|stat| {
        // `12 (kanzen) T ...`; a thread that ended between the two readings has no such file.
        stat.map_or(true, |line| line.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['T', 'Z', 'X'])))
    })
}

/// Starts a solve and holds it in the midst of its work, once a file of it is there; nothing if it was over before.
fn held(data: &Data, line: &str, file: &str) -> Option<Child> {
    let solve = data.start(line);
    let finished = data.join("stones-3000");
    while !data.join("stones-3000.part").join(file).exists() && !finished.exists() {
        sleep(Duration::from_millis(1));
    }
    send("STOP", solve.id());
    while !stands_still(solve.id()) {
        sleep(Duration::from_millis(1));
    }
    // Between the look at the file and the halt a busy machine may have let it come to its end.
    if finished.exists() {
        send("CONT", solve.id());
        wait(solve);
        return None;
    }
    Some(solve)
}

/// Asks a solve to stop once its first checkpoint is there. Returns whether the signal came in time.
fn asked_to_stop(signal: &str) -> bool {
    let line = "solve stones-3000 --checkpoint-seconds 0";
    let data = Data::new();
    let checkpoint = data.join("stones-3000.part").join("class-0.checkpoint");
    let Some(solve) = held(&data, line, "class-0.checkpoint") else { return false };
    send(signal, solve.id());
    send("CONT", solve.id());
    let stopped = wait(solve);
    if stopped.status == Some(0) {
        return false;
    }
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert_eq!(stopped.stdout, "");
    assert_eq!(stopped.stderr, "kanzen: stopped: the same command goes on from here\n");
    assert!(checkpoint.exists());
    let ended = data.run(line);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(data.files() == undisturbed(line).0, "after SIG{signal} the bytes are others");
    true
}

#[test]
fn ctrl_c_writes_a_checkpoint_and_leaves() {
    let _exclusive = crate::exclusive();
    // On a busy machine a solve may be over before its signal.
    assert!((0..20).any(|_| asked_to_stop("INT")));
}

#[test]
fn sigterm_does_the_same() {
    let _exclusive = crate::exclusive();
    assert!((0..20).any(|_| asked_to_stop("TERM")));
}

#[test]
fn while_a_solve_is_at_work_another_is_refused_and_a_question_waits() {
    let _exclusive = crate::exclusive();
    let (data, first) = (0..20)
        .map(|_| Data::new())
        .find_map(|data| held(&data, "solve stones-3000", "state.json").map(|solve| (data, solve)))
        .expect("a solve that is still at work");
    let second = data.run("solve stones-3000");
    assert!(second.refused() && second.stderr.contains("another solve is at work"), "{second:?}");
    let question = data.start("probe stones-3000 --json");
    send("CONT", first.id());
    assert_eq!(wait(first).status, Some(0));
    let answer = wait(question);
    assert_eq!(answer.status, Some(0), "{answer:?}");
    assert_eq!(answer.stdout, data.stdout("probe stones-3000 --json"));
}

#[test]
fn a_damaged_checkpoint_is_noted_and_done_again() {
    let _exclusive = crate::exclusive();
    let line = "solve stones-300 --checkpoint-seconds 0";
    let (files, whole) = undisturbed(line);
    let data = Data::new();
    let checkpoint = data.join("stones-300.part").join("class-0.checkpoint");
    let mut dice = Dice(3);
    for _ in 0..1000 {
        let mut solve = data.start(line);
        sleep(Duration::from_micros(dice.below(whole.as_micros() as u64)));
        solve.kill().unwrap();
        solve.wait().unwrap();
        if checkpoint.exists() {
            break;
        }
        std::fs::remove_dir_all(data.path().join("stones-300")).ok();
    }
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    std::fs::write(&checkpoint, bytes).unwrap();
    let ran = data.run(line);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("class-0.checkpoint is damaged at"), "{ran:?}");
    assert!(data.files() == files);
}
