//! Take 1, 2 or 3 stones from a pile; who cannot take loses.

mod rules;
mod text;
mod view;

pub use rules::{MOST, Pile, Stones, Take};

#[cfg(test)]
mod tests;
