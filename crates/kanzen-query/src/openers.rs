//! How the databases of games that bring rules only are read.

mod tables;

use crate::{Answer, Opener, Oracle, Tablebase};
use kanzen_core::index::class_label;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::Error;
use kanzen_solve::{RulesOnly, Scored, score_of_value};
use kanzen_store::{Database, KeysIndex};

impl<G: Game> Opener<G> for RulesOnly {
    fn open(&self, game: &G, database: Database) -> Result<Box<dyn Oracle<G>>, Error> {
        let index = open_list(game, &database)?;
        Ok(Box::new(Tablebase::open::<G>(index, database)?))
    }
}

impl<G: Game> Opener<G> for Scored {
    fn open(&self, game: &G, database: Database) -> Result<Box<dyn Oracle<G>>, Error> {
        let index = open_list(game, &database)?;
        let meaning = |value| Answer::of_score(score_of_value(value));
        Ok(Box::new(Tablebase::open::<G>(index, database)?.meaning(meaning)))
    }

    fn scores(&self, game: &G, oracle: &dyn Oracle<G>) -> Result<Vec<(i16, u64)>, Error> {
        let mut scores = std::collections::BTreeMap::new();
        for ((_, score), positions) in tables::class_scores(game, oracle)? {
            *scores.entry(score).or_default() += positions;
        }
        Ok(scores.into_iter().collect())
    }

    /// A row for each class and score, worst first, with its number of positions.
    fn published_csv(&self, game: &G, oracle: &dyn Oracle<G>) -> Option<Result<String, Error>> {
        Some(tables::score_table(game, oracle))
    }
}

/// The list of a database, whose classes must be those that its manifest counts.
fn open_list<G: Game>(game: &G, database: &Database) -> Result<KeysIndex<G::Key>, Error> {
    let index = KeysIndex::<G::Key>::open(database)?;
    let listed: Vec<(u32, u64)> = index.numbers().collect();
    database.check_classes(listed.len(), |number, class| {
        let (number, slots) = listed[number];
        class.label == class_label(game, number) && class.slots == slots && class.tally.positions() == slots
    })?;
    Ok(index)
}
