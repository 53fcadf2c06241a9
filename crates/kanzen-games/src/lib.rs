//! The games that Kanzen solves: rules for each, an own index and kernels where speed needs them, and a catalogue by name.

// The unit tests leave out the catalogue, so they do not use all code.
#![cfg_attr(test, allow(dead_code, unused_imports))]

// Not in unit tests: it takes as long to compile as all games together. `tests/databases` tests it.
#[cfg(not(test))]
pub mod catalogue;
pub mod dobutsu;
pub mod morris;
pub mod musashi;
pub mod nocca;
pub mod ostle;
pub mod othello;
pub mod recorded;
pub mod stones;
pub mod tictactoe;
