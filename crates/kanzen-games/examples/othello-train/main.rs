//! Trains the move ordering of the 6x6 board: `othello-train FILE [POSITIONS A STAGE]`.
//!
//! `cargo run --release -p kanzen-games --example othello-train --
//! crates/kanzen-games/src/othello/solve/search/learned/learned-6x6.weights 200000` made the file in the repository.
//! The output is deterministic.

mod train;

use std::process::ExitCode;

use kanzen_games::othello::flips::Portable;
use kanzen_games::othello::{Othello, Start};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: othello-train FILE [POSITIONS A STAGE]");
        return ExitCode::from(2);
    };
    let positions = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let Some(game) = Othello::new(6, 6, Start::Cross) else { return ExitCode::from(2) };
    let report = |progress: train::Progress| {
        println!("stage {}: {} positions, error {:.2} discs", progress.stage, progress.positions, progress.error);
    };
    #[cfg(target_arch = "x86_64")]
    let weights = match kanzen_core::machine::cpu::Isa::best().avx2() {
        Some(kernel) => train::train(&game, kernel, positions, report),
        None => train::train(&game, Portable, positions, report),
    };
    #[cfg(not(target_arch = "x86_64"))]
    let weights = train::train(&game, Portable, positions, report);
    let written = match weights {
        Ok(Some(weights)) => {
            std::fs::write(&file, weights).map_err(|problem| format!("cannot write {file}: {problem}"))
        }
        Ok(None) => Err("there are no patterns for this board".to_owned()),
        Err(problem) => Err(problem.to_string()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}
