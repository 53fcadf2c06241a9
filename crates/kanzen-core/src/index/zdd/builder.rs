//! Makes each node of a diagram once: equal ones are found again in a table.

use super::{Node, ONE, ZERO, Zdd};

const LEAST_TABLE: usize = 1 << 10;

/// Makes the nodes of a diagram from the leaves upwards, each kind once.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::index::zdd::{Builder, ONE, ZERO};
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

    /// Bytes of memory it takes.
    pub fn memory(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>() + self.sets.capacity() * 8 + self.table.len() * 4) as u64
    }

    /// Bytes of memory that so many nodes take, with the table that finds them again.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::index::zdd::Builder;
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
