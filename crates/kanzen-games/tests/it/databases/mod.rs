//! The games of the catalogue: solved, opened and queried.
//!
//! Unit tests leave out the catalogue, which takes as long to compile as all games together, so these tests are here.

mod four_by_four;
mod morris;
mod musashi;
mod searched;
pub mod solve;
