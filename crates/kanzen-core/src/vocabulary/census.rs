//! The census of a game: its positions by class and value.

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

    /// The names of the numbers that distinguish its classes.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::{Census, Tally};
    /// let label = [("brown".to_owned(), 3.into()), ("to_move".to_owned(), "black".into())].into_iter().collect();
    /// let census = Census { classes: vec![(label, Tally::default())] };
    /// assert_eq!(census.field_names(), ["brown"]);
    /// ```
    pub fn field_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, value) in self.classes.iter().flat_map(|(label, _)| label) {
            if value.is_i64() && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}
