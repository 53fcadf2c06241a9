//! Something that knows the value of every position of a game, one at a time.

use super::{Answer, Oracle};
use kanzen_core::rules::{Game, Successor};
use kanzen_core::vocabulary::Error;
use kanzen_store::Database;

/// A solved game that is asked for positions.
///
/// Required: an [`answer`](LookUp::answer) for each position.
pub trait LookUp<G: Game>: Send + Sync {
    /// The value of a position that has not [`ended`](Game::ended).
    fn answer(&self, game: &G, position: G::Position) -> Result<Answer, Error>;

    /// A best move and where it leads, if that is known without the values of the other moves (a search knows more
    /// quickly that one move is best than how bad the others are).
    fn best(&self, _game: &G, _position: G::Position) -> Result<Option<Successor<G>>, Error> {
        Ok(None)
    }
}

/// How the database of a game is read. What solves a game does not know; what opens its database does.
pub trait Opener<G: Game>: Send + Sync {
    /// Opens a finished database.
    fn open(&self, game: &G, database: Database) -> Result<Box<dyn Oracle<G>>, Error>;

    /// A number that changes with the numbering of positions ([`Index::layout`](kanzen_core::index::Index::layout)); it is
    /// part of the fingerprint. 0 where the rules say all: keys and canonical forms are theirs.
    fn layout(&self, _game: &G) -> Result<u64, Error> {
        Ok(0)
    }

    /// Answers without a database, for a game whose positions near the end are searched for as they are asked. Optional:
    /// nothing for a game that has to be solved first.
    fn unsolved(&self, _game: &G, _id: &str) -> Option<Box<dyn Oracle<G>>> {
        None
    }

    /// How many positions have which score, worst first, in games that have scores.
    fn scores(&self, _game: &G, _oracle: &dyn Oracle<G>) -> Result<Vec<(i16, u64)>, Error> {
        Ok(Vec::new())
    }

    /// The census in the layout of a published table, where there is one.
    fn published_csv(&self, _game: &G, _oracle: &dyn Oracle<G>) -> Option<Result<String, Error>> {
        None
    }
}
