//! Limits of memory: of the system, of the options, and of what a question takes.

use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::Data;

/// What is at work for so long below a limit has enough: the rest of a solve takes no more.
const AT_WORK: Duration = Duration::from_secs(8);

/// Runs a line below a limit of so many kilobytes of address space.
fn below(limit: u32, data: &Data, line: &str) -> Output {
    limited(limit, data, line).output().unwrap()
}

/// The same, or nothing if it is still at work after a while: it is ended then.
fn begun_below(limit: u32, data: &Data, line: &str) -> Option<Output> {
    let mut child = limited(limit, data, line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > AT_WORK {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(5));
    }
    Some(child.wait_with_output().unwrap())
}

fn limited(limit: u32, data: &Data, line: &str) -> Command {
    let script = format!("ulimit -v {limit} || exit 99; shift; exec \"$0\" --data \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_kanzen"), "-"]).arg(data.path()).args(line.split(' '));
    command.env_remove("KANZEN_DATA").stdin(Stdio::null());
    command
}

/// The binaries of tests are larger than the program: what they map counts.
const LIMITS: [u32; 5] = [60_000, 90_000, 120_000, 200_000, 400_000];

#[test]
fn an_allocation_that_fails_gives_one_line_and_status_2() {
    let _exclusive = crate::exclusive();
    let lines = [
        "games",
        "solve tictactoe",
        "probe tictactoe",
        "line tictactoe",
        "stats tictactoe",
        "verify tictactoe",
        "solve nocca-3x3",
        "solve musashi-25",
        "solve morris-6",
        "probe othello-5x5",
        "count morris-5",
        "reach ostle-8 --depth 2",
    ];
    let mut refused = 0;
    for line in lines {
        for limit in LIMITS {
            let Some(output) = begun_below(limit, &Data::new(), &format!("{line} --quiet")) else { break };
            let stderr = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                // What is enough once is enough with more.
                Some(0) => break,
                // Too little for the loader of programs: nothing of ours has run.
                Some(127) => {}
                Some(2) => {
                    refused += 1;
                    let one_line = stderr.starts_with("kanzen: ") && stderr.lines().count() == 1;
                    assert!(one_line, "{limit} kB, {line}: {stderr}");
                }
                other => panic!("{limit} kB, {line}: {other:?} {:?} {stderr}", output.status),
            }
        }
    }
    assert!(refused > 3, "the limits were met {refused} times only");
}

#[test]
fn a_small_solve_takes_no_memory_for_its_forecast() {
    let _exclusive = crate::exclusive();
    let report = Data::new().stdout("solve nocca-3x2 --json --quiet");
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let peak = report["peak_rss_bytes"].as_u64().unwrap();
    // The probes of the machine's speed alone would take more.
    assert!(peak < 60 << 20, "{peak}");
}

#[test]
fn a_limit_of_the_system_counts_as_the_memory_there_is() {
    let _exclusive = crate::exclusive();
    let output = below(400_000, &Data::new(), "solve nocca-4x5 --quiet");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    // The machine may have hundreds of gigabytes: what may be used is less than the limit.
    let allowed = stderr.split(" of memory, ").nth(1).unwrap_or_else(|| panic!("{stderr}"));
    assert!(allowed.contains(" MB may be used"), "{stderr}");
    assert!(stderr.contains("the limits of the system leave"), "{stderr}");
    // Whatever the options allow.
    let output = below(400_000, &Data::new(), "solve nocca-4x5 --quiet --memory 100GB");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_few_plies_of_a_large_game_take_little_memory() {
    let _exclusive = crate::exclusive();
    // All boards of the game would take gigabytes.
    let output = below(600_000, &Data::new(), "reach ostle --depth 6 --json --quiet");
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let layers = stdout.matches("\"plies\":").count();
    assert_eq!(layers, 7, "{stdout}");
}

#[test]
fn the_second_zdd_is_refused_with_a_figure_that_will_do() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let ran = data.run("count morris-7 --zdd --quiet --memory 20MB");
    assert!(ran.refused(), "{ran:?}");
    let (_, figure) = ran.stderr.trim_end().split_once("raise --memory to ").unwrap_or_else(|| panic!("{ran:?}"));
    assert!(ran.stderr.contains("the second ZDD needs ") && figure.ends_with(" MB"), "{ran:?}");
    data.stdout(&format!("count morris-7 --zdd --quiet --memory {}", figure.replace(' ', "")));
}

#[test]
fn a_small_board_needs_little_memory() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    data.stdout("solve nocca-3x2 --memory 10MB");
}

#[test]
fn a_solve_of_more_than_a_day_asks_for_a_yes() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let ran = data.run("solve othello-8x8");
    assert!(ran.refused(), "{ran:?}");
    assert!(ran.stderr.contains(" on this machine: pass --yes to start anyway"), "{ran:?}");
    assert!(data.files().is_empty());
}

#[test]
fn a_long_solve_begins_with_what_it_will_take() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let mut solve = data.start("solve nocca-5x5 --memory 8GB");
    sleep(Duration::from_secs(3));
    solve.kill().unwrap();
    let ran = crate::common::wait(solve);
    let first = ran.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("nocca-5x5: about ") && first.contains(" of memory, "), "{ran:?}");
    assert!(first.contains(" of disk and "), "{ran:?}");
}

/// The table of a search is what its memory goes to.
#[test]
fn a_question_that_is_searched_keeps_to_memory_and_threads() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    data.stdout("solve othello-5x5 --quiet");
    let position = "XXXX./OOOOX/XXXXO/OOOOX/XXX.. O";
    let output = below(160_000, &data, &format!("probe othello-5x5 --memory 32MB --threads 1 --json {position}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
}
