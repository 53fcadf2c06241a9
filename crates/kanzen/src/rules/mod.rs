//! The rules of a game: positions, moves, ends, notation, the picture of its board; and what tests them.

pub mod conformance;
pub mod drawing;
mod fingerprint;
mod game;
pub mod notation;
mod playouts;
mod tags;
pub mod view;

pub use fingerprint::fingerprint;
pub use game::Game;
pub use tags::{Tag, Tags};
