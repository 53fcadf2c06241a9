//! How fast the sweeps are.

use std::time::Duration;

use kanzen::Error;
use kanzen::progress::Silent;
use kanzen::store::SparseChunk;
use rayon::prelude::*;

use super::layout::{Array, Layout};
use super::rounds::{Rounds, is_last};
use super::sweep::Sweeper;

/// One round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeasuredRound {
    /// The distance of the positions it finds.
    pub distance: usize,
    /// New positions, up to mirror images.
    pub positions: u64,
    /// Lifted boards that the sweep visited.
    pub lifted: u64,
    /// How long the sweep took.
    pub sweep: Duration,
}

/// Plays the first rounds of a board, without a log, in the current pool of threads.
pub fn measure(rows: usize, columns: usize, rounds: usize) -> Result<Vec<MeasuredRound>, Error> {
    let layout = Layout::new(rows, columns);
    let sweepers = [Array::Losses, Array::Wins].map(|array| Sweeper::new(&layout, array));
    let mut sets = Rounds::new(&layout)?;
    let mut measured = Vec::new();
    let mut drop_log = |chunks: u64, make: &(dyn Fn(u64) -> SparseChunk + Sync)| {
        (0..chunks).into_par_iter().for_each(|chunk| drop(make(chunk)));
        Ok(())
    };
    for distance in 0..=rounds {
        let played = sets.play(distance, &sweepers, &mut drop_log, &Silent)?;
        let positions = played.counts.up_to_mirror();
        measured.push(MeasuredRound { distance, positions, lifted: played.lifted, sweep: played.sweep });
        if is_last(distance, &played.counts) {
            break;
        }
    }
    Ok(measured)
}
