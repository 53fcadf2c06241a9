//! A position, its value, and the value of each of its moves.

use serde::Serialize;

use super::{Answer, Oracle, Traps, gather};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Outcome};

/// What `probe` tells of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Probe {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move.
    pub to_move: String,
    /// Who wins, from the side to move.
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
    /// What there is to tell of a move.
    pub(super) fn of<G: Game>(game: &G, position: G::Position, (mv, child, theirs): Choice<G>) -> ProbedMove {
        let mine = theirs.before();
        ProbedMove {
            mv: game.show_move(position, mv),
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

/// A move, the position it leads to, and that position's answer.
pub(super) type Choice<G> = (<G as Game>::Move, <G as Game>::Position, Answer);

/// The answer for a position: from the rules if the game is over, else from the oracle.
pub fn answer<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Answer, Error> {
    if let Some(value) = game.ended(position) {
        return Ok(Answer { value, score: game.final_score(position) });
    }
    oracle.answer(game, position)
}

/// All moves of a position with the answers of their children, best for the mover first; equals in the rules' order.
pub(super) fn choices<G: Game>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: G::Position,
) -> Result<Vec<Choice<G>>, Error> {
    let mut moves = Vec::new();
    if game.ended(position).is_none() {
        game.moves(position, &mut |mv, child| moves.push((mv, child)));
    }
    let told = |(mv, child)| Ok((mv, child, answer(game, oracle, child)?));
    let mut choices = gather::all(moves.into_iter().map(told))?;
    let order = in_order(choices.iter().map(|(_, _, child)| *child).collect());
    choices = order.into_iter().map(|at| choices[at]).collect();
    Ok(choices)
}

/// The places of answers, worst first; equals in their order. Not for each game anew: a sort takes some kilobytes.
fn in_order(answers: Vec<Answer>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..answers.len()).collect();
    order.sort_by_key(|&at| answers[at]);
    order
}

/// Refuses an answer that does not follow from the best move, or from the rules where there is none: then the values
/// contradict each other, and none of them can be trusted.
pub(super) fn check_follows<G: Game>(
    id: &str,
    game: &G,
    position: G::Position,
    own: Answer,
    best: Option<&Choice<G>>,
) -> Result<(), Error> {
    let follows = match (best, game.ended(position)) {
        (Some((_, _, theirs)), _) => theirs.before(),
        (None, ended) => {
            let value = ended.unwrap_or_else(|| game.stuck(position));
            Answer { value, score: game.final_score(position) }
        }
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

/// Asks for a position and each of its moves.
pub fn probe<G: Game>(id: &str, game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Probe, Error> {
    Ok(probe_with_choices(id, game, oracle, position)?.0)
}

/// The same, with the moves as they are for the rules, in the same order.
pub(super) fn probe_with_choices<G: Game>(
    id: &str,
    game: &G,
    oracle: &dyn Oracle<G>,
    position: G::Position,
) -> Result<(Probe, Vec<Choice<G>>), Error> {
    let (own, choices) = gather::both(answer(game, oracle, position), || choices(game, oracle, position))?;
    check_follows(id, game, position, own, choices.first())?;
    let probe = Probe {
        game: id.to_owned(),
        position: game.show(position),
        to_move: game.to_move(position).to_owned(),
        value: own.value.outcome(),
        distance: own.value.distance(),
        score: own.score,
        moves: choices.iter().map(|choice| ProbedMove::of(game, position, *choice)).collect(),
    };
    Ok((probe, choices))
}
