//! A short run of ascending keys, packed: the unit of a growing set.

use std::marker::PhantomData;

use super::bits::{self, BLOCK};
use crate::machine::Array;
use crate::vocabulary::{Error, Key};

/// Some ascending keys, packed in blocks of 64, to be read from end to end.
///
/// ```text
///   per block   [ width, how many ][ first key ][ distances from it, width bits each ]
/// ```
pub struct Chunk<K> {
    first: u128,
    len: usize,
    words: Array<u64>,
    keys: PhantomData<K>,
}

/// Words of a key.
const fn key_words<K>() -> usize {
    size_of::<K>().div_ceil(8)
}

impl<K: Key> Chunk<K> {
    /// Packs strictly ascending keys, at least one. `scratch` is overwritten.
    pub fn new(keys: &[K], scratch: &mut Vec<u64>) -> Result<Chunk<K>, Error> {
        scratch.clear();
        for block in keys.chunks(BLOCK) {
            let head = scratch.len();
            let first = block[0].wide();
            scratch.push(0);
            scratch.push(first as u64);
            if key_words::<K>() == 2 {
                scratch.push((first >> 64) as u64);
            }
            let width = bits::pack(block, scratch);
            scratch[head] = u64::from(width) | (block.len() as u64) << 8;
        }
        let mut words = Array::zeroed("listing positions", scratch.len() + bits::AFTER)?;
        words[..scratch.len()].copy_from_slice(scratch);
        Ok(Chunk { first: keys[0].wide(), len: keys.len(), words, keys: PhantomData })
    }

    /// The lowest key.
    pub fn first(&self) -> K {
        K::from_wide(self.first)
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.words[..]) as u64
    }

    /// Drops from an ascending list what is here. For a short one: only blocks that it has keys for are looked into.
    pub fn drop_known(&self, list: &mut Vec<K>) {
        let mut blocks = Blocks::of(self);
        let (mut block, mut next) = (blocks.next(), blocks.next());
        list.retain(|key| {
            let wide = key.wide();
            while next.is_some_and(|next| next.first <= wide) {
                (block, next) = (next, blocks.next());
            }
            !block.is_some_and(|block| block.has(wide))
        });
    }

    /// Appends all keys.
    pub fn decode(&self, keys: &mut Vec<K>) {
        keys.reserve(self.len);
        for Block { first, width, count, words } in Blocks::<K>::of(self) {
            if width <= 64 {
                keys.extend((0..count).map(|at| K::from_wide(first + u128::from(bits::narrow(words, at, width)))));
            } else {
                keys.extend((0..count).map(|at| K::from_wide(first + bits::wide(words, at, width))));
            }
        }
    }
}

/// A block of a chunk.
#[derive(Clone, Copy)]
struct Block<'a> {
    first: u128,
    width: u32,
    count: usize,
    /// Its numbers, and all that follow.
    words: &'a [u64],
}

impl Block<'_> {
    fn has(&self, key: u128) -> bool {
        let Some(distance) = key.checked_sub(self.first) else { return false };
        if self.width < 128 && distance >> self.width != 0 {
            return false;
        }
        // A block is filled up with its last key: all sixty-four ascend.
        let mut below = 0;
        for step in [32, 16, 8, 4, 2, 1] {
            below += if bits::wide(self.words, below + step - 1, self.width) < distance { step } else { 0 };
        }
        bits::wide(self.words, below, self.width) == distance
    }
}

/// The blocks of a chunk of keys of type `K`, one after the other.
struct Blocks<'a, K> {
    rest: &'a [u64],
    keys: PhantomData<K>,
}

impl<'a, K> Blocks<'a, K> {
    fn of(chunk: &'a Chunk<K>) -> Self {
        Blocks { rest: &chunk.words, keys: PhantomData }
    }
}

impl<'a, K> Iterator for Blocks<'a, K> {
    type Item = Block<'a>;

    #[inline]
    fn next(&mut self) -> Option<Block<'a>> {
        let [head, low, tail @ ..] = self.rest else { return None };
        if *head == 0 {
            return None;
        }
        let (width, count) = (*head as u32 & 255, (head >> 8) as usize);
        let (first, words) = match key_words::<K>() {
            2 => (u128::from(*low) | u128::from(tail[0]) << 64, &tail[1..]),
            _ => (u128::from(*low), tail),
        };
        self.rest = &words[width as usize..];
        Some(Block { first, width, count, words })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn round_trip<K: Key>(keys: Vec<K>) -> Vec<K> {
        let chunk = Chunk::new(&keys, &mut Vec::new()).unwrap();
        assert_eq!((chunk.first(), chunk.len()), (keys[0], keys.len()));
        let mut decoded = Vec::new();
        chunk.decode(&mut decoded);
        decoded
    }

    proptest! {
        #[test]
        fn a_chunk_gives_back_its_keys(
            small in btree_set(any::<u32>(), 1..300),
            keys in btree_set(any::<u64>(), 1..300),
            large in btree_set(any::<u128>(), 1..300),
        ) {
            fn list<K: Copy>(set: &BTreeSet<K>) -> Vec<K> {
                set.iter().copied().collect()
            }
            prop_assert_eq!(round_trip(list(&small)), list(&small));
            prop_assert_eq!(round_trip(list(&keys)), list(&keys));
            prop_assert_eq!(round_trip(list(&large)), list(&large));
        }

        #[test]
        fn what_a_chunk_has_is_dropped_from_a_list(keys in btree_set(0u64..5000, 1..300), other in btree_set(0u64..5000, 0..300), shift in 0u32..90) {
            let wide = |key: &u64| u128::from(*key) << shift;
            let keys: BTreeSet<u128> = keys.iter().map(wide).collect();
            let other: BTreeSet<u128> = other.iter().map(wide).collect();
            let chunk = Chunk::new(&keys.iter().copied().collect::<Vec<_>>(), &mut Vec::new()).unwrap();
            let mut list: Vec<u128> = other.iter().copied().collect();
            chunk.drop_known(&mut list);
            prop_assert!(list.iter().eq(other.difference(&keys)));
        }
    }

    #[test]
    fn neighbours_take_hardly_a_byte() {
        let keys: Vec<u64> = (0..64_000).map(|n| (1 << 50) + n).collect();
        let chunk = Chunk::new(&keys, &mut Vec::new()).unwrap();
        assert!(chunk.bytes() < 64_100);
    }
}
