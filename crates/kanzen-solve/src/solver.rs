//! The interface of a solver: forecast and solve.

use super::{Counting, Forecast, Job, Solution};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::Error;

/// A way to solve a game.
///
/// Required: [`forecast`](Solver::forecast), without which a solve could not be refused before it starts, and
/// [`solve`](Solver::solve).
pub trait Solver<G: Game>: Send + Sync {
    /// The forecast cost of a solve. It may take some work, so it is called only when the cost is needed.
    fn forecast(&self, game: &G) -> Forecast;

    /// The least memory that it can work with, if that is less than the forecast. Optional: else a solve is
    /// refused where the forecast does not fit.
    fn least_memory(&self, _game: &G) -> Option<u64> {
        None
    }

    /// Which positions the forecast counts.
    fn counting(&self) -> Counting {
        Counting::UpToSymmetry
    }

    /// Whether several processes can solve it together: then [`solve`](Solver::solve) uses [`Job::mesh`], and its
    /// [`Solution`] counts only with the first of them. Optional: else one process does it alone.
    fn shares(&self) -> bool {
        false
    }

    /// Solves the game, resuming from what the job's store has of it, and returns what it leaves there.
    fn solve(&self, game: &G, job: &Job<'_>) -> Result<Solution, Error>;
}
