//! Counts the positions of a game by its rules alone.

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// What `count` finds in a game: its positions, each counted once with all its mirror images, or what the game counts
/// instead of them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionCount {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// All of them.
    pub total: u64,
    /// What the game reports besides.
    #[serde(flatten)]
    pub more: Map<String, Json>,
    /// The unit in singular, and a remark after the total.
    #[serde(skip)]
    pub unit: [&'static str; 2],
    /// The same as tables for people.
    #[serde(skip)]
    pub tables: Vec<CountTable>,
}

/// A table of counts.
#[derive(Clone, PartialEq, Debug)]
pub struct CountTable {
    /// Whether an empty line stands before it.
    pub apart: bool,
    /// The names of the columns, and whether their cells are aligned to the right.
    pub columns: Vec<(&'static str, bool)>,
    /// A cell for each column.
    pub rows: Vec<Vec<CountCell>>,
}

/// A cell of a [`CountTable`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CountCell {
    /// Words.
    Text(String),
    /// The label of a class.
    Class(Map<String, Json>),
    /// A number.
    Count(u64),
}

/// One class of a game with its positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClassCount {
    /// What the class is: `{"pawns": 5}`.
    pub class: Map<String, Json>,
    /// How many positions it has.
    pub positions: u64,
}

impl PositionCount {
    /// The positions of a game by class.
    pub fn of(game: &str, classes: &[ClassCount]) -> PositionCount {
        let rows = classes.iter().map(|of| vec![CountCell::Class(of.class.clone()), CountCell::Count(of.positions)]);
        let columns = vec![("class", false), ("positions", true)];
        let table = CountTable { apart: true, columns, rows: rows.collect() };
        PositionCount {
            game: game.to_owned(),
            total: classes.iter().map(|class| class.positions).sum(),
            more: Map::from_iter([("classes".to_owned(), serde_json::json!(classes))]),
            unit: ["position", ", mirror images once"],
            tables: if classes.len() > 1 { vec![table] } else { Vec::new() },
        }
    }
}

/// What `reach` finds: positions by fewest plies from the initial one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reach {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The layers, from the initial position on.
    pub layers: Vec<Layer>,
}

/// One layer of [`Reach`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Layer {
    /// The fewest plies from the initial position.
    pub plies: u32,
    /// How many positions take so many.
    pub positions: u64,
    /// What the game counts besides, by name.
    #[serde(flatten)]
    pub more: Map<String, Json>,
}
