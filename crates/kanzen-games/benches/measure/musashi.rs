//! Times the first rounds of Sixteen Musashi, phase by phase.

use std::time::Instant;

use kanzen::Error;
use kanzen_core::machine::cpu::Isa;
use kanzen_games::musashi::sets::ScheduleStep;
use kanzen_games::musashi::{Musashi, MusashiIndex, MusashiRounds};
use kanzen_solve::rounds::Rounds;
use rayon::prelude::*;

/// One phase of a round.
pub struct Phase {
    /// The round, from 0.
    pub round: usize,
    /// "lose" or "win".
    pub name: &'static str,
    /// The elapsed time.
    pub seconds: f64,
    /// The bytes of the sets read and written, each counted once.
    pub bytes: u64,
}

/// Runs the first rounds of a board, without a log, in the current thread pool.
pub fn first_rounds(game: &Musashi, isa: Isa, most: usize) -> Result<Vec<Phase>, Error> {
    let index = MusashiIndex::new(game);
    let rounds = MusashiRounds::new(game.board(), &index, isa);
    let mut engine = rounds.begin()?;
    let bytes = 1u64 << index.layout().bits() >> 3;
    let mut phases = Vec::new();
    for round in 0..most {
        let mut lose = Phase { round, name: "lose", seconds: 0.0, bytes: 0 };
        let mut win = Phase { round, name: "win", seconds: 0.0, bytes: 0 };
        for &step in rounds.steps() {
            let start = Instant::now();
            match step {
                ScheduleStep::Make { set, buffer } => {
                    engine.make_lost(set, buffer);
                    lose.seconds += start.elapsed().as_secs_f64();
                    lose.bytes += (engine.reads(set) as u64 + 1) * bytes;
                }
                ScheduleStep::Renew { set, buffer } => {
                    engine.extend_won(set, buffer, |make| {
                        (0..rounds.shapes()[set].chunks()).into_par_iter().for_each(|chunk| drop(make(chunk)));
                        Ok(())
                    })?;
                    win.seconds += start.elapsed().as_secs_f64();
                    win.bytes += 3 * bytes; // the lost set is read, the won set read and written
                }
            }
        }
        engine.end_round();
        phases.extend([lose, win]);
    }
    Ok(phases)
}
