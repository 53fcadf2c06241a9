//! How NOCCA x NOCCA is solved: sets of positions as bits, a sweep over lifted boards for each ply.
//!
//! ```text
//! rounds    which positions are decided in 0, 1, 2, ... plies
//! sweep     all positions with a move into a set, on several threads
//! plan      how one lifted slab is swept: which bits to gather, where to spread them
//! run       the same for the boards of a slab that share all but their lower part
//! kernel    gather, neighbours, spread
//! boards    the same for some boards of a run at once
//! tile      the sets of these boards
//! few       a round after one that has found little: one position at a time
//! steps     the moves of a single position
//! windows   an array in parts, so that not all that a round finds is in memory at once
//! ```
//!
//! [`kanzen::solve::rounds::solve`] plays the rounds and stores them.

mod boards;
mod census;
pub mod few;
mod forecast;
pub mod kernel;
pub mod lifts;
pub mod plan;
mod rounds;
mod run;
pub mod set;
pub mod steps;
mod stuck;
mod sweep;
mod tile;
pub mod windows;

#[cfg(test)]
pub use rounds::Arrays;
pub use rounds::NoccaRounds;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::query::ALL_POSITIONS;
use kanzen::solve::{Counting, Forecast, Job, Solution, SolvedClass, Solver};
use serde_json::json;

use self::census::{NoccaCensus, census};
use super::index::NoccaIndex;
use super::opener::{Sweeps, label};
use super::rules::Nocca;

impl Solver<Nocca> for Sweeps {
    fn forecast(&self, game: &Nocca) -> Forecast {
        forecast::of(game.rows, game.columns)
    }

    fn counting(&self) -> Counting {
        Counting::All
    }

    fn solve(&self, game: &Nocca, job: &Job<'_>) -> Result<Solution, Error> {
        let index = NoccaIndex::new(game);
        let rounds = kanzen::solve::rounds::solve(&NoccaRounds::new(index.layout()), job)?;
        let NoccaCensus { up_to_symmetry: tally, all } = census(index.layout(), &rounds);
        Ok(Solution {
            settings: [(ALL_POSITIONS.to_owned(), json!(all))].into_iter().collect(),
            classes: vec![SolvedClass { label: label(), slots: tally.positions(), tally }],
            files: index.classes().iter().map(|class| class.plane_file()).collect(),
        })
    }
}
