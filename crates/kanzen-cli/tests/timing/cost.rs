//! Measures what a query costs as a process, from its start to its end.

use std::time::Duration;

use crate::common::Data;

/// The time that all children so far have spent on the processor.
fn children() -> Duration {
    // SAFETY: a `rusage` of zeros is valid, and the call writes to nothing else.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let time = |time: libc::timeval| Duration::from_micros(time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// All in one test: children of another would be counted too.
#[test]
fn a_probe_costs_a_few_milliseconds() {
    let _exclusive = crate::exclusive();
    // What the tests run is hardly optimised and full of checks.
    let most = Duration::from_millis(if cfg!(debug_assertions) { 60 } else { 20 });
    let data = Data::new();
    for game in ["tictactoe", "stones-21", "nocca-3x4", "nocca-4x4", "morris-3", "morris-5", "othello-4x4"] {
        data.run(&format!("solve {game}"));
        let mut costs = [0; 5].map(|_| {
            let before = children();
            data.stdout(&format!("probe {game} --json"));
            children() - before
        });
        costs.sort();
        assert!(costs[2] <= most, "{game}: {costs:?}");
    }
}
