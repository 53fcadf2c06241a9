//! Positions as dense numbers.
//!
//! The parts an index is built from: [`combinations`] number the ways to place like pieces, [`squeeze`] and
//! [`spread`] place them on what others left free, a [`PermutationGroup`] and its [`OrbitTable`] keep one of each kind,
//! and a [`Dictionary`] closes up whatever numbering still has gaps.

mod binomial;
mod burnside;
pub mod combinations;
mod dictionary;
mod group;
mod orbits;
mod permutation;
mod squeeze;

pub use binomial::{binomial, checked_binomial};
pub use combinations::{Combinations, Subsets};
pub use dictionary::Dictionary;
pub use group::PermutationGroup;
pub use orbits::OrbitTable;
pub use permutation::Permutation;
pub use squeeze::{spread, squeeze};
