//! How many positions a game has, by its rules alone.

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// What `count` tells of a game: its positions, each counted once with all its mirror images.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionCount {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// All of them.
    pub total: u64,
    /// How many there are in each class.
    pub classes: Vec<ClassCount>,
}

/// One class of a [`PositionCount`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClassCount {
    /// What the class is: `{"pawns": 5}`.
    pub class: Map<String, Json>,
    /// How many positions it has.
    pub positions: u64,
}

/// What `reach` tells: positions by fewest plies from the initial one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reach {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The layers, from the initial position on.
    pub layers: Vec<Layer>,
}

/// One layer of [`Reach`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Layer {
    /// The fewest plies from the initial position.
    pub plies: u32,
    /// How many positions take so many.
    pub positions: u64,
}
