//! How Sixteen Musashi is solved, set at a time ([`kanzen::solve::rounds`]).
//!
//! ```text
//! rounds          what a round is, and how its sets are stored
//! engine          the sets, block by block, where anything can have changed
//! black, brown    the two halves of a round: what black loses, what brown wins
//! orbits, census  how many positions that are, up to symmetry
//! ```

mod black;
mod brown;
mod census;
mod engine;
mod forecast;
mod orbits;
mod rounds;

pub use rounds::MusashiRounds;

use kanzen::Error;
use kanzen::solve::{Forecast, Job, Solution, Solver};

use super::opener::SetAtATime;
use super::rules::Musashi;

impl Solver<Musashi> for SetAtATime {
    fn forecast(&self, game: &Musashi) -> Forecast {
        forecast::of(game.board(), self.index(game).layout())
    }

    fn solve(&self, game: &Musashi, job: &Job<'_>) -> Result<Solution, Error> {
        let index = self.index(game);
        let rounds = kanzen::solve::rounds::solve(&MusashiRounds::new(game.board(), &index, self.isa()), job)?;
        let classes = census::classes(game.board(), &rounds);
        Ok(Solution { classes, files: index.plane_files().collect(), ..Solution::default() })
    }
}
