//! What a side gets by best play.

use crate::Answer;
use kanzen_core::vocabulary::Outcome;

/// A side's due: the score where the game has one, and who wins. How soon is no part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Due {
    score: Option<i16>,
    outcome: Outcome,
}

impl Due {
    /// The mover's due.
    pub fn of(answer: Answer) -> Due {
        Due { score: answer.score, outcome: answer.value.outcome() }
    }

    /// Whether there is less to get. Who has lost cannot slip; who plays for points can always get fewer.
    pub fn can_slip(self) -> bool {
        self.score.is_some() || self.outcome != Outcome::Loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::vocabulary::Value;

    #[test]
    fn a_slower_win_is_the_same_due_and_a_smaller_one_is_not() {
        let due = |value: Value| Due::of(value.into());
        assert_eq!(due(Value::win(3)), due(Value::win(9)));
        assert!(due(Value::DRAW) < due(Value::UNTIMED_WIN));
        assert!(Due::of(Answer::of_score(2)) < Due::of(Answer::of_score(4)));
        assert!(!due(Value::loss(4)).can_slip() && due(Value::DRAW).can_slip());
        assert!(Due::of(Answer::of_score(-6)).can_slip());
    }
}
