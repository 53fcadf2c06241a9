//! Learns the order of moves of the 6x6 board: `othello-train FILE [POSITIONS A STAGE]`.

use std::process::ExitCode;

use kanzen_games::othello::search::learned::train;
use kanzen_games::othello::{Othello, Start, flips};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: othello-train FILE [POSITIONS A STAGE]");
        return ExitCode::from(2);
    };
    let positions = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let game = Othello::new(6, 6, Start::Cross).expect("a board");
    let kernel = flips::avx512::Avx512::detect().unwrap();
    let weights = train::train(&game, kernel, positions, |progress| {
        println!("stage {}: {} positions, error {:.2} discs", progress.stage, progress.positions, progress.error);
    });
    match weights {
        Ok(Some(weights)) => std::fs::write(file, weights).expect("written"),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}
