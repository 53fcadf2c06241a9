//! A set of keys that grows by sorted lists, packed.
//!
//! ```text
//!   chunk 0       chunk 1       chunk 2          each owns the keys from its first to the next one's first
//!   [ a ..... f ] [ g ..... m ] [ n ..... z ]
//!       └ b c ┘       └ h ┘                      what is new in its range, from all lists: sorted, merged, packed
//! ```
//!
//! Chunks are apart, so all threads work at once, and memory is read and written in order.

use rayon::prelude::*;

use super::packed::Chunk;
use crate::vocabulary::{Error, Key};

/// Keys of a chunk; with twice as many it is cut.
const CHUNK: usize = 1 << 17;
/// More keys than this are sorted on several threads.
const MANY: usize = 1 << 20;

/// Keys in ascending chunks.
pub struct KeySet<K> {
    chunks: Vec<Chunk<K>>,
}

impl<K> Default for KeySet<K> {
    fn default() -> Self {
        KeySet { chunks: Vec::new() }
    }
}

/// What a thread needs to merge.
struct Scratch<K> {
    old: Vec<K>,
    merged: Vec<K>,
    words: Vec<u64>,
}

impl<K: Key> KeySet<K> {
    /// How many keys there are.
    pub fn len(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.len() as u64).sum()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// Bytes of memory that a thread needs while it merges, at most, with lists that are not too long.
    pub fn bytes_to_merge() -> u64 {
        (5 * CHUNK * size_of::<K>()) as u64
    }

    /// The keys in order, cut into chunks.
    pub fn into_chunks(self) -> Vec<Chunk<K>> {
        self.chunks
    }

    /// Adds the keys of some ascending lists. Tells which are new, in parts that ascend.
    pub fn insert(&mut self, lists: &[Vec<K>]) -> Result<Vec<Vec<K>>, Error> {
        let owners = self.chunks.len().max(1);
        let scratch = || Scratch { old: Vec::new(), merged: Vec::new(), words: Vec::new() };
        let parts: Vec<(Vec<Chunk<K>>, Vec<K>)> = (0..owners)
            .into_par_iter()
            .map_init(scratch, |scratch, owner| self.insert_one(owner, lists, scratch))
            .collect::<Result<_, Error>>()?;
        let mut fresh = Vec::new();
        let mut chunks = Vec::with_capacity(self.chunks.len() + 1);
        let mut before = std::mem::take(&mut self.chunks).into_iter();
        for (new_chunks, keys) in parts {
            let old = before.next();
            if keys.is_empty() {
                chunks.extend(old);
            } else {
                chunks.extend(new_chunks);
                fresh.push(keys);
            }
        }
        self.chunks = chunks;
        Ok(fresh)
    }

    /// What becomes of a chunk (if anything is new) and what is new in its range.
    fn insert_one(
        &self,
        owner: usize,
        lists: &[Vec<K>],
        scratch: &mut Scratch<K>,
    ) -> Result<(Vec<Chunk<K>>, Vec<K>), Error> {
        let mut fresh = self.gather(owner, lists);
        let Scratch { old, merged, words } = scratch;
        old.clear();
        if let Some(chunk) = self.chunks.get(owner)
            && !fresh.is_empty()
        {
            chunk.decode(old);
            drop_known(&mut fresh, old);
        }
        if fresh.is_empty() {
            return Ok((Vec::new(), fresh));
        }
        merge(old, &fresh, merged);
        let pieces = merged.len().div_ceil(2 * CHUNK);
        let piece = merged.len().div_ceil(pieces);
        let chunks = merged.chunks(piece).map(|keys| Chunk::new(keys, words)).collect::<Result<_, _>>()?;
        fresh.shrink_to_fit();
        Ok((chunks, fresh))
    }

    /// All that the lists have in the range of a chunk, sorted, each once.
    fn gather(&self, owner: usize, lists: &[Vec<K>]) -> Vec<K> {
        let first = self.chunks.get(owner).map(Chunk::first).filter(|_| owner > 0);
        let end = self.chunks.get(owner + 1).map(Chunk::first);
        let part = |list: &[K]| {
            let from = first.map_or(0, |first| list.partition_point(|key| *key < first));
            let to = end.map_or(list.len(), |end| list.partition_point(|key| *key < end));
            from..to
        };
        let parts: Vec<_> = lists.iter().map(|list| part(list)).collect();
        let mut keys = Vec::with_capacity(parts.iter().map(ExactSizeIterator::len).sum());
        lists.iter().zip(parts).for_each(|(list, part)| keys.extend_from_slice(&list[part]));
        if keys.len() > MANY {
            keys.par_sort_unstable();
        } else {
            keys.sort_unstable();
        }
        keys.dedup();
        keys
    }
}

/// Drops from an ascending list what another one has.
fn drop_known<K: Key>(list: &mut Vec<K>, known: &[K]) {
    let mut rest = known;
    list.retain(|key| {
        // Galloping: `known` may be far denser than the list.
        let mut step = 1;
        while rest.get(step).is_some_and(|ahead| ahead < key) {
            rest = &rest[step..];
            step *= 2;
        }
        rest = &rest[rest[..rest.len().min(step + 1)].partition_point(|other| other < key)..];
        rest.first() != Some(key)
    });
}

/// Merges two ascending lists that have nothing in common.
fn merge<K: Key>(a: &[K], b: &[K], merged: &mut Vec<K>) {
    merged.clear();
    merged.reserve(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let first = a[i] < b[j];
        merged.push(if first { a[i] } else { b[j] });
        i += usize::from(first);
        j += usize::from(!first);
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn keys<K: Key>(set: KeySet<K>) -> Vec<K> {
        let mut keys = Vec::new();
        set.into_chunks().iter().for_each(|chunk| chunk.decode(&mut keys));
        keys
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_set(batches in vec(vec(btree_set(any::<u16>(), 0..60), 0..12), 0..12)) {
            let mut set = KeySet::<u32>::default();
            let mut twin = BTreeSet::new();
            for lists in batches {
                let lists: Vec<Vec<u32>> = lists.iter().map(|list| list.iter().map(|key| u32::from(*key)).collect()).collect();
                let fresh: Vec<u32> = set.insert(&lists).unwrap().concat();
                let new: BTreeSet<u32> = lists.concat().into_iter().filter(|key| !twin.contains(key)).collect();
                prop_assert!(fresh.iter().eq(&new));
                twin.extend(new);
                prop_assert_eq!(set.len(), twin.len() as u64);
            }
            prop_assert!(keys(set).iter().eq(&twin));
        }
    }

    #[test]
    fn chunks_are_cut_as_they_grow() {
        let mut set = KeySet::<u64>::default();
        let list = |odd: u64| (0..3 * CHUNK as u64).map(|n| 2 * n + odd).collect::<Vec<_>>();
        set.insert(&[list(0)]).unwrap();
        let fresh = set.insert(&[list(1)[..CHUNK].to_vec(), list(1), list(0)]).unwrap();
        assert!(fresh.concat() == list(1));
        assert!(set.chunks.len() >= 3 && set.chunks.iter().all(|chunk| chunk.len() <= 2 * CHUNK));
        assert!(keys(set).into_iter().eq(0..6 * CHUNK as u64));
    }
}
