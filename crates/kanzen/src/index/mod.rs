//! Positions as dense numbers.
//!
//! The parts an index is built from: [`squeeze`] and [`spread`] place pieces on what others left free.

mod squeeze;

pub use squeeze::{spread, squeeze};
