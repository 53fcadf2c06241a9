//! The census of a game.

use serde_json::{Map, Value as Json};

use super::Tally;

/// The census of a game: a tally for each class, each with a label such as `{"white": 5, "black": 4}`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Census {
    /// The classes in the order of their numbers.
    pub classes: Vec<(Map<String, Json>, Tally)>,
}

impl Census {
    /// All classes together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for (_, tally) in &self.classes {
            total.merge(tally);
        }
        total
    }
}
