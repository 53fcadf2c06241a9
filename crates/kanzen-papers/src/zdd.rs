//! Zero-suppressed decision diagrams that count: sets of sets, numbered without gaps.
//!
//! A family of sets of at most 64 elements is a graph: a node tests its element, and leads on without it (`low`) or
//! with it (`high`). Equal parts are shared, and a node whose `high` leads nowhere is left out (Minato 1993). A set is a
//! word, the element of level `l` its bit `l - 1`; the root has the highest level.
//!
//! ```text
//!           bit 2 ?                  each node knows how many sets lie below its low branch,
//!          /       \                 so the number of a set is the sum of those counts
//!      bit 0 ?    bit 1 ?            wherever its path goes high:
//!      /    \     /    \             a minimal perfect hash, and the way back down is its inverse
//!     1      1   0      1
//! ```
//!
//! Sets are numbered in ascending order of their words. After Takeda and Hoki's two diagrams for N men's morris:
//! [`top_down`] is their algorithm 1, [`Ascending`] their algorithms 2 and 3.

use std::collections::HashMap;
use std::hash::Hash;

/// No set at all.
pub const ZERO: u32 = 0;
/// The empty set alone.
pub const ONE: u32 = 1;

/// A node, with the sets below its low branch counted. The level is in the low byte of `below`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    low: u32,
    high: u32,
    below: u64,
}

impl Node {
    fn level(self) -> u32 {
        (self.below & 0xff) as u32
    }

    fn sets_below_low(self) -> u64 {
        self.below >> 8
    }
}

/// A reduced diagram with counts: a family of sets, each with its number.
///
/// ```
/// use kanzen_papers::zdd::Ascending;
/// let mut family = Ascending::new();
/// for set in [0b001, 0b011, 0b100, 0b110] {
///     family.push(set);
/// }
/// let family = family.finish();
/// assert_eq!(family.len(), 4);
/// assert_eq!(family.rank(0b100), Some(2));
/// assert_eq!(family.rank(0b101), None);
/// assert_eq!(family.unrank(3), Some(0b110));
/// assert_eq!(family.unrank(4), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zdd {
    nodes: Vec<Node>,
    root: u32,
    len: u64,
}

impl Zdd {
    /// How many sets there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many nodes there are, the leaf of the empty set counted, the leaf of no set not.
    pub fn nodes(&self) -> u64 {
        self.nodes.len() as u64 - 1
    }

    /// The number of a set; none if it is not in the family.
    pub fn rank(&self, set: u64) -> Option<u64> {
        let (mut at, mut rank, mut left) = (self.root, 0, set);
        while at > ONE {
            let node = self.nodes[at as usize];
            let element = 1 << (node.level() - 1);
            if left & element == 0 {
                at = node.low;
            } else {
                rank += node.sets_below_low();
                left ^= element;
                at = node.high;
            }
        }
        // An element that no node tested is still there.
        (at == ONE && left == 0).then_some(rank)
    }

    /// The set of a number; none if there are not so many.
    pub fn unrank(&self, rank: u64) -> Option<u64> {
        if rank >= self.len {
            return None;
        }
        let (mut at, mut set, mut left) = (self.root, 0, rank);
        while at > ONE {
            let node = self.nodes[at as usize];
            match left.checked_sub(node.sets_below_low()) {
                None => at = node.low,
                Some(rest) => {
                    left = rest;
                    set |= 1 << (node.level() - 1);
                    at = node.high;
                }
            }
        }
        Some(set)
    }
}

const LEAST_TABLE: usize = 1 << 10;

/// Makes the nodes of a diagram from the leaves upwards, each kind once.
///
/// ```
/// use kanzen_papers::zdd::{Builder, ONE, ZERO};
/// let mut builder = Builder::new();
/// let first = builder.node(1, ONE, ONE); // the families {} and {1}
/// assert_eq!(builder.node(1, ONE, ONE), first);
/// assert_eq!(builder.node(2, first, ZERO), first); // nothing with element 2: no node
/// let family = builder.finish(first);
/// assert_eq!((family.len(), family.nodes()), (2, 2));
/// ```
pub struct Builder {
    nodes: Vec<Node>,
    /// Sets of each node.
    sets: Vec<u64>,
    /// Numbers of nodes by the hash of what they are; 0 where there is none.
    table: Vec<u32>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// No nodes but the two leaves.
    pub fn new() -> Builder {
        let leaf = Node { low: 0, high: 0, below: 0 };
        Builder { nodes: vec![leaf; 2], sets: vec![0, 1], table: vec![0; LEAST_TABLE] }
    }

