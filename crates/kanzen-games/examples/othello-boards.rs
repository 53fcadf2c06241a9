//! Scores of boards from their starts, as a table: `othello-boards [--counted] THREADS MEGABYTES BOARD...`.
//!
//! A board is `6x6` or `6x6-parallel`. `--counted` leaves the learned order of moves out. Each board starts with an
//! empty table. Time of the processor is given beside that of the clock, which suffers from whatever else runs.

use std::io::Write;
use std::process::ExitCode;

use kanzen::Game;
use kanzen::progress::Silent;
use kanzen::solve::search::{NoKeeper, Table};
use kanzen_games::othello::{Engine, Othello, Speed, Start};

/// Seconds of the processor that this process has used, where the system tells.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn read_board(text: &str) -> Option<Othello> {
    let (size, start) = match text.strip_suffix("-parallel") {
        Some(size) => (size, Start::Parallel),
        None => (text, Start::Cross),
    };
    let (rows, columns) = size.split_once('x')?;
    Othello::new(rows.parse().ok()?, columns.parse().ok()?, start)
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let learned = arguments.first().is_none_or(|first| first != "--counted");
    if !learned {
        arguments.remove(0);
    }
    let numbers: Vec<usize> = arguments.iter().take(2).filter_map(|text| text.parse().ok()).collect();
    let ([threads, megabytes], true) = (&numbers[..], arguments.len() > 2) else {
        eprintln!("usage: othello-boards [--counted] THREADS MEGABYTES BOARD...");
        return ExitCode::from(2);
    };
    println!("# othello-boards {}", std::env::args().skip(1).collect::<Vec<_>>().join(" "));
    println!("board,score,positions,seconds,processor_seconds");
    for board in &arguments[2..] {
        let Some(game) = read_board(board) else {
            eprintln!("{board} is no board: expected RxC, at least 3 each and at most 64 squares, or RxC-parallel");
            return ExitCode::from(2);
        };
        let before = processor_seconds();
        let found = Table::new(megabytes << 20).and_then(|table| {
            let threads = *threads;
            let engine = Engine { game: &game, table: &table, threads, speed: Speed::Best, learned, patience: None };
            engine.score(game.initial(), None, &mut NoKeeper, &Silent)
        });
        match found {
            Ok(found) => {
                let processor = processor_seconds() - before;
                println!("{board},{},{},{:.3},{processor:.2}", found.score, found.positions, found.seconds);
            }
            Err(problem) => {
                eprintln!("{problem}");
                return ExitCode::from(2);
            }
        }
        let _ = std::io::stdout().flush();
    }
    ExitCode::SUCCESS
}
