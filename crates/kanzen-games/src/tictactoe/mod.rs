//! Three in a row on a board of nine.

mod rules;
mod text;
mod view;

pub use rules::{Board, Cell, TicTacToe};

#[cfg(test)]
mod tests;
