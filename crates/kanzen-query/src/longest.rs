//! The positions furthest from the end of the game.

use serde::Serialize;

use super::{Oracle, positions_of_value};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Bar, Error, Value};

/// What `longest_games` returns: the longest wins and the longest losses, with their positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LongestGames {
    /// The name of the game, such as `nocca-4x4`.
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
    /// All of them, or the first ones if there are very many.
    pub examples: Vec<Example>,
}

/// A position worth showing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Example {
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move.
    pub to_move: String,
}

/// Finds the longest wins and the longest losses: all of them, or the first `limit` of each.
pub fn longest_games(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, limit: usize) -> Result<LongestGames, Error> {
    let histogram = oracle.contents()?.census.total().histogram();
    let far = |count: fn(&Bar) -> u64, value: fn(u16) -> Value| -> Result<Option<Longest>, Error> {
        let Some(bar) = histogram.iter().rev().find(|bar| count(bar) > 0) else { return Ok(None) };
        let found = positions_of_value(oracle, value(bar.distance), count(bar), limit)?.into_iter();
        let examples =
            found.map(|position| Example { position: game.show(position), to_move: game.to_move(position).to_owned() });
        Ok(Some(Longest { distance: bar.distance, positions: count(bar), examples: examples.collect() }))
    };
    Ok(LongestGames {
        game: id.to_owned(),
        wins: far(|bar| bar.wins, Value::win)?,
        losses: far(|bar| bar.losses, Value::loss)?,
    })
}
