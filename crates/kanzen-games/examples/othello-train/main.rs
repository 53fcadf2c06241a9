//! Learns the order of moves of the 6x6 board: `othello-train FILE [POSITIONS A STAGE]`.
//!
//! The file in the repository was made with
//! `cargo run --release -p kanzen-games --example othello-train -- crates/kanzen-games/src/othello/solve/search/learned/learned-6x6.weights 200000`
//! and the same bytes come out each time.

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
    let tell = |progress: train::Progress| {
        println!("stage {}: {} positions, error {:.2} discs", progress.stage, progress.positions, progress.error);
    };
    #[cfg(target_arch = "x86_64")]
    let weights = match kanzen::machine::cpu::Isa::best().avx2() {
        Some(kernel) => train::train(&game, kernel, positions, tell),
        None => train::train(&game, Portable, positions, tell),
    };
    #[cfg(not(target_arch = "x86_64"))]
    let weights = train::train(&game, Portable, positions, tell);
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
