//! Which index bit stands for which point.
//!
//! With black on a given point, a position is the set of brown's points: an index bit for each point but black's. One
//! point of the middle row, the *home* point, has no bit of its own; it takes over the bit of the point black stands on:
//!
//! ```text
//! black at home   every other point has its own bit
//! black at b      home has b's bit, every other point its own
//! ```
//!
//! So black's move from b to c changes two index bits. Points that the flip exchanges have adjacent bits, and no such
//! pair lies across the edge of a word, of a block or of a block of the database. The columns of the board follow each
//! other from the right, since pieces move to neighbours: few moves then cross from low bits to high ones.

use kanzen::solve::rounds::{BLOCK_BITS, Mirror};

use crate::musashi::board::Board;

/// The index bits of a board, and which points of black's are stored.
pub struct Layout {
    bits: u32,
    block_bits: u32,
    home: u8,
    slot: Vec<u8>, // by point; that of home is never used
    stored: Vec<u8>,
    number: Vec<Option<u8>>, // by point: its place among the stored ones
    flip: Vec<u8>,
    pairs: u64,
}

impl Layout {
    /// The layout of a board.
    ///
    /// # Panics
    /// If the board has no point on its middle row, or so few that a pair must lie across an edge.
    pub fn new(board: &Board) -> Layout {
        Layout::cut(board, BLOCK_BITS)
    }

    /// The same with blocks of fewer index bits, for tests.
    pub fn cut(board: &Board, block_bits: u32) -> Layout {
        let points = board.points() as u8;
        let flip = board.flip().clone();
        let middle = |point: &u8| flip[usize::from(*point)] == *point;
        let home = (0..points).filter(middle).min_by_key(|&p| board.neighbours(p).len()).expect("a middle row");
        let mut upper: Vec<u8> = (0..points).filter(|&p| p < flip[usize::from(p)]).collect();
        let mut single: Vec<u8> = (0..points).filter(middle).filter(|&p| p != home).collect();
        let from_right = |&p: &u8| (std::cmp::Reverse(board.xy(p).0), std::cmp::Reverse(board.xy(p).1));
        upper.sort_by_key(from_right);
        single.sort_by_key(from_right);
        let mut slot = vec![u8::MAX; board.points()];
        let edges = [6, block_bits, block_bits + 1];
        let order = Order { upper: &upper, single: &single, column: &|p| board.xy(p).0, edges };
        let mut taken = Vec::new();
        assert!(order.find(0, 0, &mut taken), "a pair of points must lie across an edge");
        let (mut bit, mut pairs) = (0u8, 0u64);
        for point in taken {
            slot[usize::from(point)] = bit;
            let other = flip[usize::from(point)];
            if other != point {
                slot[usize::from(other)] = bit + 1;
                pairs |= 1 << bit;
                bit += 1;
            }
            bit += 1;
        }
        let stored: Vec<u8> = (0..points).filter(|&p| p <= flip[usize::from(p)]).collect();
        let number = |p: u8| stored.iter().position(|&s| s == p).map(|n| n as u8);
        let number = (0..points).map(number).collect();
        Layout { bits: u32::from(points) - 1, block_bits, home, slot, stored, number, flip, pairs }
    }

    /// Index bits in all.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Index bits of a block.
    pub fn block_bits(&self) -> u32 {
        self.bits.min(self.block_bits)
    }

    /// Index bits of a block of the database.
    pub fn stored_bits(&self) -> u32 {
        self.bits.min(self.block_bits + 1)
    }

    /// Black's points that are stored: one of each pair that the flip exchanges.
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// The number of a stored point.
    pub fn number(&self, point: u8) -> Option<usize> {
        self.number[usize::from(point)].map(usize::from)
    }

    /// Whether the flip keeps a point in its place.
    pub fn is_middle(&self, point: u8) -> bool {
        self.flip[usize::from(point)] == point
    }

    /// The point that takes over black's bit.
    pub fn home(&self) -> u8 {
        self.home
    }

    /// The bit of a point while black stands on another.
    pub fn slot(&self, black: u8, point: u8) -> u32 {
        u32::from(self.slot[usize::from(if point == self.home { black } else { point })])
    }

    /// The flip as a renumbering of index bits, for black on the middle row.
    pub fn mirror(&self) -> Mirror {
        Mirror::new(self.pairs, 1 << (self.block_bits() - 6))
    }

    /// The lower bits of the pairs that the flip exchanges.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Whether a block of the database is its own mirror image or comes before it.
    pub fn is_smaller_block(&self, block: u64) -> bool {
        let pairs = self.pairs >> self.stored_bits();
        let differ = (block ^ block >> 1) & pairs;
        block <= block ^ differ ^ differ << 1
    }

    /// Whether a block of the database is written for a stored point: of a set that is its own mirror image, half is
    /// enough.
    pub fn is_stored(&self, black: u8, block: u64) -> bool {
        !self.is_middle(black) || self.is_smaller_block(block)
    }

    /// An index under the flip.
    pub fn flipped(&self, index: u64) -> u64 {
        let differ = (index ^ index >> 1) & self.pairs;
        index ^ differ ^ differ << 1
    }

    /// The index of brown's points.
    pub fn index(&self, black: u8, brown: u64) -> u64 {
        let points = (0..self.slot.len() as u8).filter(|p| brown >> p & 1 == 1);
        points.fold(0, |index, point| index | 1 << self.slot(black, point))
    }

    /// Brown's points of an index.
    pub fn brown(&self, black: u8, index: u64) -> u64 {
        let points = (0..self.slot.len() as u8).filter(|&p| p != black);
        points.filter(|&p| index >> self.slot(black, p) & 1 == 1).fold(0, |brown, point| brown | 1 << point)
    }
}

/// Puts pairs (by their upper point) and single points in order.
struct Order<'a> {
    upper: &'a [u8],
    single: &'a [u8],
    column: &'a dyn Fn(u8) -> u8,
    edges: [u32; 3],
}

impl Order<'_> {
    /// Goes on after so many pairs and single points, the right-most first where no edge is in the way.
    fn find(&self, pairs: usize, singles: usize, taken: &mut Vec<u8>) -> bool {
        let (pair, one) = (self.upper.get(pairs), self.single.get(singles));
        let fits = !self.edges.contains(&(2 * pairs as u32 + singles as u32 + 1));
        let pair_first = pair.is_some_and(|&pair| one.is_none_or(|&one| (self.column)(pair) >= (self.column)(one)));
        for take_pair in [pair_first, !pair_first] {
            let (point, next) = match take_pair {
                true => (pair.filter(|_| fits), (pairs + 1, singles)),
                false => (one, (pairs, singles + 1)),
            };
            let Some(&point) = point else { continue };
            taken.push(point);
            if self.find(next.0, next.1, taken) {
                return true;
            }
            taken.pop();
        }
        pair.is_none() && one.is_none()
    }
}
