//! A line of best play.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Oracle;
use super::probe::{Choice, answer, check_follows, choices};
use crate::rules::Game;
use crate::vocabulary::{Error, Outcome};

/// What `line` tells: best play from a position to the end, or to the first repetition where play has no end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The game.
    pub game: String,
    /// Where the line starts.
    pub position: String,
    /// Who wins, from the side to move there.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The moves.
    pub line: Vec<LineMove>,
}

/// One move of a [`Line`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// Its value, for the player then to move.
    pub value: Outcome,
    /// Plies to the end from there, where defined.
    pub distance: Option<u16>,
}

/// Follows the best moves from a position. Where nobody can force an end, the line stops when a position comes back.
///
/// Each step must lower the distance by one, or keep what has no distance: values that do not are refused
/// ([`Error::Contradiction`]), so that a line ends whatever is stored.
pub fn line<G: Game>(id: &str, game: &G, oracle: &dyn Oracle<G>, start: G::Position) -> Result<Line, Error> {
    let own = answer(game, oracle, start)?;
    let mut line = Vec::new();
    let mut seen = BTreeSet::from([game.pack(start)]);
    let (mut position, mut of_position) = (start, own);
    loop {
        let step = next(game, oracle, position)?;
        check_follows(id, game, position, of_position, step.as_ref())?;
        let Some((mv, child, theirs)) = step else { break };
        line.push(LineMove {
            mv: game.show_move(position, mv),
            position: game.show(child),
            value: theirs.value.outcome(),
            distance: theirs.value.distance(),
        });
        if !seen.insert(game.pack(child)) {
            break;
        }
        (position, of_position) = (child, theirs);
    }
    Ok(Line {
        game: id.to_owned(),
        position: game.show(start),
        value: own.value.outcome(),
        distance: own.value.distance(),
        line,
    })
}

fn next<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Option<Choice<G>>, Error> {
    if game.ended(position).is_none()
        && let Some((mv, child)) = oracle.best(game, position)?
    {
        return Ok(Some((mv, child, answer(game, oracle, child)?)));
    }
    Ok(choices(game, oracle, position)?.first().copied())
}
