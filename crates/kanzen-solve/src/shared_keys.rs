//! Which process owns which key, where several processes share a list of positions.
//!
//! The positions of a class are numbered in the order of their keys, and blocks of slots are assigned round robin
//! ([`Share`]). So the first key of each block gives the owner of a key, listed or not: eight or sixteen bytes for each
//! 2^16 positions, which every process holds.
//!
//! [`Share`]: super::mesh::Share

use super::mesh::RoundRobin;
use kanzen_core::vocabulary::Key;

/// The lists of all classes as one of several processes knows them.
pub struct SharedKeys<K> {
    share: RoundRobin,
    classes: Vec<SharedClass<K>>,
}

/// One class of them.
pub struct SharedClass<K> {
    /// How many positions it has.
    pub slots: u64,
    /// The first key of each block.
    pub firsts: Vec<K>,
}

impl<K: Key> SharedKeys<K> {
    /// The lists of these classes, shared like this.
    pub(super) fn new(share: RoundRobin, classes: Vec<SharedClass<K>>) -> SharedKeys<K> {
        SharedKeys { share, classes }
    }

    /// Which blocks are here.
    pub(super) fn share(&self) -> RoundRobin {
        self.share
    }

    /// How many positions a class has.
    pub fn slots(&self, class: usize) -> u64 {
        self.classes[class].slots
    }

    /// Which process has a key of a class, or would have it.
    pub fn owner(&self, class: usize, key: K) -> usize {
        let block = self.classes[class].firsts.partition_point(|first| *first <= key).saturating_sub(1);
        block % self.share.peers
    }
}
