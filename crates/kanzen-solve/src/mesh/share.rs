//! Which process owns which slots.
//!
//! ```text
//!   blocks of a class    0   1   2   3   4   5   6 ...      2^16 slots each, those of the plane
//!   owner of 3           0   1   2   0   1   2   0 ...      assigned round robin
//!   here, of process 1       0           1        ...       its blocks side by side in its memory
//! ```
//!
//! A slot has a number in its class, and one among those that its owner has. The blocks of a process ascend, so that
//! what is sorted by one number is sorted by the other.

use std::ops::Range;

use super::Mesh;

/// The part of each class that a process owns.
pub(crate) trait Share: Copy + Send + Sync {
    /// Whether this process owns all slots: then nothing below costs anything.
    const WHOLE: bool;

    /// How many slots of a class with so many are here.
    fn here(self, slots: u64) -> u64;

    /// Which process has a slot.
    fn owner(self, slot: u64) -> usize;

    /// The number of a slot among those of its owner.
    fn local(self, slot: u64) -> u64;

    /// Both at once: which process has a slot, and its number there.
    fn place(self, slot: u64) -> (usize, u64);

    /// The same for many slots, one after the other.
    fn places(self) -> impl Fn(u64) -> (usize, u64);

    /// The number in its class of a slot that is here.
    fn global(self, local: u64) -> u64;

    /// Visits the processes that have some of a stretch of slots, each once; `false`, and none, if they are more than
    /// `most`.
    fn owners(self, stretch: Range<u64>, most: usize, visit: impl FnMut(usize)) -> bool;

    /// Slots that are side by side here and in their class, at least: a power of two.
    fn stretch(self) -> u64;

    /// Bytes of the number of a slot among those of its owner, in a class with so many slots.
    fn width(self, slots: u64) -> usize;
}

/// A process that has all slots.
#[derive(Clone, Copy)]
pub(crate) struct Whole;

impl Share for Whole {
    const WHOLE: bool = true;

    #[inline(always)]
    fn here(self, slots: u64) -> u64 {
        slots
    }

    #[inline(always)]
    fn owner(self, _: u64) -> usize {
        0
    }

    #[inline(always)]
    fn local(self, slot: u64) -> u64 {
        slot
    }

    #[inline(always)]
    fn place(self, slot: u64) -> (usize, u64) {
        (0, slot)
    }

    #[inline(always)]
    fn places(self) -> impl Fn(u64) -> (usize, u64) {
        |slot| (0, slot)
    }

    #[inline(always)]
    fn global(self, local: u64) -> u64 {
        local
    }

    fn owners(self, _: Range<u64>, _: usize, mut visit: impl FnMut(usize)) -> bool {
        visit(0);
        true
    }

    fn stretch(self) -> u64 {
        1 << 63
    }

    fn width(self, _: u64) -> usize {
        8
    }
}

/// One of several processes, to which blocks are assigned round robin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RoundRobin {
    pub me: usize,
    pub peers: usize,
    pub bits: u32,
}

impl RoundRobin {
    /// The share of this process of a mesh.
    pub fn of(mesh: &dyn Mesh) -> RoundRobin {
        RoundRobin { me: mesh.me(), peers: mesh.peers(), bits: mesh.block_bits() }
    }

    /// The share of another process.
    pub fn at(self, me: usize) -> RoundRobin {
        RoundRobin { me, ..self }
    }

    /// Blocks of a class with so many slots.
    pub fn blocks(self, slots: u64) -> u64 {
        slots.div_ceil(1 << self.bits)
    }

    /// How many of them are here.
    pub fn blocks_here(self, slots: u64) -> u64 {
        (self.blocks(slots) + (self.peers - 1 - self.me) as u64) / self.peers as u64
    }
}

impl Share for RoundRobin {
    const WHOLE: bool = false;

    fn here(self, slots: u64) -> u64 {
        let blocks = self.blocks(slots);
        let full = self.blocks_here(slots) << self.bits;
        let last_is_here = blocks > 0 && (blocks - 1) % self.peers as u64 == self.me as u64;
        if last_is_here { full - ((blocks << self.bits) - slots) } else { full }
    }

    #[inline]
    fn owner(self, slot: u64) -> usize {
        self.place(slot).0
    }

    #[inline]
    fn local(self, slot: u64) -> u64 {
        self.place(slot).1
    }

