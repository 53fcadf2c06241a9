//! The answer for a position: its value and its score.

use std::cmp::Ordering;

use super::Value;

/// The value of a position, and its score in games that have one. Orders from worst to best for the mover.
///
/// ```
/// use kanzen_core::{Answer, Value};
/// let close = Answer { value: Value::UNTIMED_WIN, score: Some(2) };
/// let clear = Answer { value: Value::UNTIMED_WIN, score: Some(10) };
/// assert!(clear > close);
/// assert_eq!(clear.before().score, Some(-10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Win, loss or draw, with distance.
    pub value: Value,
    /// The mover's score, where the game has scores.
    pub score: Option<i16>,
}

impl Answer {
    /// The same fate seen by the player who moves into this position.
    pub fn before(self) -> Answer {
        Answer { value: self.value.before(), score: self.score.map(|score| -score) }
    }
}

impl Answer {
    /// The answer that a score stands for.
    ///
    /// ```
    /// use kanzen_core::Answer;
    /// use kanzen_core::Value;
    /// assert_eq!(Answer::of_score(-10), Answer { value: Value::UNTIMED_LOSS, score: Some(-10) });
    /// ```
    pub fn of_score(score: i16) -> Answer {
        Answer { value: Value::of_score(score), score: Some(score) }
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer { value, score: None }
    }
}

impl Ord for Answer {
    fn cmp(&self, other: &Answer) -> Ordering {
        (self.score, self.value).cmp(&(other.score, other.value))
    }
}

impl PartialOrd for Answer {
    fn partial_cmp(&self, other: &Answer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
