//! Three in a row on a board of nine.

mod rules;
mod text;
mod view;

pub use rules::{Cell, Position, TicTacToe};

#[cfg(test)]
mod tests;
