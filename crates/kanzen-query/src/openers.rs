//! How the databases of games that bring rules only are read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Numbering, Opener, Oracle, PublishedCounts, Tablebase};
use kanzen_core::index::{Index, class_label};
use kanzen_core::rules::{Game, typed};
use kanzen_core::vocabulary::{Answer, Error};
use kanzen_solve::{RulesOnly, Scored, score_of_value};
use kanzen_store::{Database, KeysIndex};

impl<G: Game + 'static> Opener<G> for RulesOnly {
    fn open(&self, game: &Arc<G>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = open_list(&**game, &database)?;
        Ok(Box::new(Tablebase::open(game, index, database)?))
    }
}

impl<G: Game + 'static> Opener<G> for Scored {
    fn open(&self, game: &Arc<G>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        let index = open_list(&**game, &database)?;
        let meaning = |value| Answer::of_score(score_of_value(value));
        Ok(Box::new(Tablebase::open(game, index, database)?.meaning(meaning).publishing(published)))
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

/// A row for each class and score, worst first, with its number of positions; and the scores of all classes.
fn published<G: Game, I: Index<G>>(tablebase: &Tablebase<G, I>) -> Result<PublishedCounts, Error> {
    let mut rows: BTreeMap<(u32, i16), u64> = BTreeMap::new();
    for number in 0..tablebase.positions() {
        let position = tablebase.position(number)?;
        let score = tablebase.answer(position)?.score.unwrap_or(0);
        *rows.entry((tablebase.game().class(typed(tablebase.game(), position)), score)).or_default() += 1;
    }
    let names: Vec<&str> = tablebase.game().class_label(0).into_iter().map(|(name, _)| name).collect();
    let mut csv = format!("{},score,positions\n", names.join(","));
    let mut scores: BTreeMap<i16, u64> = BTreeMap::new();
    for ((class, score), positions) in rows {
        let label = tablebase.game().class_label(class).into_iter().map(|(_, value)| value.to_string());
        csv += &format!("{},{score},{positions}\n", label.collect::<Vec<_>>().join(","));
        *scores.entry(score).or_default() += positions;
    }
    Ok(PublishedCounts { csv: Some(csv), scores: scores.into_iter().collect() })
}