    /// How many nodes there are, the leaf of the empty set counted.
    pub fn nodes(&self) -> u64 {
        self.nodes.len() as u64 - 1
    }

    /// Bytes of memory that so many nodes take, with the table that finds them again.
    ///
    /// ```
    /// use kanzen_papers::zdd::Builder;
    /// assert!(Builder::memory_for(1_000_000) > 24_000_000);
    /// ```
    pub fn memory_for(nodes: u64) -> u64 {
        let table = (nodes * 8).div_ceil(5).next_power_of_two().max(LEAST_TABLE as u64);
        nodes * (size_of::<Node>() as u64 + 8) + 4 * table
    }

    /// The node of this level with these branches: made, found again, or left out.
    ///
    /// # Panics
    /// If a branch is no node of a lower level, or there are 2^32 nodes.
    #[inline]
    pub fn node(&mut self, level: u32, low: u32, high: u32) -> u32 {
        if high == ZERO {
            return low;
        }
        let below = self.sets[low as usize] << 8 | u64::from(level);
        debug_assert!([low, high].iter().all(|&branch| self.nodes[branch as usize].level() < level));
        let made = Node { low, high, below };
        let mask = self.table.len() - 1;
        let mut place = hash(made) as usize & mask;
        loop {
            match self.table[place] {
                0 => break,
                known if self.nodes[known as usize] == made => return known,
                _ => place = (place + 1) & mask,
            }
        }
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(made);
        self.sets.push(self.sets[low as usize] + self.sets[high as usize]);
        self.table[place] = number;
        if self.nodes.len() * 8 > self.table.len() * 5 {
            self.enlarge();
        }
        number
    }

    fn enlarge(&mut self) {
        let size = 2 * self.table.len();
        self.table = Vec::new();
        let mut table = vec![0u32; size];
        for (number, &node) in self.nodes.iter().enumerate().skip(2) {
            let mut place = hash(node) as usize & (size - 1);
            while table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            table[place] = number as u32;
        }
        self.table = table;
    }

    /// The diagram from this node on. Nodes that it does not reach stay, so that only one diagram should be built.
    pub fn finish(mut self, root: u32) -> Zdd {
        debug_assert!(root == ZERO || self.nodes[root as usize].level() > 0 || root == ONE);
        self.nodes.shrink_to_fit();
        Zdd { len: self.sets[root as usize], nodes: self.nodes, root }
    }
}

