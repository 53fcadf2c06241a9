//! What solving Ostle costs: as complete runs were measured.

use kanzen::solve::Forecast;

use crate::ostle::ko::Ko;
use crate::ostle::rules::Ostle;

/// The cost of a game with at most so many pieces on the board, and its positions as they were counted.
pub fn forecast(game: &Ostle) -> Forecast {
    let forecast = |seconds, memory_bytes, data_bytes| {
        // A group in work keeps its checkpoint beside the classes that are finished.
        let disk_bytes = data_bytes + memory_bytes / 2;
        Forecast { positions: None, seconds, memory_bytes, data_bytes, disk_bytes }
    };
    match game.pieces() {
        8 => forecast(60.0, 900 << 20, 200 << 20),
        9 => forecast(600.0, 5 << 30, 1 << 30),
        _ => {
            let positions = match game.ko() {
                Ko::Literal => 11_148_698_197,
                Ko::Symmetric => 11_148_725_918,
            };
            Forecast { positions: Some(positions), ..forecast(1800.0, 8 << 30, 2_500_000_000) }
        }
    }
}
