//! The games that Kanzen solves: rules for each, an own index and kernels where speed needs them, and a catalogue by name.

// Code that only solvers call stands beside code that readers call, so a reader leaves some unused. So do the unit tests,
// which leave out the catalogue.
#![cfg_attr(any(test, not(feature = "solve")), allow(dead_code, unused_imports))]

// Not in unit tests: it takes as long to compile as all games together. `tests/databases` tests it.
#[cfg(not(test))]
pub mod catalogue;
pub mod dobutsu;
pub mod morris;
pub mod musashi;
pub mod nocca;
pub mod ostle;
pub mod othello;
#[cfg(feature = "solve")]
pub mod recorded;
pub mod stones;
pub mod tictactoe;
