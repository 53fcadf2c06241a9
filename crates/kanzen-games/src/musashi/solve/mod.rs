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

pub use orbits::positions;
pub use rounds::MusashiRounds;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::machine::cpu::Isa;
use kanzen::query::{Opener, Oracle, Tablebase};
use kanzen::solve::rounds::BLOCK_BITS;
use kanzen::solve::{Forecast, Job, Solution, Solver};
use kanzen::store::Database;

use super::index::MusashiIndex;
use super::rules::Musashi;

/// Solves the game set at a time.
#[derive(Clone, Copy, Debug)]
pub struct SetAtATime {
    isa: Isa,
    block_bits: u32,
}

impl Default for SetAtATime {
    fn default() -> SetAtATime {
        SetAtATime { isa: Isa::best(), block_bits: BLOCK_BITS }
    }
}

impl SetAtATime {
    /// With these instructions rather than the best there are, and with blocks of so many index bits, from 6 to
    /// [`BLOCK_BITS`]: small ones let small boards have many blocks, for tests.
    pub fn with(isa: Isa, block_bits: u32) -> SetAtATime {
        SetAtATime { isa, block_bits: block_bits.clamp(6, BLOCK_BITS) }
    }

    fn index(&self, game: &Musashi) -> MusashiIndex {
        MusashiIndex::cut(game, self.block_bits)
    }
}

impl Solver<Musashi> for SetAtATime {
    fn forecast(&self, game: &Musashi) -> Forecast {
        forecast::of(game.board(), self.index(game).layout())
    }

    fn solve(&self, game: &Musashi, job: &Job<'_>) -> Result<Solution, Error> {
        let index = self.index(game);
        let rounds = kanzen::solve::rounds::solve(&MusashiRounds::new(game.board(), &index, self.isa), job)?;
        let classes = census::classes(game.board(), &rounds);
        Ok(Solution { classes, files: index.plane_files().collect(), ..Solution::default() })
    }
}

impl Opener<Musashi> for SetAtATime {
    fn open(&self, game: &Musashi, database: Database) -> Result<Box<dyn Oracle<Musashi>>, Error> {
        let sound = census::expected(game.board());
        database.check_classes(sound.len(), |number, class| {
            let (label, slots) = &sound[number];
            class.label == *label && class.slots == *slots && class.tally.positions() == *slots
        })?;
        Ok(Box::new(Tablebase::open(self.index(game), database)?))
    }

    fn layout(&self, game: &Musashi) -> Result<u64, Error> {
        Index::layout(&self.index(game), game)
    }

    fn published_csv(&self, game: &Musashi, oracle: &dyn Oracle<Musashi>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| census::csv(game.board(), &census)))
    }
}
