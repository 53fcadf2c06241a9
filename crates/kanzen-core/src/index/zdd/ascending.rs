//! Builds a diagram from the leaves upwards, from ascending words.
//!
//! The paper's algorithm 2 halves an array of leaves until one node is left, and its algorithm 3 does so part by part,
//! 1024 leaves at a time, because all leaves together would not fit memory. Here a part is 64 leaves, one word of bits,
//! and the parts of parts are joined like the digits of a counter:
//!
//! ```text
//!   parts     0 1   2 3   4           pending   level 6: part 4
//!             \ /   \ /   |                     level 7: -
//!   joined     .     .    |                     level 8: parts 0 to 3
//!               \   /     |
//!                 .       |           a new part joins what is pending on its level, and so on upwards
//! ```
//!
//! A stretch without members is passed in as few aligned steps as it has, so only the members cost time.

use super::{Builder, ZERO, Zdd};

/// Levels within a part.
const PART: u32 = 6;

/// Makes the diagram of a family from its sets in ascending order. See [`Zdd`].
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

    /// Bytes of memory it takes.
    pub fn memory(&self) -> u64 {
        self.builder.memory()
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
