//! The games of Kanzen: one folder each with rules, and where a game wants more speed its own index and sweeps.

// Tests of single games do not call what only the catalogue does.
#![cfg_attr(test, allow(dead_code, unused_imports))]

// Tests of single games do without it: it takes as long to compile as all games together. `tests/databases` is for it.
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