/// Level and branches tell nodes apart; the count follows from them and costs nothing to mix in.
#[inline]
fn hash(node: Node) -> u64 {
    let branches = u64::from(node.low) << 32 | u64::from(node.high);
    let mixed = (branches ^ node.below.rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 24
}

/// The family of all sets that `step` lets through, over the elements of `levels` levels.
///
/// A state is all that the rest of a set depends on. `step` returns, from the highest level down, the state
/// after an element is left out or taken, or `None` if no set of the family goes that way. Ways that lead to the same
/// state at the same level are one; the result is reduced as well.
///
/// ```
/// use kanzen_papers::zdd::top_down;
/// // Two of five: the state is how many are taken, and a way is closed as soon as two can no longer be reached.
/// let pairs = top_down(5, 0u32, |level, taken, take| {
///     let taken = taken + u32::from(take);
///     (taken <= 2 && taken + level - 1 >= 2).then_some(taken)
/// });
/// assert_eq!(pairs.len(), 10);
/// assert_eq!(pairs.unrank(9), Some(0b11000));
/// ```
pub fn top_down<S: Copy + Eq + Hash>(levels: u32, root: S, step: impl Fn(u32, S, bool) -> Option<S>) -> Zdd {
    // Layer by layer the different states, and for each where its two branches lead in the next layer.
    let mut layers: Vec<Vec<[Option<usize>; 2]>> = Vec::new();
    let mut states = vec![root];
    for level in (1..=levels).rev() {
        let mut next = Vec::new();
        let mut known: HashMap<S, usize> = HashMap::new();
        let mut place = |state: S| {
            *known.entry(state).or_insert_with(|| {
                next.push(state);
                next.len() - 1
            })
        };
        let branches = states.iter().map(|&state| [false, true].map(|take| step(level, state, take).map(&mut place)));
        layers.push(branches.collect());
        states = next;
    }
    let mut builder = Builder::new();
    let mut nodes = vec![ONE; states.len()];
    for (level, branches) in (1..=levels).zip(layers.iter().rev()) {
        let node = |branch: Option<usize>| branch.map_or(ZERO, |state| nodes[state]);
        nodes = branches.iter().map(|[low, high]| builder.node(level, node(*low), node(*high))).collect();
    }
    builder.finish(nodes[0])
}

/// Levels within a part.
const PART: u32 = 6;

/// Makes the diagram of a family from its sets in ascending order, from the leaves upwards. See [`Zdd`].
///
/// The paper's algorithm 2 halves an array of leaves until one node is left, and its algorithm 3 does so part by part,
/// 1024 leaves at a time, because all leaves together would not fit memory. Here a part is 64 leaves, one word of bits,
/// and the parts of parts are joined like the digits of a counter:
///
/// ```text
///   parts     0 1   2 3   4           pending   level 6: part 4
///             \ /   \ /   |                     level 7: -
///   joined     .     .    |                     level 8: parts 0 to 3
///               \   /     |
///                 .       |           a new part joins what is pending on its level, and so on upwards
/// ```
///
/// A stretch without members is passed in as few aligned steps as it has, so only the members cost time.
pub struct Ascending {
    builder: Builder,
    /// The members of the part in work.
    part: u64,
    /// Its number.
    index: u64,
    /// The finished left halves, by level.
    pending: [u32; 64],
    /// Nodes of 16 leaves by their members, where known.
    quarters: Vec<u32>,
    last: Option<u64>,
}

impl Default for Ascending {
    fn default() -> Ascending {
        Ascending::new()
    }
}

impl Ascending {
    /// No sets yet.
    pub fn new() -> Ascending {
        let quarters = vec![u32::MAX; 1 << 16];
        Ascending { builder: Builder::new(), part: 0, index: 0, pending: [ZERO; 64], quarters, last: None }
    }

    /// Adds the next set, a word below 2^63.
    ///
    /// # Panics
    /// If it is not above the one before, or too large.
    #[inline]
    pub fn push(&mut self, set: u64) {
        assert!(self.last.is_none_or(|last| last < set) && set >> 63 == 0, "{set} is out of order");
        self.last = Some(set);
        if set >> PART != self.index {
            self.advance(set >> PART);
        }
        self.part |= 1 << (set & 63);
    }

    /// How many nodes there are so far.
    pub fn nodes(&self) -> u64 {
        self.builder.nodes()
    }

    /// The diagram of what was added.
    pub fn finish(mut self) -> Zdd {
        let parts = (self.index + 1).next_power_of_two();
        self.advance(parts);
        // All parts are joined: they are pending on one level, which the last one has reached.
        let root = self.pending[(PART + parts.ilog2()) as usize];
        self.builder.finish(root)
    }

    /// Closes the part in work and passes empty ones, up to the part `to`.
    fn advance(&mut self, to: u64) {
        let members = std::mem::take(&mut self.part);
        let node = self.node_of(members);
        self.join(node, PART);
        while self.index < to {
            let aligned = self.index.trailing_zeros().min(63 - PART);
            let fitting = (to - self.index).ilog2();
            self.join(ZERO, PART + aligned.min(fitting));
        }
    }

    /// A finished node of the leaves from part `index` on joins what is pending before it.
    fn join(&mut self, mut node: u32, first: u32) {
        let mut level = first;
        while self.index >> (level - PART) & 1 == 1 {
            level += 1;
            node = self.builder.node(level, self.pending[level as usize - 1], node);
        }
        self.pending[level as usize] = node;
        self.index += 1 << (first - PART);
    }

    fn node_of(&mut self, members: u64) -> u32 {
        let quarter = |of: &mut Self, at: u32| of.quarter((members >> (16 * at)) as u16);
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| quarter(self, at));
        let (low, high) = (self.builder.node(5, a, b), self.builder.node(5, c, d));
        self.builder.node(6, low, high)
    }

    fn quarter(&mut self, members: u16) -> u32 {
        match self.quarters[usize::from(members)] {
            u32::MAX => {
                let node = self.small(members, 4);
                self.quarters[usize::from(members)] = node;
                node
            }
            node => node,
        }
    }

    /// The node of 2^level leaves.
    fn small(&mut self, members: u16, level: u32) -> u32 {
        if level == 0 {
            return u32::from(members & 1);
        }
        let half = 1 << (level - 1);
        let low = self.small(members & ((1u32 << half) - 1) as u16, level - 1);
        let high = self.small(members >> half, level - 1);
        self.builder.node(level, low, high)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn of(sets: &BTreeSet<u64>) -> Zdd {
        let mut family = Ascending::new();
        sets.iter().for_each(|&set| family.push(set));
        family.finish()
    }

    /// A family, against the sorted list of its sets.
    fn check(zdd: &Zdd, sets: &BTreeSet<u64>) {
        assert_eq!(zdd.len(), sets.len() as u64);
        for (number, &set) in (0..).zip(sets) {
            assert_eq!(zdd.rank(set), Some(number));
            assert_eq!(zdd.unrank(number), Some(set));
            for wrong in (0..64).map(|element| set ^ 1 << element).filter(|wrong| !sets.contains(wrong)) {
                assert_eq!(zdd.rank(wrong), None);
            }
        }
        assert_eq!(zdd.unrank(zdd.len()), None);
    }

    /// The number of different nodes by definition: families below each prefix, those without the element left out.
    fn naive_nodes(sets: &BTreeSet<u64>) -> u64 {
        fn visit(sets: &BTreeSet<u64>, level: u32, seen: &mut BTreeSet<(u32, BTreeSet<u64>)>) {
            if sets.is_empty() || level == 0 {
                return;
            }
            let element = 1u64 << (level - 1);
            let high: BTreeSet<u64> = sets.iter().filter(|&set| set & element != 0).map(|set| set ^ element).collect();
            let low: BTreeSet<u64> = sets.iter().copied().filter(|set| set & element == 0).collect();
            if high.is_empty() {
                return visit(&low, level - 1, seen);
            }
            if seen.insert((level, sets.clone())) {
                visit(&low, level - 1, seen);
                visit(&high, level - 1, seen);
            }
        }
        let mut seen = BTreeSet::new();
        visit(sets, 63, &mut seen);
        seen.len() as u64 + 1
    }

    #[test]
    fn nothing_and_the_empty_set() {
        check(&of(&BTreeSet::new()), &BTreeSet::new());
        check(&of(&BTreeSet::from([0])), &BTreeSet::from([0]));
        assert_eq!(of(&BTreeSet::from([0])).nodes(), 1);
    }

    #[test]
    fn both_ways_to_build_give_the_same_family() {
        let two_or_three = |levels: u32| {
            top_down(levels, 0u32, |level, taken, take| {
                let taken = taken + u32::from(take);
                (taken <= 3 && taken + level > 2).then_some(taken)
            })
        };
        for levels in [2, 3, 7, 12] {
            let sets: BTreeSet<u64> = (0..1u64 << levels).filter(|set| (2..=3).contains(&set.count_ones())).collect();
            let (above, below) = (two_or_three(levels), of(&sets));
            check(&above, &sets);
            check(&below, &sets);
            assert_eq!(above.nodes(), below.nodes());
            assert_eq!(above.nodes(), naive_nodes(&sets));
        }
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn sets_must_ascend() {
        let mut family = Ascending::new();
        family.push(5);
        family.push(5);
    }

    proptest! {
        #[test]
        fn any_family_is_numbered_in_order(sets in prop::collection::btree_set(0u64..1 << 14, 0..300)) {
            check(&of(&sets), &sets);
            prop_assert_eq!(of(&sets).nodes(), naive_nodes(&sets));
        }

        #[test]
        fn far_apart_sets_too(sets in prop::collection::btree_set(0u64..1 << 63, 0..40)) {
            check(&of(&sets), &sets);
        }
    }
}
