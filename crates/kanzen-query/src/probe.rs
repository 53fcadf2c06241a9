//! The value of a position and of its moves, or the moves by the rules alone.

use serde::Serialize;

use super::{Answer, Oracle, Traps, gather};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Error, Outcome};

/// What `probe` returns for a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Probe {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move.
    pub to_move: String,
    /// The value (WDL), for the side to move.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The mover's score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
    /// Every legal move, best first.
    pub moves: Vec<ProbedMove>,
}

/// One move of a [`Probe`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProbedMove {
    /// The move, as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the mover gets by it.
    pub value: Outcome,
    /// Plies to the end, this move included.
    pub distance: Option<u16>,
    /// The mover's score after it, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
    /// The position after it.
    pub position: String,
    /// That position's own value, for the player then to move.
    pub position_value: Outcome,
    /// Plies to the end from there.
    pub position_distance: Option<u16>,
    /// How many replies slip, where that was asked for and the move keeps the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traps: Option<Traps>,
}

impl ProbedMove {
    /// The record of a move, given the texts of all moves of the position.
    pub(super) fn of(game: &dyn AnyGame, texts: &[String], (mv, child, theirs): Choice) -> ProbedMove {
        let mine = theirs.before();
        ProbedMove {
            mv: texts[mv].clone(),
            value: mine.value.outcome(),
            distance: mine.value.distance(),
            score: mine.score,
            position: game.show(child),
            position_value: theirs.value.outcome(),
            position_distance: theirs.value.distance(),
            traps: None,
        }
    }
}

/// The place of a move among those of its position, the position it leads to, and that position's answer.
pub(super) type Choice = (usize, u128, Answer);

/// All moves of a position with the answers of their children, best for the mover first; equals in the rules' order.
pub(super) fn choices(game: &dyn AnyGame, oracle: &dyn Oracle, position: u128) -> Result<Vec<Choice>, Error> {
    let mut children = Vec::new();
    game.expand(position, &mut children);
    let answered = |(mv, child)| Ok((mv, child, oracle.answer(child)?));
    let mut choices = gather::all(children.into_iter().enumerate().map(answered))?;
    // The worse for the other side, the better; stable.
    choices.sort_by_key(|(_, _, theirs)| *theirs);
    Ok(choices)
}

/// Refuses an answer that does not follow from the best move, or from the rules where there is none: then the values
/// contradict each other, and none of them can be trusted.
pub(super) fn check_follows(
    id: &str,
    game: &dyn AnyGame,
    position: u128,
    own: Answer,
    best: Option<&Choice>,
) -> Result<(), Error> {
    let follows = match (best, game.ended(position)) {
        (Some((_, _, theirs)), _) => theirs.before(),
        (None, ended) => ended.unwrap_or_else(|| game.stuck(position)),
    };
    let same_score = own.score.is_none() || follows.score.is_none() || own.score == follows.score;
    if own.value == follows.value && same_score {
        return Ok(());
    }
    let [stored, follows] = [own, follows].map(|answer| match answer.score {
        Some(score) => format!("{} of {score}", answer.value.outcome()),
        None => answer.value.to_string(),
    });
    Err(Error::Contradiction { game: id.to_owned(), position: game.show(position), stored, follows })
}

/// The texts of all moves of a position; none where there are no choices.
pub(super) fn move_texts(game: &dyn AnyGame, position: u128, choices: &[Choice]) -> Vec<String> {
    if choices.is_empty() { Vec::new() } else { game.move_texts(position) }
}

/// Looks up a position and each of its moves.
pub fn probe(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, position: u128) -> Result<Probe, Error> {
    Ok(probe_with_choices(id, game, oracle, position)?.0)
}

/// The same, with the moves as they are for the rules, in the same order.
pub(super) fn probe_with_choices(
    id: &str,
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    position: u128,
) -> Result<(Probe, Vec<Choice>), Error> {
    let (own, choices) = gather::both(oracle.answer(position), || choices(game, oracle, position))?;
    check_follows(id, game, position, own, choices.first())?;
    let texts = move_texts(game, position, &choices);
    let probe = Probe {
        game: id.to_owned(),
        position: game.show(position),
        to_move: game.to_move(position).to_owned(),
        value: own.value.outcome(),
        distance: own.value.distance(),
        score: own.score,
        moves: choices.iter().map(|choice| ProbedMove::of(game, &texts, *choice)).collect(),
    };
    Ok((probe, choices))
}

/// What `moves` returns for a position. It needs no database.
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

/// Generates the moves of a position by the rules.
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
