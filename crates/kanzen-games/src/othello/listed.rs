//! Boards small enough to list: every position that can arise is solved.

use kanzen::solve::{Forecast, Scored};

use super::rules::Othello;

/// Solves a board small enough to list: the score of every position that can arise.
///
/// ```
/// use kanzen_games::othello::{self, Othello, Start};
/// assert!(othello::listed(&Othello::new(4, 4, Start::Cross).unwrap()).is_some());
/// assert!(othello::listed(&Othello::new(6, 6, Start::Cross).unwrap()).is_none());
/// ```
pub fn listed(game: &Othello) -> Option<Scored> {
    let counted = (game.shape().rows, game.shape().columns, game.start()) == (4, 4, super::Start::Cross);
    let forecast = Forecast {
        positions: counted.then_some(12_351),
        seconds: 0.3,
        memory_bytes: 12 << 20,
        data_bytes: 48 << 10,
        disk_bytes: 256 << 10,
    };
    (game.shape().squares() <= 16).then(|| Scored::new(forecast))
}
