//! A player's move in a position.

use serde::Serialize;

use super::Player;
use super::rank::Seen;
use crate::{Oracle, ProbedMove};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::random::Random;

/// What `reply` tells: the move that a player makes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reply {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
    pub position: String,
    /// The style or model.
    pub style: String,
    /// His move, as a probe tells it; nothing if the game is over.
    pub reply: Option<ProbedMove>,
}

/// A player's move in a position of a game that has been through others, the position itself among them or not. The
/// same seed draws the same lots.
pub fn reply(
    id: &str,
    (game, oracle): (&dyn AnyGame, &dyn Oracle),
    position: u128,
    before: impl IntoIterator<Item = u128>,
    player: Player,
    seed: u64,
) -> Result<Reply, Error> {
    let mut seen = Seen::default();
    before.into_iter().for_each(|earlier| seen.add(game, earlier));
    let chosen = player.choose(game, oracle, position, &seen, &mut Random::new(seed))?;
    Ok(Reply {
        game: id.to_owned(),
        position: game.show(position),
        style: player.to_string(),
        reply: chosen.map(|choice| ProbedMove::of(game, &game.move_texts(position), choice)),
    })
}
