//! Counts positions by value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::vocabulary::{Outcome, Value};

/// Positions counted by value.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::{Tally, Value};
/// let mut tally = Tally::default();
/// tally.add(Value::win(1), 3);
/// tally.add(Value::DRAW, 2);
/// assert_eq!((tally.positions(), tally.wins(), tally.draws()), (5, 3, 2));
/// assert_eq!(tally.longest(), Some((1, 3)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<(i16, u64)>", into = "Vec<(i16, u64)>")]
pub struct Tally(BTreeMap<Value, u64>);

impl Tally {
    /// Counts `positions` more with this value.
    pub fn add(&mut self, value: Value, positions: u64) {
        if positions > 0 {
            *self.0.entry(value).or_default() += positions;
        }
    }

    /// Counts all of `other` as well.
    pub fn merge(&mut self, other: &Tally) {
        for (value, positions) in other.iter() {
            self.add(value, positions);
        }
    }

    /// Each value that occurs, worst first, with its number of positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Value, u64)> + '_ {
        self.0.iter().map(|(&value, &positions)| (value, positions))
    }

    /// How many positions have this value.
    pub fn of(&self, value: Value) -> u64 {
        self.0.get(&value).copied().unwrap_or(0)
    }

    /// How many positions were counted, of all values.
    pub fn positions(&self) -> u64 {
        self.0.values().sum()
    }

    /// Positions the mover wins.
    pub fn wins(&self) -> u64 {
        self.with(Outcome::Win)
    }

    /// Positions the mover loses.
    pub fn losses(&self) -> u64 {
        self.with(Outcome::Loss)
    }

    /// How many of them are draws.
    pub fn draws(&self) -> u64 {
        self.with(Outcome::Draw)
    }

    fn with(&self, outcome: Outcome) -> u64 {
        self.iter().filter(|(value, _)| value.outcome() == outcome).map(|(_, positions)| positions).sum()
    }

    /// The longest distance and how many positions have it.
    pub fn longest(&self) -> Option<(u16, u64)> {
        let last = self.histogram().pop()?;
        Some((last.distance, last.wins + last.losses))
    }

    /// Wins and losses by distance, shortest first.
    pub fn histogram(&self) -> Vec<Bar> {
        let mut bars: BTreeMap<u16, Bar> = BTreeMap::new();
        for (value, positions) in self.iter() {
            let Some(distance) = value.distance() else { continue };
            let bar = bars.entry(distance).or_insert(Bar { distance, wins: 0, losses: 0 });
            match value.outcome() {
                Outcome::Win => bar.wins += positions,
                _ => bar.losses += positions,
            }
        }
        bars.into_values().collect()
    }
}

// In files a tally is a list of (value code, positions), worst value first.
impl From<Tally> for Vec<(i16, u64)> {
    fn from(tally: Tally) -> Self {
        tally.iter().map(|(value, positions)| (value.code(), positions)).collect()
    }
}

impl TryFrom<Vec<(i16, u64)>> for Tally {
    type Error = String;

    fn try_from(counts: Vec<(i16, u64)>) -> Result<Tally, String> {
        let mut tally = Tally::default();
        let mut total = 0u64;
        for (code, positions) in counts {
            let value = Value::from_code(code).ok_or_else(|| format!("{code} is not the code of a value"))?;
            if tally.0.last_key_value().is_some_and(|(&last, _)| last >= value) {
                return Err(format!("the code {code} is out of order"));
            }
            total = total.checked_add(positions).ok_or("more positions than can be counted")?;
            tally.add(value, positions);
        }
        Ok(tally)
    }
}

/// One distance of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bar {
    /// Plies to the end of the game.
    pub distance: u16,
    /// Positions the mover wins in that many plies.
    pub wins: u64,
    /// Positions the mover loses in that many plies.
    pub losses: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Tally, String> {
        serde_json::from_str(json).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn a_tally_is_read_as_it_was_written() {
        let mut tally = Tally::default();
        for (value, n) in [(Value::win(1), 3), (Value::DRAW, u64::MAX - 8), (Value::loss(4), 5)] {
            tally.add(value, n);
        }
        assert_eq!(read(&serde_json::to_string(&tally).unwrap()), Ok(tally));
    }

    #[test]
    fn counts_beyond_counting_are_refused() {
        assert!(
            read("[[0,18446744073709551615],[1,1]]").unwrap_err().starts_with("more positions than can be counted")
        );
        assert!(read("[[1,1],[0,1]]").unwrap_err().starts_with("the code 0 is out of order"));
        assert!(read("[[0,1],[0,1]]").is_err());
        assert!(read("[[5,1]]").unwrap_err().starts_with("5 is not the code of a value"));
    }
}
