//! What a solve will cost, before it starts.

use kanzen::catalogue::Forecast;

use super::board::Board;
use super::engine;
use super::layout::Layout;

/// Bytes of memory at the peak.
pub fn memory(board: &Board) -> u64 {
    engine::memory(board)
}

fn positions(board: &Board) -> u64 {
    let layout = Layout::new(board);
    (layout.stored().len() as u64) << layout.bits()
}

/// Bytes of disk at the peak: all logs, and the planes that replace them one by one. Together they were never much
/// more than the finished database.
pub fn disk(board: &Board) -> u64 {
    (positions(board) as f64 * 0.03) as u64 + (16 << 20)
}

/// The whole forecast, after the runs in `results/`: the smaller the board, the more bytes a position takes.
pub fn of(board: &Board) -> Forecast {
    let positions = positions(board) as f64;
    Forecast {
        seconds: 0.3 + positions * 4.5e-9,
        memory_bytes: memory(board),
        data_bytes: (positions * 0.0235) as u64 + (12 << 20),
    }
}
