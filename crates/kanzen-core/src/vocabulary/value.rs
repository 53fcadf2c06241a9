//! The value of a position: win, loss or draw (WDL) with the depth to win (DTW).

use std::fmt;

/// Win, loss or draw, without a distance.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::{Outcome, Value};
/// assert_eq!(Value::win(3).outcome(), Outcome::Win);
/// assert!(Outcome::Win > Outcome::Draw && Outcome::Draw > Outcome::Loss);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

/// The value of a position for the side to move.
///
/// Values order from worst to best for the mover: a slow loss beats a quick one, a quick win beats a slow one.
/// The distance is the depth to win (DTW): plies to the end when the winner takes the shortest way and the loser the
/// longest.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Value;
/// assert!(Value::win(3) > Value::win(5));
/// assert!(Value::win(99) > Value::DRAW);
/// assert!(Value::loss(8) > Value::loss(2));
/// assert_eq!(Value::loss(4).before(), Value::win(5)); // seen from the position one ply earlier
/// assert_eq!(Value::win(3).distance(), Some(3));
/// assert_eq!(Value::DRAW.distance(), None);
/// ```
///
/// Where endless play is a win for one side (Sixteen Musashi), that win has no distance:
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Value;
/// assert!(Value::win(99) > Value::UNTIMED_WIN && Value::UNTIMED_WIN > Value::DRAW);
/// assert_eq!(Value::UNTIMED_WIN.before(), Value::UNTIMED_LOSS);
/// assert_eq!(Value::UNTIMED_LOSS.distance(), None);
/// ```
// A win in d is MAX - d, a loss in d is d - MAX: the natural order of integers is the order of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i16);

impl Value {
    const MAX: i16 = i16::MAX;

    /// The longest distance a value can hold.
    pub const MAX_DISTANCE: u16 = 32_000;
    /// Neither side wins.
    pub const DRAW: Value = Value(0);
    /// A win whose distance is not defined: endless play wins.
    pub const UNTIMED_WIN: Value = Value(1);
    /// A loss whose distance is not defined: endless play loses.
    pub const UNTIMED_LOSS: Value = Value(-1);

    /// A win in `plies`, at most [`Value::MAX_DISTANCE`].
    pub const fn win(plies: u16) -> Value {
        assert!(plies <= Self::MAX_DISTANCE);
        Value(Self::MAX - plies as i16)
    }

    /// A loss in `plies`, at most [`Value::MAX_DISTANCE`].
    pub const fn loss(plies: u16) -> Value {
        assert!(plies <= Self::MAX_DISTANCE);
        Value(plies as i16 - Self::MAX)
    }

    /// The value of a score: won, lost or drawn. It has no distance: best play is for points, not for speed.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::Value;
    /// assert_eq!(Value::of_score(-10), Value::UNTIMED_LOSS);
    /// ```
    pub const fn of_score(score: i16) -> Value {
        match score {
            1.. => Value::UNTIMED_WIN,
            0 => Value::DRAW,
            _ => Value::UNTIMED_LOSS,
        }
    }

    /// Win, loss or draw.
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// Plies to the end of the game, where they are defined.
    pub const fn distance(self) -> Option<u16> {
        match self.0 {
            -1..=1 => None,
            _ => Some((Self::MAX - self.0.abs()) as u16),
        }
    }

    /// The same value seen by the player who moves into this position, one ply earlier.
    pub const fn before(self) -> Value {
        match self.0 {
            -1..=1 => Value(-self.0),
            2.. => Value(1 - self.0),
            _ => Value(-self.0 - 1),
        }
    }

    /// The value as a number that keeps the order; [`Value::from_code`] inverts it.
    pub const fn code(self) -> i16 {
        self.0
    }

    /// The value of a code, if it is one.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::Value;
    /// assert_eq!(Value::from_code(Value::win(7).code()), Some(Value::win(7)));
    /// assert_eq!(Value::from_code(5), None); // a win further away than MAX_DISTANCE
    /// ```
    pub const fn from_code(code: i16) -> Option<Value> {
        if code == i16::MIN {
            return None;
        }
        match Value(code).distance() {
            Some(plies) if plies > Self::MAX_DISTANCE => None,
            _ => Some(Value(code)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(plies) => f.pad(&format!("{} in {plies}", self.outcome())),
            None => f.pad(&self.outcome().to_string()),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.distance(), self.outcome()) {
            (Some(plies), outcome) => write!(f, "{outcome}({plies})"),
            (None, Outcome::Draw) => f.write_str("draw"),
            (None, outcome) => write!(f, "{outcome}(untimed)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_earlier_reverses_the_order() {
        let values: Vec<Value> = (i16::MIN..=i16::MAX).filter_map(Value::from_code).collect();
        assert_eq!(values.len(), 2 * 32_001 + 3);
        for pair in values.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(pair[0].before() > pair[1].before());
        }
    }
}
