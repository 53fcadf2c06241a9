//! What a solve will cost, before it starts.

use kanzen::solve::Forecast;

use super::engine::{memory, schedule};
use crate::musashi::board::Board;
use crate::musashi::counts;
use crate::musashi::index::layout::Layout;

/// The forecast, after the runs in `results/`: the smaller the board, the more bytes a position takes.
pub fn of(board: &Board, layout: &Layout) -> Forecast {
    let stored = ((layout.stored().len() as u64) << layout.bits()) as f64;
    Forecast {
        positions: Some(counts::positions(board)),
        seconds: 0.5 + stored * 4.7e-9,
        memory_bytes: memory(layout, schedule(board, layout).buffers) + (16 << 20),
        data_bytes: (stored * 0.0283) as u64 + (12 << 20),
        // All logs, and the planes that replace them one by one: never much more than the finished database.
        disk_bytes: (stored * 0.03) as u64 + (16 << 20),
    }
}
