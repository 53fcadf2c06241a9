//! Times the rounds of NOCCA x NOCCA, sweep by sweep.

use std::slice::from_ref;
use std::time::Duration;

use kanzen::Error;
use kanzen::progress::Silent;
use kanzen_games::nocca::{Nocca, NoccaIndex, NoccaRounds};
use kanzen_solve::rounds::Rounds;
use rayon::prelude::*;

/// One round.
pub struct MeasuredRound {
    /// The distance of the positions it finds.
    pub distance: usize,
    /// New positions, up to mirror images.
    pub positions: u64,
    /// Lifted boards that the sweep visited.
    pub lifted: u64,
    /// The time of the sweep.
    pub sweep: Duration,
}

/// Runs the first rounds of a board, without a log, in the current thread pool.
pub fn measure(game: &Nocca, most: usize) -> Result<Vec<MeasuredRound>, Error> {
    let index = NoccaIndex::new(game);
    let rounds = NoccaRounds::new(index.layout());
    let mut arrays = rounds.begin()?;
    let mut measured = Vec::new();
    for distance in 0..=most {
        let played = arrays.play(
            distance,
            &mut |chunks, make| {
                chunks.into_par_iter().for_each(|chunk| drop(make(chunk)));
                Ok(())
            },
            &Silent,
        )?;
        let positions = rounds.found(from_ref(&played.counts));
        measured.push(MeasuredRound { distance, positions, lifted: played.lifted, sweep: played.sweep });
        if rounds.is_last(distance, &played.counts) {
            break;
        }
    }
    Ok(measured)
}
