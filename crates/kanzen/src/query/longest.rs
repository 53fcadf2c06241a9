//! The positions furthest from the end of the game.

use serde::Serialize;

use super::Oracle;
use crate::rules::Game;
use crate::vocabulary::{Bar, Error, Value};

/// What `longest_games` tells: the longest wins and the longest losses, with a few examples of each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LongestGames {
    /// The game.
    pub game: String,
    /// The longest wins of the side to move.
    pub wins: Option<Longest>,
    /// The longest losses of the side to move.
    pub losses: Option<Longest>,
}

/// Positions of one long distance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Longest {
    /// Plies to the end.
    pub distance: u16,
    /// How many positions have it.
    pub positions: u64,
    /// Some of them; none where the database is too large to look for them.
    pub examples: Vec<Example>,
}

/// A position worth showing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Example {
    /// The position.
    pub position: String,
    /// The side to move.
    pub to_move: String,
}

/// Finds up to `limit` examples of the longest wins and of the longest losses.
pub fn longest_games<G: Game>(id: &str, game: &G, oracle: &dyn Oracle<G>, limit: usize) -> Result<LongestGames, Error> {
    let histogram = oracle.census()?.total().histogram();
    let far = |count: fn(&Bar) -> u64, value: fn(u16) -> Value| -> Result<Option<Longest>, Error> {
        let Some(bar) = histogram.iter().rev().find(|bar| count(bar) > 0) else { return Ok(None) };
        let examples = oracle.examples(game, value(bar.distance), limit)?.into_iter();
        let examples = examples
            .map(|position| Example { position: game.show(position), to_move: game.to_move(position).to_owned() });
        Ok(Some(Longest { distance: bar.distance, positions: count(bar), examples: examples.collect() }))
    };
    Ok(LongestGames {
        game: id.to_owned(),
        wins: far(|bar| bar.wins, Value::win)?,
        losses: far(|bar| bar.losses, Value::loss)?,
    })
}
