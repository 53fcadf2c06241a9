//! The catalogue of a program that reads databases, and solves nothing.

use kanzen::Game;
pub use kanzen::catalogue::Readable as Entry;
use kanzen::catalogue::{GameInfo, GameReader};
use kanzen::query::Opener;

use crate::othello::Othello;

/// A game and how its database is read.
pub fn entry<G, S>(info: GameInfo, game: G, opener: S) -> Box<dyn Entry>
where
    G: Game + 'static,
    S: Opener<G> + 'static,
{
    Box::new(GameReader::new(info, game, opener))
}

/// A board that is too large to list answers by search, which is not here.
pub fn by_search(_: GameInfo, _: Othello) -> Option<Box<dyn Entry>> {
    None
}
