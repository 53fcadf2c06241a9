//! Prints a table of board scores from the start: `othello-boards [--orders] THREADS MEGABYTES BOARD...`.
//!
//! A board is `6x6` or `6x6-parallel`. With `--orders` each is solved twice, first without learned move ordering. Each
//! search starts with an empty table. The table lists processor time besides wall-clock time, which depends on other
//! load.

use std::io::Write;
use std::process::ExitCode;

use kanzen::progress::Silent;
use kanzen::{Error, Game};
use kanzen_core::machine::cpu::Isa;
use kanzen_games::othello::{Checkpointer, Table};
use kanzen_games::othello::{Engine, Othello, Start};

/// The processor time of this process in seconds, where the system reports it.
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

/// Score, positions, seconds and processor seconds of one search, separated by commas.
fn solved(game: &Othello, threads: usize, megabytes: usize, learned: bool) -> Result<String, Error> {
    let before = processor_seconds();
    let table = Table::new(megabytes << 20)?;
    let engine = Engine { game, table: &table, threads, isa: Isa::best(), learned, deadline: None };
    let found = engine.score(game.initial(), None, Checkpointer::none(), &Silent)?;
    let processor = processor_seconds() - before;
    Ok(format!("{},{},{:.3},{processor:.2}", found.score, found.positions, found.seconds))
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let both = arguments.first().is_some_and(|first| first == "--orders");
    println!("# othello-boards {}", arguments.join(" "));
    if both {
        arguments.remove(0);
    }
    let numbers: Vec<usize> = arguments.iter().take(2).filter_map(|text| text.parse().ok()).collect();
    let (&[threads, megabytes], true) = (&numbers[..], arguments.len() > 2) else {
        eprintln!("usage: othello-boards [--orders] THREADS MEGABYTES BOARD...");
        return ExitCode::from(2);
    };
    println!("board,{}score,positions,seconds,processor_seconds", if both { "order," } else { "" });
    for board in &arguments[2..] {
        let Some(game) = read_board(board) else {
            eprintln!("{board} is not a board: expected RxC, at least 3 each and at most 64 squares, or RxC-parallel");
            return ExitCode::from(2);
        };
        let orders: &[(&str, bool)] = if both { &[("counted,", false), ("learned,", true)] } else { &[("", true)] };
        for &(order, learned) in orders {
            match solved(&game, threads, megabytes, learned) {
                Ok(row) => println!("{board},{order}{row}"),
                Err(problem) => {
                    eprintln!("{problem}");
                    return ExitCode::from(2);
                }
            }
            let _ = std::io::stdout().flush();
        }
    }
    ExitCode::SUCCESS
}
