//! The rules of a game: positions, moves, ends, notation and board view, with their tests.

mod any_game;
mod colour;
pub mod conformance;
pub mod drawing;
mod explicit_game;
mod fingerprint;
mod game;
pub mod notation;
mod playouts;
mod tags;
pub mod view;

pub use any_game::{AnyGame, ended, key, typed};
pub use colour::Colour;
pub use explicit_game::{ExplicitGame, GridBoard, PositionRecord};
pub use fingerprint::fingerprint;
pub use game::{Board, Game, Notation, Successor};
pub use tags::{Tag, Tags};
