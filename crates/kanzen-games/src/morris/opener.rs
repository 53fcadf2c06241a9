//! How a database of morris is read.

use std::sync::Arc;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::query::{Opener, Oracle, PublishedCounts, Tablebase};
use kanzen::solve::SolvedClass;
use kanzen::store::Database;
use serde_json::{Map, Value as Json};

use super::class_table::class_table;
use super::index::{Half, MorrisIndex, Phase};
use super::{Morris, layers};

/// Solves morris with its own numbering.
pub struct MorrisSolver {
    pub(super) moving_only: bool,
}

impl MorrisSolver {
    /// Both phases.
    pub const WHOLE: MorrisSolver = MorrisSolver { moving_only: false };
    /// The positions without pieces in hand, for games whose placing phase takes too long.
    pub const MOVING: MorrisSolver = MorrisSolver { moving_only: true };

    /// Refuses a database that does not count the moving classes, or leaves out so many planes that its answers would
    /// have to be searched for.
    fn check(&self, index: &MorrisIndex, database: &Database) -> Result<(), Error> {
        let phases = index.phases().list();
        let moving: Vec<(Half, u64)> = phases
            .iter()
            .filter_map(|phase| match phase {
                Phase::Moving { halves: [half, _] } => Some((*half, phase.slots())),
                Phase::Placing { .. } => None,
            })
            .collect();
        database.check_classes(moving.len(), |number, class| {
            let (half, slots) = moving[number];
            class.label == label(half) && class.slots == slots && class.tally.positions() <= slots
        })?;
        if self.moving_only {
            return Ok(());
        }
        let layers: Vec<(u32, bool)> = phases.iter().map(|phase| phase.in_hand()).zip(index.stored()).collect();
        match layers::first_lacking(&layers) {
            Some(class) => Err(Error::Missing { path: database.path(&index.classes()[class].plane_file()) }),
            None => Ok(()),
        }
    }
}

/// What a moving class is called.
pub(super) fn label(half: Half) -> Map<String, Json> {
    SolvedClass::label([("white", half.mover.into()), ("black", half.opponent.into())])
}

impl Opener<Morris> for MorrisSolver {
    fn open(&self, game: &Arc<Morris>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = MorrisIndex::new(game).holding(|class| database.manifest().file(&class.plane_file()).is_some());
        self.check(&index, &database)?;
        Ok(Box::new(Tablebase::open(game, index, database)?.publishing(|tablebase| {
            let csv = Some(class_table(&tablebase.census()));
            Ok(PublishedCounts { csv, scores: Vec::new() })
        })))
    }

    fn layout(&self, game: &Morris) -> Result<u64, Error> {
        MorrisIndex::new(game).layout(game)
    }
}