    /// Blocks are fewer than 2^32 in any memory, and a division of 32 bits takes half the time.
    #[inline]
    fn place(self, slot: u64) -> (usize, u64) {
        let (block, peers) = ((slot >> self.bits) as u32, self.peers as u32);
        let there = u64::from(block / peers) << self.bits;
        ((block % peers) as usize, there | slot & ((1 << self.bits) - 1))
    }

    /// Every notice asks this: one division for all of them, and a product for each. The reciprocal of the number of
    /// processes, rounded up, is off by less than 2^-63, and what that makes of a block is less than a part of it.
    #[inline]
    fn places(self) -> impl Fn(u64) -> (usize, u64) {
        let (peers, reciprocal) = (self.peers as u64, (1u64 << 63).div_ceil(self.peers as u64));
        move |slot| {
            let block = slot >> self.bits & u64::from(u32::MAX);
            let turn = ((u128::from(block) * u128::from(reciprocal)) >> 63) as u64;
            ((block - turn * peers) as usize, turn << self.bits | slot & ((1 << self.bits) - 1))
        }
    }

    #[inline]
    fn global(self, local: u64) -> u64 {
        let block = (local >> self.bits) * self.peers as u64 + self.me as u64;
        block << self.bits | local & ((1 << self.bits) - 1)
    }

    #[inline]
    fn owners(self, stretch: Range<u64>, most: usize, visit: impl FnMut(usize)) -> bool {
        if stretch.is_empty() {
            return true;
        }
        let first = stretch.start >> self.bits;
        let blocks = ((stretch.end - 1) >> self.bits) - first + 1;
        let owners = blocks.min(self.peers as u64);
        let few = owners <= most as u64;
        if few {
            (first..first + owners).map(|block| (block % self.peers as u64) as usize).for_each(visit);
        }
        few
    }

    fn stretch(self) -> u64 {
        1 << self.bits
    }

    /// The same for all processes: the first one has the most.
    fn width(self, slots: u64) -> usize {
        if self.at(0).here(slots) <= 1 << 32 { 4 } else { 8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_somewhere_once_and_in_order() {
        for slots in [0, 1, 3, 4, 5, 8, 16, 17, 61, 64, 100] {
            for peers in 1..5 {
                let mut found = vec![0; slots as usize];
                for me in 0..peers {
                    let share = RoundRobin { me, peers, bits: 2 };
                    let here: Vec<u64> = (0..share.here(slots)).map(|local| share.global(local)).collect();
                    assert!(here.is_sorted_by(|a, b| a < b), "{slots} slots, {peers} processes");
                    for (local, &slot) in here.iter().enumerate() {
                        assert_eq!((share.owner(slot), share.local(slot)), (me, local as u64));
                        found[slot as usize] += 1;
                    }
                }
                assert!(found.iter().all(|&times| times == 1), "{slots} slots, {peers} processes");
            }
        }
    }

    #[test]
    fn many_places_are_those_of_one_by_one() {
        for peers in (1..70).chain([255, 256, 257, 1000, 65_535, 65_536]) {
            let share = RoundRobin { me: 0, peers, bits: 16 };
            let places = share.places();
            let near = |block: u64| block.saturating_sub(2)..(block + 3).min(1 << 32);
            let multiples =
                [1, 2, 3, 100, 65_535, u64::from(u32::MAX) / peers as u64].map(|times| times * peers as u64);
            for block in multiples.into_iter().chain([0, 1 << 31, (1 << 32) - 1]).flat_map(near) {
                for slot in [block << 16, (block << 16) + 12_345, (block << 16) + 65_535] {
                    assert_eq!(places(slot), share.place(slot), "{slot} of {peers}");
                }
            }
        }
    }

    #[test]
    fn the_owners_of_a_stretch_are_those_of_its_slots() {
        for (start, length, peers) in (0..20).flat_map(|s| (0..20).flat_map(move |l| (1..5).map(move |p| (s, l, p)))) {
            let share = RoundRobin { me: 0, peers, bits: 2 };
            let mut expected: Vec<usize> = (start..start + length).map(|slot| share.owner(slot)).collect();
            expected.sort_unstable();
            expected.dedup();
            for most in 0..5 {
                let mut owners = Vec::new();
                let few = share.owners(start..start + length, most, |owner| owners.push(owner));
                owners.sort_unstable();
                assert_eq!(few, expected.len() <= most, "{length} slots from {start} on, {peers} processes");
                assert_eq!(owners, if few { expected.clone() } else { Vec::new() });
            }
        }
    }
}
