//! A directory of packed keys: finds the block of a key by its high bits.
//!
//! ```text
//!   key - base ──its high bits──> table   [ 0 | 0 | 3 | node 1 | 90 | ... ]     about an entry a block
//!                                                        └──> the same again, for a crowd of blocks
//! ```
//!
//! Keys are seldom spread evenly. Where many blocks share an entry, a node of its own divides them further: a node
//! takes at least as many bits of the key as its blocks have, so that there are never more than a few on the way.

use crate::machine::{Array, prefetch};
use crate::vocabulary::{Error, Key};

/// More blocks than this under one entry get a node of their own.
const CROWD: usize = 12;
const CHILD: u32 = 1 << 31;

/// Where to begin the search for a key.
pub struct Directory<K> {
    nodes: Vec<Node<K>>,
    table: Array<u32>,
}

/// The blocks `first..end`.
struct Node<K> {
    /// The first key of the first block.
    base: K,
    shift: u32,
    /// Its part of the table.
    start: usize,
    entries: u64,
    first: usize,
    end: usize,
}

impl<K: Key> Directory<K> {
    /// A directory of so many blocks, given the first key of each.
    pub fn new(blocks: usize, first_key: &impl Fn(usize) -> K) -> Result<Directory<K>, Error> {
        let mut nodes = Vec::new();
        let mut entries = Vec::new();
        if blocks > 0 {
            divide(0, blocks, first_key, &mut nodes, &mut entries);
        }
        let mut table = Array::zeroed("the directory of keys", entries.len())?;
        table.copy_from_slice(&entries);
        Ok(Directory { nodes, table })
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.table[..]) + size_of_val(&self.nodes[..])) as u64
    }

    /// Asks for what [`start`](Self::start) looks at first.
    #[inline]
    pub fn fetch(&self, key: K) {
        if let Some(entry) = self.nodes.first().and_then(|root| self.table.get(root.entry(key)?)) {
            prefetch(entry);
        }
    }

    /// A block that does not begin after the key, at most some before the last that does not; 0 if all begin after it.
    #[inline]
    pub fn start(&self, key: K) -> usize {
        let Some(mut node) = self.nodes.first() else { return 0 };
        loop {
            if key < node.base {
                return node.first.saturating_sub(1);
            }
            let Some(entry) = node.entry(key) else { return node.end - 1 };
            let found = self.table[entry];
            if found & CHILD == 0 {
                return (found as usize).saturating_sub(1);
            }
            node = &self.nodes[(found & !CHILD) as usize];
        }
    }
}

impl<K: Key> Node<K> {
    /// The entry of a key; nothing for a key beyond the last, or before the first.
    #[inline]
    fn entry(&self, key: K) -> Option<usize> {
        let high = key.wide().wrapping_sub(self.base.wide()) >> self.shift;
        (high < u128::from(self.entries)).then(|| self.start + high as usize)
    }
}

/// Adds a node for blocks `first..end`, and those below it.
fn divide<K: Key>(
    first: usize,
    end: usize,
    first_key: &impl Fn(usize) -> K,
    nodes: &mut Vec<Node<K>>,
    table: &mut Vec<u32>,
) -> u32 {
    let base = first_key(first);
    let span = first_key(end - 1).wide() - base.wide();
    let wanted = usize::BITS - (end - first - 1).leading_zeros();
    let shift = (128 - span.leading_zeros()).saturating_sub(wanted);
    let entries = (span >> shift) as u64 + 1;
    let start = table.len();
    table.resize(start + entries as usize, 0);
    let number = nodes.len();
    nodes.push(Node { base, shift, start, entries, first, end });
    let entry = |block: usize| ((first_key(block).wide() - base.wide()) >> shift) as usize;
    let mut block = first;
    for at in 0..entries as usize {
        let from = block;
        while block < end && entry(block) == at {
            block += 1;
        }
        table[start + at] = match block - from {
            ..=CROWD => from as u32,
            _ => CHILD | divide(from, block, first_key, nodes, table),
        };
    }
    number as u32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn check<K: Key>(firsts: &[K], asked: impl Iterator<Item = K>) {
        let directory = Directory::new(firsts.len(), &|block| firsts[block]).unwrap();
        for key in asked.chain(firsts.iter().copied()) {
            directory.fetch(key);
            let right = firsts.partition_point(|first| *first <= key).saturating_sub(1);
            let start = directory.start(key);
            assert!(start <= right && right - start <= CROWD + 1, "{key:?}: {start} for {right}");
        }
    }

    proptest! {
        #[test]
        fn the_search_begins_near_the_block(keys: BTreeSet<u64>, asked: Vec<u64>, bits in 0u32..64) {
            check(&keys.iter().copied().collect::<Vec<_>>(), asked.iter().copied());
            let clustered: BTreeSet<u64> = keys.iter().map(|key| key >> (key % u64::from(bits + 1))).collect();
            check(&clustered.into_iter().collect::<Vec<_>>(), asked.into_iter().map(|key| key >> bits));
        }
    }

    #[test]
    fn keys_that_double_each_time_are_a_few_steps_away() {
        check(&(0..128).map(|bit| 1u128 << bit).collect::<Vec<_>>(), [0, 3, u128::MAX].into_iter());
        check::<u64>(&[], [7].into_iter());
    }
}
