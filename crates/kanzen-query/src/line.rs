//! A line of best play.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Oracle;
use super::gather;
use super::probe::{Choice, check_follows, choices};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Error, Outcome};

/// What `line` returns: best play from a position to the end, or to the first repetition where play has no end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// Where the line starts.
    pub position: String,
    /// The value (WDL), for the side to move there.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The mover's score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
    /// The moves of best play, in order.
    pub line: Vec<LineMove>,
    /// How it ended.
    pub end: LineEnd,
}

/// One move of a [`Line`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineMove {
    /// The move, as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// Its value, for the player then to move.
    pub value: Outcome,
    /// Plies to the end from there, where defined.
    pub distance: Option<u16>,
    /// The score of the player then to move, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
}

/// How a [`Line`] ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineEnd {
    /// Why nothing follows.
    pub how: HowEnded,
    /// The winner, as the notation names the side; where sides have no names, `first` moves first in the line and
    /// `second` second. Nothing in a draw.
    pub winner: Option<String>,
    /// By how much, in games that have scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
}

/// Why nothing follows a [`Line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HowEnded {
    /// The game is over by its rules.
    Over,
    /// The player to move has no move.
    Stuck,
    /// A position has come back: neither side can force an end.
    Repeated,
}

/// Follows the best moves from a position. Where neither side can force an end, the line stops when a position comes back.
///
/// Each step must lower the distance by one, or keep what has no distance: values that do not are refused
/// ([`Error::Contradiction`]), so that a line ends whatever is stored.
pub fn line(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, start: u128) -> Result<Line, Error> {
    let (own, mut step) = gather::both(oracle.answer(start), || next(game, oracle, start))?;
    let mut line = Vec::new();
    let mut seen = BTreeSet::from([start]);
    let (mut position, mut of_position) = (start, own);
    let mut repeated = false;
    loop {
        check_follows(id, game, position, of_position, step.as_ref())?;
        let Some((mv, child, theirs)) = step else { break };
        line.push(LineMove {
            mv: game.move_texts(position).swap_remove(mv),
            position: game.show(child),
            value: theirs.value.outcome(),
            distance: theirs.value.distance(),
            score: theirs.score,
        });
        (position, of_position) = (child, theirs);
        repeated = !seen.insert(child);
        if repeated {
            break;
        }
        step = next(game, oracle, position)?;
    }
    Ok(Line {
        game: id.to_owned(),
        position: game.show(start),
        value: own.value.outcome(),
        distance: own.value.distance(),
        score: own.score,
        end: end(game, start, position, line.len(), repeated),
        line,
    })
}

fn next(game: &dyn AnyGame, oracle: &dyn Oracle, position: u128) -> Result<Option<Choice>, Error> {
    if game.ended(position).is_none()
        && let Some((mv, child)) = oracle.best(position)?
    {
        return Ok(Some((mv, child, oracle.answer(child)?)));
    }
    Ok(choices(game, oracle, position)?.first().copied())
}

/// How a line of so many plies ended, by the rules alone.
fn end(game: &dyn AnyGame, start: u128, last: u128, plies: usize, repeated: bool) -> LineEnd {
    let (how, answer) = match game.ended(last) {
        _ if repeated => (HowEnded::Repeated, game.endless(last).into()),
        Some(answer) => (HowEnded::Over, answer),
        None => (HowEnded::Stuck, game.stuck(last)),
    };
    let winner = match answer.value.outcome() {
        Outcome::Draw => None,
        // Plies alternate: after an even number of them the mover is the one of the start.
        Outcome::Win => Some(side(game, start, plies)),
        Outcome::Loss => Some(side(game, start, plies + 1)),
    };
    let score = answer.score.map(i16::saturating_abs);
    LineEnd { how, winner, score }
}

/// The side that is to move so many plies after a position.
fn side(game: &dyn AnyGame, start: u128, plies: usize) -> String {
    let first = game.to_move(start);
    let letters = game.view().sides.map(|side| side.letter);
    let other = letters.iter().find(|letter| **letter != first && !letter.is_empty() && letters.contains(&first));
    match (plies.is_multiple_of(2), other) {
        (true, Some(_)) => first.to_owned(),
        (false, Some(other)) => (*other).to_owned(),
        (true, None) => "first".to_owned(),
        (false, None) => "second".to_owned(),
    }
}
