//! The rules of a game: positions, moves, ends, notation, the picture of its board; and what tests them.

mod colour;
pub mod conformance;
pub mod drawing;
mod fingerprint;
mod game;
pub mod notation;
mod playouts;
mod tags;
pub mod view;
mod written_out;

pub use colour::Colour;
pub use fingerprint::fingerprint;
pub use game::{Game, Successor};
pub use tags::{Tag, Tags};
pub use written_out::{Board, Told, WrittenOut};
