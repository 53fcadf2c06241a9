//! Sixteen Musashi: one black piece against sixteen brown ones, on boards of 25, 31 and 33 points.
//!
//! Solved set at a time ([`kanzen::solve::rounds`]): `layout` says which index bit is which point, `black` and `brown`
//! are the two half-rounds, `engine` plays a round, `method` all of them, `planes` and `oracle` are the database.

mod black;
mod board;
mod brown;
mod census;
mod engine;
mod forecast;
mod layout;
mod measure;
mod method;
mod oracle;
mod orbits;
mod planes;
mod rules;
mod schedule;
mod text;
mod view;

pub use board::{Board, Symmetry};
pub use forecast::of as forecast;
pub use measure::{Phase, first_rounds};
pub use method::SetAtATime;
pub use orbits::positions;
pub use rules::{Musashi, Position, Step};

#[cfg(test)]
mod solved;
#[cfg(test)]
mod tests;
