//! Animal shogi (dobutsu shogi): lion, giraffe, elephant and chick on a board of three by four.
//!
//! Rules, notation and mirror symmetry; everything else comes from the library.

mod board;
mod rules;
mod squares;
mod text;
mod view;

pub use board::{Kind, Piece, Position};
pub use rules::{Action, Dobutsu};
pub use squares::{Mask, Squares};

#[cfg(test)]
mod tests;
