//! How a database of NOCCA x NOCCA is read.

use std::sync::Arc;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::query::{Opener, Oracle, Tablebase};
use kanzen::solve::SolvedClass;
use kanzen::store::Database;
use serde_json::{Map, Value as Json};

use super::index::NoccaIndex;
use super::index::count::up_to_mirror;
use super::rules::Nocca;

/// Solves the game set at a time, in sweeps.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sweeps;

/// What the one class is called.
pub(super) fn label() -> Map<String, Json> {
    SolvedClass::label([("class", 0.into())])
}

impl Opener<Nocca> for Sweeps {
    fn open(&self, game: &Arc<Nocca>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let positions = up_to_mirror(game.rows, game.columns);
        database.check_classes(1, |_, class| {
            class.label == label() && class.slots == positions && class.tally.positions() == positions
        })?;
        Ok(Box::new(Tablebase::open(game, NoccaIndex::new(game), database)?))
    }

    fn layout(&self, game: &Nocca) -> Result<u64, Error> {
        Index::layout(&NoccaIndex::new(game), game)
    }
}
