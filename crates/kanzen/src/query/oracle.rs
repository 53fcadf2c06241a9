//! Something that knows the value of every position of a game.

use super::Answer;
use crate::solve::SolveError;
use crate::store::StoreError;
use crate::{Budget, Census, Game, Illegal, Tally, Value};

/// A move and where it leads.
pub type Step<G> = (<G as Game>::Move, <G as Game>::Position);

/// A solved game: a database, or a search that needs none.
pub trait Oracle<G: Game>: Send + Sync {
    /// The value of a position that has not [`ended`](Game::ended).
    fn answer(&self, game: &G, position: G::Position) -> Result<Answer, QueryError>;

    /// A best move and where it leads, if that is known without the values of the other moves (a search knows more
    /// quickly that one move is best than how bad the others are).
    fn best(&self, _game: &G, _position: G::Position) -> Result<Option<Step<G>>, QueryError> {
        Ok(None)
    }

    /// How many positions it can name.
    fn positions(&self) -> u64;

    /// The position with a number below [`positions`](Oracle::positions): each canonical position once.
    fn position(&self, game: &G, number: u64) -> Result<G::Position, QueryError>;

    /// Every canonical position with a number: one, unless positions share it that differ only in what came before,
    /// such as in a move that is forbidden. Then all of them.
    fn each_position(
        &self,
        game: &G,
        number: u64,
        visit: &mut dyn FnMut(G::Position) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        visit(self.position(game, number)?)
    }

    /// Very many questions are coming: positions with so many numbers, and all their children. An oracle may read what
    /// it needs into memory, within the budget.
    fn prepare(&self, _numbers: u64, _budget: &Budget) -> Result<(), QueryError> {
        Ok(())
    }

    /// How many positions have which value, by class.
    fn census(&self) -> Result<Census, QueryError>;

    /// The census of all positions, mirror images and colours apart, where published counts are of those and the
    /// census is not.
    fn all_positions(&self) -> Option<Tally> {
        None
    }

    /// Some positions of a value, at most `limit`: those met first among the first quarter of a million, unless the
    /// oracle can look faster.
    fn examples(&self, game: &G, value: Value, limit: usize) -> Result<Vec<G::Position>, QueryError> {
        const LOOKED_AT: u64 = 1 << 18;
        let mut found = Vec::new();
        for number in 0..self.positions().min(LOOKED_AT) {
            if found.len() >= limit {
                break;
            }
            let position = self.position(game, number)?;
            if game.ended(position).is_none() && self.answer(game, position)?.value == value {
                found.push(position);
            }
        }
        Ok(found)
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The text is no position.
    #[error("not a position of {game}: {reason}")]
    Illegal {
        /// The game.
        game: String,
        /// What is wrong with the text.
        reason: Illegal,
    },
    /// A legal position that the database does not hold.
    #[error("{position} cannot arise in {game}: only positions that can are stored")]
    NotStored {
        /// The game.
        game: String,
        /// The position.
        position: String,
    },
    /// No such move.
    #[error("{text} is not a move in {position}")]
    NoSuchMove {
        /// What was asked for.
        text: String,
        /// The position.
        position: String,
    },
    /// The answer needs a search that could not be done.
    #[error(transparent)]
    Search(#[from] SolveError),
    /// The database cannot be read or trusted.
    #[error(transparent)]
    Store(#[from] StoreError),
}
