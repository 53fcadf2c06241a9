//! Maps points to index bits, and counts positions up to symmetry.
//!
//! With black on a given point, a position is the set of brown's points: one index bit per point except black's. One
//! point of the middle row, the *home* point, has no bit of its own; it uses the bit of the point on which black
//! stands:
//!
//! ```text
//! black at home   every other point has its own bit
//! black at b      home has b's bit, every other point its own
//! ```
//!
//! So black's move from b to c changes two index bits. Points that the flip exchanges have adjacent bits, and no such
//! pair crosses the edge of a word, of a block or of a database block. Columns are assigned from the right: pieces move
//! to neighbours, so few moves cross from low bits to high ones.

use crate::musashi::sets::{BLOCK_BITS, Mirror};
use kanzen::{Census, Value};
use kanzen_core::index::sets_kept;
use serde_json::{Map, Value as Json};

use super::census_label as label;
use crate::musashi::rules::Board;

/// The index bits of a board, and the stored points of black.
pub struct Layout {
    bits: u32,
    block_bits: u32,
    home: u8,
    slot: Vec<u8>, // by point; unused for home
    stored: Vec<u8>,
    number: Vec<Option<u8>>, // by point: its number among the stored ones
    flip: Vec<u8>,
    pairs: u64,
}

impl Layout {
    /// Builds the layout of a board.
    ///
    /// # Panics
    /// Panics if the board has no point on its middle row, or so few that a pair must cross an edge.
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
        let order = BitOrder { upper: &upper, single: &single, column: &|p| board.xy(p).0, edges };
        let mut taken = Vec::new();
        assert!(order.find(0, 0, &mut taken), "a pair of points must cross an edge");
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

    /// Returns the number of index bits.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the index bits of a block.
    pub fn block_bits(&self) -> u32 {
        self.bits.min(self.block_bits)
    }

    /// Returns the index bits of a database block.
    pub fn stored_bits(&self) -> u32 {
        self.bits.min(self.block_bits + 1)
    }

    /// Returns black's stored points: one of each pair that the flip exchanges.
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// Returns the number of a stored point.
    pub fn number(&self, point: u8) -> Option<usize> {
        self.number[usize::from(point)].map(usize::from)
    }

    /// Whether the flip fixes a point.
    pub fn is_middle(&self, point: u8) -> bool {
        self.flip[usize::from(point)] == point
    }

    /// Returns the point that uses black's bit.
    pub fn home(&self) -> u8 {
        self.home
    }

    /// Returns the bit of a point while black stands on another.
    pub fn slot(&self, black: u8, point: u8) -> u32 {
        u32::from(self.slot[usize::from(if point == self.home { black } else { point })])
    }

    /// Returns the flip as a permutation of index bits, for black on the middle row.
    pub fn mirror(&self) -> Mirror {
        Mirror::new(self.pairs, 1 << (self.block_bits() - 6))
    }

    /// Returns the lower bits of the pairs that the flip exchanges.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Whether a database block is at most its mirror image.
    pub fn is_smaller_block(&self, block: u64) -> bool {
        let pairs = self.pairs >> self.stored_bits();
        let differ = (block ^ block >> 1) & pairs;
        block <= block ^ differ ^ differ << 1
    }

    /// Whether a database block is written for a stored point: half of the blocks suffice for a set that is its own
    /// mirror image.
    pub fn is_stored(&self, black: u8, block: u64) -> bool {
        !self.is_middle(black) || self.is_smaller_block(block)
    }

    /// Returns the image of an index under the flip.
    pub fn flipped(&self, index: u64) -> u64 {
        let differ = (index ^ index >> 1) & self.pairs;
        index ^ differ ^ differ << 1
    }

    /// Returns the index of brown's points.
    pub fn index(&self, black: u8, brown: u64) -> u64 {
        let points = (0..self.slot.len() as u8).filter(|p| brown >> p & 1 == 1);
        points.fold(0, |index, point| index | 1 << self.slot(black, point))
    }

    /// Returns brown's points of an index.
    pub fn brown(&self, black: u8, index: u64) -> u64 {
        let points = (0..self.slot.len() as u8).filter(|&p| p != black);
        points.filter(|&p| index >> self.slot(black, p) & 1 == 1).fold(0, |brown, point| brown | 1 << point)
    }
}

/// Orders pairs (by their upper point) and single points.
struct BitOrder<'a> {
    upper: &'a [u8],
    single: &'a [u8],
    column: &'a dyn Fn(u8) -> u8,
    edges: [u32; 3],
}

impl BitOrder<'_> {
    /// Continues after some pairs and single points, right-most first, such that no pair crosses an edge. Backtracks.
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

/// Levels in a row of the published tables, from 0.
const LEVELS: u16 = 69;

/// Counts the positions with one side to move, up to symmetry, by number of brown pieces.
pub fn placements(board: &Board) -> Vec<u64> {
    let mut all = vec![0u64; board.points()];
    let group = board.symmetries().len() as u64;
    for symmetry in board.symmetries() {
        for black in (0..board.points() as u8).filter(|&p| symmetry[usize::from(p)] == p) {
            let ways = sets_kept(symmetry, !(1 << black), board.points() as u32 - 1);
            all.iter_mut().zip(ways).for_each(|(all, ways)| *all += ways);
        }
    }
    all.iter().map(|count| count / group).collect()
}

/// Counts all positions of a board, both sides to move, up to symmetry.
///
/// ```
/// use kanzen_games::musashi::{Board, positions};
/// assert_eq!(positions(&Board::of_points(25).unwrap()), 104_940_576);
/// ```
pub fn positions(board: &Board) -> u64 {
    2 * placements(board).iter().sum::<u64>()
}

/// Returns the label and the number of positions of each class.
pub fn expected_classes(board: &Board) -> Vec<(Map<String, Json>, u64)> {
    let of = |(brown, slots): (usize, u64)| ["black", "brown"].map(|to_move| (label(brown, to_move), slots));
    placements(board).into_iter().enumerate().flat_map(of).collect()
}

/// Writes the census in the layout of the published tables.
///
/// Each row has the number of brown pieces, the positions that black to move does not lose, those that brown to move
/// does not win, and the positions at level 0, 1, 2, ... Even levels have black to move.
pub fn census_csv(board: &Board, census: &Census) -> String {
    let mut csv = String::new();
    for brown in 0..board.points() {
        let of = |to_move: &str| {
            let wanted = label(brown, to_move);
            census
                .classes
                .iter()
                .find(|(label, _)| *label == wanted)
                .map(|(_, tally)| tally.clone())
                .unwrap_or_default()
        };
        let (black, brown_to_move) = (of("black"), of("brown"));
        csv += &format!("{brown},{},{}", black.of(Value::UNTIMED_WIN), brown_to_move.of(Value::UNTIMED_LOSS));
        for level in 0..LEVELS {
            let positions =
                if level % 2 == 0 { black.of(Value::loss(level)) } else { brown_to_move.of(Value::win(level)) };
            csv += &format!(",{positions}");
        }
        csv.push('\n');
    }
    csv
}
