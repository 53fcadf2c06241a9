//! A growing set of keys, packed.
//!
//! ```text
//!   chunk 0       chunk 1       chunk 2          each owns the keys from its first to the next one's first
//!   [ a ..... f ] [ g ..... m ] [ n ..... z ]
//!       └ b c ┘       └ h ┘                      what is new in its range, from all lists: sorted, merged
//! ```
//!
//! Chunks are apart, so all threads work at once, and memory is read and written in order. What is new waits beside the
//! packed keys of its chunk until there is enough of it: late layers find a few keys everywhere, and to pack all keys
//! again for each of them took longer than to find them.

use rayon::prelude::*;

use super::packed::Chunk;
use crate::vocabulary::{Error, Key};

/// Keys of a chunk; with twice as many it is cut.
const CHUNK: usize = 1 << 17;
/// More keys than this are sorted on several threads.
const MANY: usize = 1 << 20;

/// Keys beside a chunk are packed with it when they are one of so many.
const WAITING: usize = 8;
/// Fewer keys than one of so many are looked up in a chunk one by one.
const SPARSE: usize = 16;

/// Keys in ascending chunks.
pub struct KeySet<K> {
    owners: Vec<Owner<K>>,
}

/// The keys of a range.
struct Owner<K> {
    chunk: Chunk<K>,
    /// Ascending keys that are not packed yet; none of them is in the chunk.
    waiting: Vec<K>,
}

impl<K: Key> Owner<K> {
    fn new(chunk: Chunk<K>) -> Owner<K> {
        Owner { chunk, waiting: Vec::new() }
    }

    fn len(&self) -> usize {
        self.chunk.len() + self.waiting.len()
    }

    fn bytes(&self) -> u64 {
        self.chunk.bytes() + size_of_val(&self.waiting[..]) as u64
    }
}

/// The change to the keys of a range.
enum Change<K> {
    Nothing,
    Wait(Vec<K>),
    Pack(Vec<Chunk<K>>),
}

impl<K> Default for KeySet<K> {
    fn default() -> Self {
        KeySet { owners: Vec::new() }
    }
}

/// What a thread needs to merge.
struct Scratch<K> {
    old: Vec<K>,
    merged: Vec<K>,
    words: Vec<u64>,
}

impl<K> Default for Scratch<K> {
    fn default() -> Self {
        Scratch { old: Vec::new(), merged: Vec::new(), words: Vec::new() }
    }
}

impl<K: Key> KeySet<K> {
    /// How many keys there are.
    #[allow(clippy::len_without_is_empty, reason = "the set of listed positions always has the initial one")]
    pub fn len(&self) -> u64 {
        self.owners.iter().map(|owner| owner.len() as u64).sum()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.owners.iter().map(Owner::bytes).sum()
    }

    /// Bytes of memory that a thread needs while it merges, at most, with lists that are not too long.
    fn bytes_to_merge() -> u64 {
        (6 * CHUNK * size_of::<K>()) as u64
    }

    /// The same with the keys that there are.
    pub fn bytes_to_pack(&self) -> u64 {
        Self::bytes_to_merge().min(self.len() * 6 * size_of::<K>() as u64)
    }

    /// The keys in order, cut into chunks.
    pub fn into_chunks(self) -> Result<Vec<Chunk<K>>, Error> {
        let owners = self.owners.into_par_iter();
        let packed = owners.map_init(Scratch::default, |scratch, owner| match owner.waiting.is_empty() {
            true => Ok(vec![owner.chunk]),
            false => {
                scratch.old.clear();
                owner.chunk.decode(&mut scratch.old);
                pack(&owner.waiting, scratch)
            }
        });
        let packed: Vec<Vec<Chunk<K>>> = packed.collect::<Result<_, Error>>()?;
        Ok(packed.into_iter().flatten().collect())
    }

