//! Positions as dense numbers.
//!
//! An [`Index`] says where the value of a position is stored. The parts it is built from: [`combinations`] number the
//! ways to place like pieces, [`pext`](crate::machine::cpu::pext) and [`pdep`](crate::machine::cpu::pdep) place them on
//! what others left free, a [`PermutationGroup`] and its [`OrbitTable`] keep one of each kind, and a [`Dictionary`]
//! closes up whatever numbering still has gaps. A [`zdd`] numbers any family of sets that has structure. A game that
//! brings rules only is [`Listed`].

mod binomial;
mod burnside;
pub mod combinations;
mod dictionary;
mod group;
mod index_trait;
#[cfg(feature = "solve")]
mod key_set;
#[cfg(feature = "solve")]
mod key_table;
#[cfg(feature = "solve")]
mod listed;
mod orbits;
#[cfg(feature = "solve")]
mod packed;
mod permutation;
#[cfg(feature = "solve")]
mod reachable;
#[cfg(feature = "solve")]
mod seen;
mod sized_ranks;
pub mod zdd;

pub use binomial::{binomial, checked_binomial};
pub use burnside::sets_kept;
pub use combinations::{Combinations, Subsets, points};
pub use dictionary::Dictionary;
pub use group::PermutationGroup;
pub use index_trait::{Class, Index, LayoutHash, Place, class_label};
#[cfg(feature = "solve")]
pub(crate) use key_set::KeySet;
#[cfg(feature = "solve")]
pub(crate) use key_table::KeyTable;
#[cfg(feature = "solve")]
pub use listed::Listed;
#[cfg(feature = "solve")]
pub(crate) use listed::by_class;
pub use orbits::{OrbitEntry, OrbitTable};
#[cfg(feature = "solve")]
pub use packed::{PackedKeys, PackedKeysBuilder};
pub use permutation::{Permutation, cycles};
#[cfg(feature = "solve")]
pub(crate) use reachable::add_children;
#[cfg(feature = "solve")]
pub use reachable::layers;
pub use sized_ranks::rank_of_size;
