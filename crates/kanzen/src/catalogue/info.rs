//! What a game is called, and a value as it is written.

use serde::Serialize;

use super::Reader;
use crate::query::Answer;
use crate::rules::view::View;
use crate::vocabulary::Outcome;

/// What a game is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
}

/// A value as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The value (WDL), for the side to move.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The mover's score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        Verdict { value: answer.value.outcome(), distance: answer.value.distance(), score: answer.score }
    }
}

/// What a page wants to know of a game before anything is asked of a position.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// The name in commands and files.
    pub game: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// The position it starts from.
    pub initial: String,
    /// What its board looks like.
    pub view: View,
}

impl GameView {
    /// What there is to tell of a game.
    pub fn of(game: &Reader) -> GameView {
        let GameInfo { id, title, rules } = game.info().clone();
        GameView { game: id, title, rules, initial: game.initial(), view: game.view() }
    }
}
