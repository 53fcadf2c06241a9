//! Recounts the census from the stored values, and compares it with the census of the database.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::Oracle;
use kanzen_core::vocabulary::{Error, Outcome, Tally, Value};

/// Differences that are shown.
const EXAMPLES: usize = 10;

/// Positions counted by class and value, as they are met.
///
/// ```
/// use kanzen_query::Recount;
/// use kanzen_core::Value;
/// let mut recount = Recount::default();
/// recount.add(5, Value::win(3));
/// recount.note(5, "boards", 1);
/// assert_eq!(recount.noted(5, "boards"), 1);
/// assert_eq!(recount.positions(), 1);
/// ```
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Recount {
    classes: BTreeMap<u32, ClassCount>,
    all: Option<Tally>,
}

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
struct ClassCount {
    tally: Tally,
    noted: BTreeMap<Cow<'static, str>, u64>,
}

/// The result of a recount.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CensusCheck {
    /// How many positions were counted.
    pub positions: u64,
    /// Counts that differ, of a value in a class each.
    pub differences: u64,
    /// The first few.
    pub examples: Vec<Difference>,
}

/// A count that differs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The class; empty for the census of all positions.
    pub class: Map<String, Json>,
    /// The value counted.
    pub value: Outcome,
    /// The distance counted, where the value has one.
    pub distance: Option<u16>,
    /// How many positions have it by the census of the database.
    pub stored: u64,
    /// How many were counted.
    pub counted: u64,
}

impl Recount {
    /// Counts a position of a class.
    pub fn add(&mut self, class: u32, value: Value) {
        self.classes.entry(class).or_default().tally.add(value, 1);
    }

    /// Counts something else that the label of a class contains.
    pub fn note(&mut self, class: u32, what: &'static str, count: u64) {
        *self.classes.entry(class).or_default().noted.entry(what.into()).or_default() += count;
    }

    /// What was noted of a class so far.
    pub fn noted(&self, class: u32, what: &str) -> u64 {
        self.classes.get(&class).and_then(|class| class.noted.get(what)).copied().unwrap_or(0)
    }

    /// Counts a position for the census of all positions: with its mirror images and the other colour there are so many.
    pub fn add_all(&mut self, value: Value, images: u64) {
        self.all.get_or_insert_default().add(value, images);
    }

    /// All positions counted.
    pub fn positions(&self) -> u64 {
        self.classes.values().map(|class| class.tally.positions()).sum()
    }

    pub(super) fn has_all_positions(&self) -> bool {
        self.all.is_some()
    }

    pub(super) fn merge(&mut self, other: Recount) {
        for (number, more) in other.classes {
            let class = self.classes.entry(number).or_default();
            class.tally.merge(&more.tally);
            more.noted.into_iter().for_each(|(what, count)| *class.noted.entry(what).or_default() += count);
        }
        if let Some(all) = other.all {
            self.all.get_or_insert_default().merge(&all);
        }
    }

    /// Compares with the census of the database.
    pub(super) fn compare(&self, oracle: &dyn Oracle) -> Result<CensusCheck, Error> {
        let contents = oracle.contents()?;
        let mut check = CensusCheck { positions: self.positions(), differences: 0, examples: Vec::new() };
        let mut counted: Vec<(Map<String, Json>, &Tally)> = Vec::new();
        for (&number, class) in &self.classes {
            counted.push((oracle.census_label(number, self), &class.tally));
        }
        // A class that the database names twice is compared once, and then with nothing.
        for (label, stored) in contents.census.classes {
            let found = counted.iter().position(|(other, _)| *other == label).map(|at| counted.swap_remove(at).1);
            check.tallies(&label, &stored, found.unwrap_or(&Tally::default()));
        }
        for (label, tally) in counted {
            check.tallies(&label, &Tally::default(), tally);
        }
        if let (Some(stored), Some(counted)) = (contents.all_positions, &self.all) {
            check.tallies(&Map::new(), &stored, counted);
        }
        Ok(check)
    }
}

impl CensusCheck {
    fn tallies(&mut self, class: &Map<String, Json>, stored: &Tally, counted: &Tally) {
        let mut both: BTreeMap<Value, (u64, u64)> = stored.iter().map(|(value, count)| (value, (count, 0))).collect();
        counted.iter().for_each(|(value, count)| both.entry(value).or_default().1 = count);
        for (value, (stored, counted)) in both.into_iter().filter(|(_, (stored, counted))| stored != counted) {
            self.differences += 1;
            if self.examples.len() < EXAMPLES {
                let (class, outcome) = (class.clone(), value.outcome());
                self.examples.push(Difference { class, value: outcome, distance: value.distance(), stored, counted });
            }
        }
    }
}
