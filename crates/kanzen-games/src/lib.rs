//! The games of Kanzen: one folder each with rules, and where a game wants more speed its own index and sweeps.

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