    /// Adds the keys of some ascending lists. Returns those that are new, in parts that ascend.
    pub fn insert(&mut self, lists: &[Vec<K>]) -> Result<Vec<Vec<K>>, Error> {
        let count = self.owners.len().max(1);
        let changes: Vec<(Change<K>, Vec<K>)> = (0..count)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, owner| self.insert_one(owner, lists, scratch))
            .collect::<Result<_, Error>>()?;
        let mut fresh = Vec::new();
        let mut owners = Vec::with_capacity(self.owners.len() + 1);
        let mut before = std::mem::take(&mut self.owners).into_iter();
        for (change, keys) in changes {
            let old = before.next();
            match change {
                Change::Nothing => owners.extend(old),
                Change::Wait(waiting) => owners.extend(old.map(|old| Owner { waiting, ..old })),
                Change::Pack(chunks) => owners.extend(chunks.into_iter().map(Owner::new)),
            }
            if !keys.is_empty() {
                fresh.push(keys);
            }
        }
        self.owners = owners;
        Ok(fresh)
    }

    /// The change to the keys of a range, and what is new in it.
    fn insert_one(
        &self,
        owner: usize,
        lists: &[Vec<K>],
        scratch: &mut Scratch<K>,
    ) -> Result<(Change<K>, Vec<K>), Error> {
        let mut fresh = self.gather(owner, lists);
        scratch.old.clear();
        let mut waiting = &[][..];
        if let Some(owner) = self.owners.get(owner) {
            waiting = &owner.waiting;
            drop_known(&mut fresh, waiting);
            if fresh.len() < owner.chunk.len() / SPARSE {
                owner.chunk.drop_known(&mut fresh);
            } else {
                owner.chunk.decode(&mut scratch.old);
                drop_known(&mut fresh, &scratch.old);
            }
            fresh.shrink_to_fit();
            if fresh.is_empty() {
                return Ok((Change::Nothing, fresh));
            }
            if waiting.len() + fresh.len() < owner.chunk.len() / WAITING {
                let mut both = Vec::new();
                merge(waiting, &fresh, &mut both);
                return Ok((Change::Wait(both), fresh));
            }
            if scratch.old.is_empty() {
                owner.chunk.decode(&mut scratch.old);
            }
        }
        if fresh.is_empty() {
            return Ok((Change::Nothing, fresh));
        }
        let mut both = Vec::new();
        merge(waiting, &fresh, &mut both);
        Ok((Change::Pack(pack(&both, scratch)?), fresh))
    }

    /// All that the lists have in the range of a chunk, sorted, each once.
    fn gather(&self, owner: usize, lists: &[Vec<K>]) -> Vec<K> {
        let first_of = |owner: usize| self.owners.get(owner).map(|owner| owner.chunk.first());
        let first = first_of(owner).filter(|_| owner > 0);
        let end = first_of(owner + 1);
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

/// Packs the keys that were decoded and some others, ascending, that are not among them.
fn pack<K: Key>(others: &[K], scratch: &mut Scratch<K>) -> Result<Vec<Chunk<K>>, Error> {
    let Scratch { old, merged, words } = scratch;
    merge(old, others, merged);
    let pieces = merged.len().div_ceil(2 * CHUNK);
    let piece = merged.len().div_ceil(pieces);
    merged.chunks(piece).map(|keys| Chunk::new(keys, words)).collect()
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
        set.into_chunks().unwrap().iter().for_each(|chunk| chunk.decode(&mut keys));
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
        assert!(set.owners.len() >= 3 && set.owners.iter().all(|owner| owner.len() <= 2 * CHUNK));
        assert!(keys(set).into_iter().eq(0..6 * CHUNK as u64));
    }

    #[test]
    fn a_few_unpacked_keys_are_still_known() {
        let mut set = KeySet::<u64>::default();
        set.insert(&[(0..200_000).map(|n| 10 * n).collect()]).unwrap();
        for turn in 1..10 {
            let list: Vec<u64> = (0..2_000).map(|n| 997 * n + turn).collect();
            let new: Vec<u64> = list.iter().copied().filter(|key| key % 10 > 0).collect();
            let twin: BTreeSet<u64> = (1..turn).flat_map(|before| (0..2_000).map(move |n| 997 * n + before)).collect();
            let new: Vec<u64> = new.into_iter().filter(|key| !twin.contains(key)).collect();
            let before = set.len();
            assert_eq!(set.insert(&[list.clone(), list[5..70].to_vec()]).unwrap().concat(), new, "{turn}");
            assert_eq!(set.len(), before + new.len() as u64);
            assert!(set.insert(&[list]).unwrap().is_empty());
        }
        assert!(set.owners.iter().any(|owner| !owner.waiting.is_empty()));
        let (length, keys) = (set.len(), keys(set));
        assert!(keys.is_sorted() && keys.len() as u64 == length);
    }
}
