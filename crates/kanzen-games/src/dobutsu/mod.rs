//! Animal shogi (dobutsu shogi): lion, giraffe, elephant and chick on a board of three by four.
//!
//! Only rules, notation and mirror symmetry: the generic engine of the library solves and stores it.

mod board;
mod rules;
mod text;

pub use board::{Kind, Mask, Piece, Position, Squares};
pub use rules::{Action, Dobutsu};

#[cfg(test)]
mod tests;
