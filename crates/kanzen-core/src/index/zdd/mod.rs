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

mod ascending;
mod builder;
#[cfg(test)]
mod tests;
mod top_down;

pub use ascending::Ascending;
pub use builder::Builder;
pub use top_down::top_down;

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
/// # use kanzen_core as kanzen;
/// use kanzen::index::zdd::Ascending;
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

    /// Bytes of memory it takes.
    pub fn memory(&self) -> u64 {
        (self.nodes.len() * size_of::<Node>()) as u64
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

    /// How many nodes the way of a set passes; none if it is not in the family.
    pub fn path_length(&self, set: u64) -> Option<u32> {
        self.rank(set)?;
        let (mut at, mut length) = (self.root, 0);
        while at > ONE {
            let node = self.nodes[at as usize];
            at = if set >> (node.level() - 1) & 1 == 1 { node.high } else { node.low };
            length += 1;
        }
        Some(length)
    }
}
