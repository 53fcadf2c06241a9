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
//! marks     which lifted boards matter to the little that a late round has found
//! ```
//!
//! [`kanzen::solve::rounds::solve`] plays the rounds and stores them.

mod boards;
mod census;
mod forecast;
pub mod kernel;
pub mod lifts;
pub mod marks;
pub mod plan;
mod rounds;
mod run;
mod set;
mod stuck;
mod sweep;
mod tile;

pub use rounds::NoccaRounds;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::query::{ALL_POSITIONS, Opener, Oracle, Tablebase};
use kanzen::solve::{Counting, Forecast, Job, Solution, SolvedClass, Solver};
use kanzen::store::Database;
use serde_json::{Map, Value as Json, json};

use self::census::{NoccaCensus, census};
use super::index::NoccaIndex;
use super::index::count::up_to_mirror;
use super::rules::Nocca;

/// Solves the game set at a time, in sweeps.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sweeps;

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

/// What the one class is called.
fn label() -> Map<String, Json> {
    SolvedClass::label([("class", 0.into())])
}

impl Opener<Nocca> for Sweeps {
    fn open(&self, game: &Nocca, database: Database) -> Result<Box<dyn Oracle<Nocca>>, Error> {
        let positions = up_to_mirror(game.rows, game.columns);
        database.check_classes(1, |_, class| {
            class.label == label() && class.slots == positions && class.tally.positions() == positions
        })?;
        Ok(Box::new(Tablebase::open(NoccaIndex::new(game), database)?))
    }

    fn layout(&self, game: &Nocca) -> Result<u64, Error> {
        Index::layout(&NoccaIndex::new(game), game)
    }
}
