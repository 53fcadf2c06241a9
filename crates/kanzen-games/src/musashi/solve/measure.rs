//! How fast the two halves of a round are, against plain copying.

use std::time::Instant;

use kanzen::Error;
use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::Rounds;
use rayon::prelude::*;

use super::rounds::MusashiRounds;
use super::schedule::Step;
use crate::musashi::index::MusashiIndex;
use crate::musashi::rules::Musashi;

/// One half of a round: how long it took, and how many bytes of sets it had to read and write at least.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Phase {
    /// The round.
    pub round: usize,
    /// `lose` or `win`.
    pub name: &'static str,
    /// By the clock.
    pub seconds: f64,
    /// Each set once: those read, and those written.
    pub bytes: u64,
}

impl Phase {
    /// Bytes by time, in gigabytes a second.
    pub fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.seconds / 1e9
    }
}

/// Plays the first rounds on a board, without a log, in the current pool of threads.
pub fn first_rounds(game: &Musashi, isa: Isa, rounds: usize) -> Result<Vec<Phase>, Error> {
    let index = MusashiIndex::new(game);
    let plan = MusashiRounds::new(game.board(), &index, isa);
    let mut engine = plan.begin()?;
    let set = 1u64 << index.layout().bits() >> 3;
    let mut phases = Vec::new();
    for round in 0..rounds {
        let mut lose = Phase { round, name: "lose", seconds: 0.0, bytes: 0 };
        let mut win = Phase { round, name: "win", seconds: 0.0, bytes: 0 };
        for &step in plan.steps() {
            let start = Instant::now();
            match step {
                Step::Lose { point, room } => {
                    engine.lose(point, room);
                    lose.seconds += start.elapsed().as_secs_f64();
                    lose.bytes += (engine.reads(point) as u64 + 1) * set;
                }
                Step::Win { point, room } => {
                    engine.win(point, room, |make| {
                        (0..plan.shapes()[point].chunks()).into_par_iter().for_each(|chunk| drop(make(chunk)));
                        Ok(())
                    })?;
                    win.seconds += start.elapsed().as_secs_f64();
                    win.bytes += 3 * set; // the lost set is read, the won set read and written
                }
            }
        }
        engine.end_round();
        phases.extend([lose, win]);
    }
    Ok(phases)
}
