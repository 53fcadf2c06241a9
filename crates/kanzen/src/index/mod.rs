//! Positions as dense numbers.
//!
//! The parts an index is built from: [`combinations`] number the ways to place like pieces, [`squeeze`] and
//! [`spread`] place them on what others left free.

mod binomial;
pub mod combinations;
mod squeeze;

pub use binomial::{binomial, checked_binomial};
pub use combinations::{Combinations, Subsets};
pub use squeeze::{spread, squeeze};
