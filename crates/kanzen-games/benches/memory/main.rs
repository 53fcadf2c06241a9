//! Checks that solves stay within the memory that their solvers reserved: some games for each solver, each in its own
//! process.
//!
//! `cargo bench -p kanzen-games --bench memory [-- GAME...]` prints a line for each game and fails if one exceeds 1.05
//! times its reservation plus 64 MB. `rules:nocca-3x4` is NOCCA from its rules alone; animal shogi (`dobutsu`) is
//! measured only on request.

mod case;

use std::process::{Command, ExitCode};

use case::Case;

const GAMES: [&str; 11] = [
    "tictactoe",
    "rules:nocca-3x4",
    "rules:nocca-4x4",
    "nocca-4x4",
    "musashi-25",
    "morris-6",
    "morris-7",
    "ostle-8",
    "othello-4x4",
    "othello-4x6",
    "othello-5x5",
];

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [one, id, threads] = &arguments[..]
        && one == "--one"
    {
        Case::solve(id, threads.parse()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let games: Vec<&str> =
        if arguments.is_empty() { GAMES.into() } else { arguments.iter().map(String::as_str).collect() };
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let mut all_hold = true;
    println!("{:<18}{:>8}{:>14}{:>12}{:>8}{:>10}", "game", "threads", "reserved MB", "peak MB", "ratio", "seconds");
    for id in games {
        for threads in [1, 2] {
            let mut process = Command::new(std::env::current_exe()?);
            let case = Case::of(process.args(["--one", id, &threads.to_string()]))?;
            let Case { reserved, peak, seconds } = case;
            let verdict = if case.holds() { "" } else { "  more than reserved" };
            println!(
                "{id:<18}{threads:>8}{:>14.1}{:>12.1}{:>8.2}{seconds:>10.2}{verdict}",
                megabytes(reserved),
                megabytes(peak),
                peak as f64 / reserved.max(1) as f64,
            );
            all_hold &= case.holds();
        }
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
