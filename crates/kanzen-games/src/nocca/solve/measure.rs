//! How fast the sweeps are.

use std::time::Duration;

use kanzen::Error;
use kanzen::progress::Silent;
use kanzen::solve::rounds::Rounds;
use rayon::prelude::*;

use super::rounds::{Arrays, NoccaRounds, array_of, is_last};
use super::set::Log;
use crate::nocca::index::layout::Layout;

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
    let logged = NoccaRounds::new(&layout);
    let mut arrays = Arrays::new(&layout)?;
    let mut measured = Vec::new();
    for distance in 0..=rounds {
        let chunks = logged.shapes()[array_of(distance) as usize].chunks();
        let drop_log: Log<'_> = &|make| {
            (0..chunks).into_par_iter().for_each(|chunk| drop(make(chunk)));
            Ok(())
        };
        let played = arrays.play(distance, drop_log, &Silent)?;
        let positions = played.counts.up_to_mirror();
        measured.push(MeasuredRound { distance, positions, lifted: played.lifted, sweep: played.sweep });
        if is_last(distance, &played.counts) {
            break;
        }
    }
    Ok(measured)
}
