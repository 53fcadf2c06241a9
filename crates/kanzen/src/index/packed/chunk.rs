//! A short run of ascending keys, packed: what a set that grows is made of.

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

    /// Appends all keys.
    pub fn decode(&self, keys: &mut Vec<K>) {
        keys.reserve(self.len);
        let mut rest = &self.words[..];
        while let [head, low, tail @ ..] = rest
            && *head != 0
        {
            let (width, count) = (*head as u32 & 255, (head >> 8) as usize);
            let (first, tail) = match key_words::<K>() {
                2 => (u128::from(*low) | u128::from(tail[0]) << 64, &tail[1..]),
                _ => (u128::from(*low), tail),
            };
            if width <= 64 {
                keys.extend((0..count).map(|at| K::from_wide(first + u128::from(bits::narrow(tail, at, width)))));
            } else {
                keys.extend((0..count).map(|at| K::from_wide(first + bits::wide(tail, at, width))));
            }
            rest = &tail[width as usize..];
        }
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
    }

    #[test]
    fn neighbours_take_hardly_a_byte() {
        let keys: Vec<u64> = (0..64_000).map(|n| (1 << 50) + n).collect();
        let chunk = Chunk::new(&keys, &mut Vec::new()).unwrap();
        assert!(chunk.bytes() < 64_100);
    }
}
