//! What the rules alone say of a position: its moves, and whether the game is over.

use serde::Serialize;

use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Outcome;

/// What `moves` tells of a position. Nothing need be solved for it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Moves {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move.
    pub to_move: String,
    /// How the game has ended, from the side to move; nothing while it goes on.
    pub ended: Option<Outcome>,
    /// What endless play is worth to the side to move: a draw in most games.
    pub endless: Outcome,
    /// Every legal move, in the rules' order.
    pub moves: Vec<MoveTo>,
}

/// One move of [`Moves`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveTo {
    /// The move, as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
}

/// Asks the rules for the moves of a position.
pub fn moves(id: &str, game: &dyn AnyGame, position: u128) -> Moves {
    let (mut moves, mut children) = (Vec::new(), Vec::new());
    let mut ended = game.expand(position, &mut children);
    if ended.is_none() {
        let texts = game.move_texts(position).into_iter();
        moves.extend(texts.zip(&children).map(|(mv, child)| MoveTo { mv, position: game.show(*child) }));
        if moves.is_empty() {
            ended = Some(game.stuck(position));
        }
    }
    Moves {
        game: id.to_owned(),
        position: game.show(position),
        to_move: game.to_move(position).to_owned(),
        ended: ended.map(|answer| answer.value.outcome()),
        endless: game.endless(position).outcome(),
        moves,
    }
}
