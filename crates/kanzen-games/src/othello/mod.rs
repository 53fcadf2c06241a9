//! Othello on boards of any shape: rules, flip kernels, and an alpha-beta search for boards too large to list.
//!
//! ```text
//! rules text     the game
//! shape flips    the geometry of a board and its stable discs; the discs that a move flips, in words and in vectors
//! solve          the score of the start and a line of best play, by search
//! oracle         answers for any position: from that line, or by search
//! ```

use kanzen_solve::{Forecast, Scored};

pub mod flips;
mod oracle;
mod rules;
mod shape;
pub mod solve;
mod text;

pub use rules::{Move, Othello, Position, Start};
pub use shape::Shape;
pub use solve::alpha_beta::{Bounds, Checkpointer, Table};
pub use solve::{BySearch, Engine};

#[cfg(test)]
mod tests;

/// Returns a solver for a board small enough to list, which scores every position that can arise, or `None`.
///
/// ```
/// use kanzen_games::othello::{self, Othello, Start};
/// assert!(othello::listed(&Othello::new(4, 4, Start::Cross).unwrap()).is_some());
/// assert!(othello::listed(&Othello::new(6, 6, Start::Cross).unwrap()).is_none());
/// ```
pub fn listed(game: &Othello) -> Option<Scored> {
    let counted = (game.shape().rows, game.shape().columns, game.start()) == (4, 4, Start::Cross);
    let forecast = Forecast {
        positions: counted.then_some(12_351),
        seconds: 0.3,
        memory_bytes: 12 << 20,
        data_bytes: 48 << 10,
        disk_bytes: 256 << 10,
    };
    (game.shape().squares() <= 16).then(|| Scored::new(forecast))
}
