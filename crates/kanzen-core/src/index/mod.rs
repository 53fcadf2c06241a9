//! Numbers the positions of a game densely.
//!
//! An [`Index`] defines where the value of a position is stored. The parts it is built from: [`combinations`] number the
//! ways to place identical pieces, [`pext`](crate::machine::cpu::pext) and [`pdep`](crate::machine::cpu::pdep) place them
//! on the squares left free, a [`PermutationGroup`] and its [`OrbitTable`] keep one position of each orbit, and a
//! [`Dictionary`] closes the gaps of a sparse numbering. The index of a game that has only rules is [`Listed`].

mod binomial;
mod burnside;
pub mod combinations;
mod dictionary;
mod group;
mod index_trait;
mod key_set;
mod key_table;
mod listed;
mod orbits;
mod packed;
mod permutation;
mod reachable;
mod seen;
mod sized_ranks;

pub use binomial::{binomial, checked_binomial};
pub use burnside::sets_kept;
pub use combinations::{Combinations, Subsets, points};
pub use dictionary::Dictionary;
pub use group::PermutationGroup;
pub use index_trait::{Class, Index, LayoutHash, Place, class_label};
pub use key_set::KeySet;
pub use key_table::KeyTable;
pub use listed::Listed;
pub use listed::by_class;
pub use orbits::{OrbitEntry, OrbitTable};
pub use packed::{PackedKeys, PackedKeysBuilder};
pub use permutation::{Permutation, cycles};
pub use reachable::add_children;
pub use reachable::layers;
pub use sized_ranks::rank_of_size;
