//! What a solve leaves behind.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use kanzen_core::vocabulary::Tally;

/// Which positions a number of them counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Counting {
    /// One of each set of mirror images, or whatever else the symmetries of the published table make one.
    #[serde(rename = "up to symmetry")]
    UpToSymmetry,
    /// All, mirror images and colours apart.
    #[serde(rename = "all")]
    All,
}

/// What a solve leaves behind: the contents of the manifest.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solution {
    /// What the reader of the database wants to find again.
    pub settings: Map<String, Json>,
    /// The classes of the census.
    pub classes: Vec<SolvedClass>,
    /// The files of the database; all others were for the way.
    pub files: Vec<String>,
}

/// A class of the census.
#[derive(Clone, PartialEq, Debug)]
pub struct SolvedClass {
    /// What distinguishes it from the others, such as `{"white": 5, "black": 4}`.
    pub label: Map<String, Json>,
    /// How many slots it has.
    pub slots: u64,
    /// How many positions have which value.
    pub tally: Tally,
}

impl SolvedClass {
    /// A label of these parts, in their order.
    ///
    /// ```
    /// let label = kanzen_store::SolvedClass::label([("white", 5.into()), ("black", 4.into())]);
    /// assert_eq!(serde_json::to_string(&label).unwrap(), r#"{"white":5,"black":4}"#);
    /// ```
    pub fn label<const N: usize>(parts: [(&str, Json); N]) -> Map<String, Json> {
        parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect()
    }
}
