//! The census of games with scores.

use std::collections::BTreeMap;

use crate::Oracle;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::Error;

/// How many positions have which score, by class.
pub fn class_scores<G: Game>(game: &G, oracle: &dyn Oracle<G>) -> Result<BTreeMap<(u32, i16), u64>, Error> {
    let mut rows = BTreeMap::new();
    for number in 0..oracle.positions() {
        let position = oracle.position(game, number)?;
        let score = oracle.answer(game, position)?.score.unwrap_or(0);
        *rows.entry((game.class(position), score)).or_default() += 1;
    }
    Ok(rows)
}

/// A row for each class and score.
pub fn score_table<G: Game>(game: &G, oracle: &dyn Oracle<G>) -> Result<String, Error> {
    let names: Vec<&str> = game.class_label(0).into_iter().map(|(name, _)| name).collect();
    let mut csv = format!("{},score,positions\n", names.join(","));
    for ((class, score), positions) in class_scores(game, oracle)? {
        let label: Vec<String> = game.class_label(class).into_iter().map(|(_, value)| value.to_string()).collect();
        csv += &format!("{},{score},{positions}\n", label.join(","));
    }
    Ok(csv)
}
