//! How a database of Sixteen Musashi is read.

use std::sync::Arc;

use kanzen::Error;
use kanzen::index::Index;
use kanzen::machine::cpu::Isa;
use kanzen::query::{Opener, Oracle, PublishedCounts, Tablebase};
use kanzen::solve::rounds::BLOCK_BITS;
use kanzen::store::Database;

use super::counts;
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

    /// The instructions it works with.
    pub(super) fn isa(&self) -> Isa {
        self.isa
    }

    pub(super) fn index(&self, game: &Musashi) -> MusashiIndex {
        MusashiIndex::cut(game, self.block_bits)
    }
}

impl Opener<Musashi> for SetAtATime {
    fn open(&self, game: &Arc<Musashi>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let sound = counts::expected(game.board());
        database.check_classes(sound.len(), |number, class| {
            let (label, slots) = &sound[number];
            class.label == *label && class.slots == *slots && class.tally.positions() == *slots
        })?;
        Ok(Box::new(Tablebase::open(game, self.index(game), database)?.publishing(|tablebase| {
            let csv = Some(counts::csv(tablebase.game().board(), &tablebase.census()));
            Ok(PublishedCounts { csv, scores: Vec::new() })
        })))
    }

    fn layout(&self, game: &Musashi) -> Result<u64, Error> {
        Index::layout(&self.index(game), game)
    }
}
