//! Positions as dense numbers.
//!
//! The parts an index is built from: [`combinations`] number the ways to place like pieces, [`squeeze`] and
//! [`spread`] place them on what others left free, a [`PermutationGroup`] and its [`OrbitTable`] keep one of each kind,
//! and a [`Dictionary`] closes up whatever numbering still has gaps. A [`zdd`] numbers any
//! family of sets that has structure. A game that brings rules only is [`Enumerated`].

mod binomial;
mod burnside;
pub mod combinations;
mod dictionary;
mod enumerated;
mod group;
mod merge;
mod orbits;
mod permutation;
mod places;
mod sorted;
mod squeeze;
pub mod zdd;

pub use binomial::{binomial, checked_binomial};
pub use combinations::{Combinations, Subsets};
pub use dictionary::Dictionary;
pub use enumerated::Enumerated;
pub use group::PermutationGroup;
pub use orbits::{OrbitEntry, OrbitTable};
pub use permutation::Permutation;
pub use sorted::SortedKeys;
pub use squeeze::{spread, squeeze};
