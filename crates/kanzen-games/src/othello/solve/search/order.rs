//! Which move looks best: the order in which the engine tries them. It decides how long a search takes, and nothing
//! else: every order proves the same score.

use kanzen::solve::search::{Child, Expansion};

use super::compiled::Compiled;
use super::learned::Learned;
use super::tree::Pair;
use crate::othello::Shape;

/// From so many empty squares on, look one ply further ahead; with learned weights and without.
const LEARNED_DEPTHS: [u32; 8] = [0, 12, 16, 20, 22, 24, 26, 28];
const COUNTED_DEPTHS: [u32; 3] = [12, 14, 17];

/// What the outlook of a position is taken from.
#[derive(Default)]
pub struct Order {
    /// Learned weights; without them mobility, corners and frontiers are counted.
    pub learned: Option<Learned>,
}

impl Order {
    /// How far to look ahead before the moves of a position with so many empty squares are sorted.
    fn depth(&self, empties: u32) -> u32 {
        let from: &[u32] = if self.learned.is_some() { &LEARNED_DEPTHS } else { &COUNTED_DEPTHS };
        from.iter().filter(|&&from| empties >= from).count() as u32
    }
}

/// Ranks are in eighths of a disc where they are learned: what a reply left to the other side counts, what an odd
/// quarter, and by how much a move must look worse than the best before its exact outlook no longer matters.
const REPLY: i32 = 32;
const ODD: i32 = 8;
const MUCH_WORSE: i32 = 50;

/// The children of a position.
#[inline(always)]
pub fn expand<K: Compiled>(k: K, shape: &Shape, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair> {
    let mut moves = k.moves(shape, node.own, node.others);
    if moves == 0 {
        if k.moves(shape, node.others, node.own) == 0 {
            return Expansion::Known(shape.final_score(node.own, node.others));
        }
        return Expansion::Forced(Pair { own: node.others, others: node.own });
    }
    while moves != 0 {
        children.push(put(k, shape, node, moves.trailing_zeros()));
        moves &= moves - 1;
    }
    Expansion::Children
}

/// How promising the children of a position are: first what is seen at once, then, with that, the outlook.
#[inline(always)]
pub fn rank<K: Compiled>(k: K, order: &Order, shape: &Shape, node: Pair, children: &mut [Child<Pair>]) {
    let empties = shape.empties(node.own, node.others);
    let odd = shape.of_quarters[shape.odd_quarters(empties) as usize & 15];
    let depth = order.depth(empties.count_ones());
    let [by_reply, by_corner, by_parity] = match (depth, &order.learned) {
        (0, _) => [4, 6, 2],
        (_, Some(_)) => [REPLY, 0, ODD],
        (_, None) => [8, 0, 4],
    };
    for child in children.iter_mut() {
        let next = child.node;
        let put = empties & !shape.empties(next.own, next.others);
        let replies = k.moves(shape, next.own, next.others);
        let mobility = (replies.count_ones() + (replies & shape.corners).count_ones()) as i32;
        let (corner, parity) = (i32::from(shape.corners & put != 0), i32::from(odd & put != 0));
        child.rank = by_reply * mobility - by_corner * corner - by_parity * parity;
    }
    if depth == 0 {
        return;
    }
    // The best first: then for most of the others it is soon clear that they are much worse.
    children.sort_unstable_by_key(|child| child.rank);
    let mut best = LIMIT;
    for child in children {
        let high = best + MUCH_WORSE - child.rank;
        child.rank += k.outlook(order, shape, child.node, depth - 1, -LIMIT, high);
        best = best.min(child.rank);
    }
}

/// More than any outlook.
pub const LIMIT: i32 = i32::MAX / 4;

#[inline(always)]
fn put<K: Compiled>(k: K, shape: &Shape, node: Pair, square: u32) -> Pair {
    let flips = k.flips(shape, node.own, node.others, square);
    Pair { own: node.others & !flips, others: node.own | flips | 1 << square }
}

/// How good a position looks for its mover, after both sides looked `plies` ahead.
#[inline(always)]
pub fn outlook<K: Compiled>(k: K, order: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32 {
    if plies == 0
        && let Some(learned) = &order.learned
    {
        return learned.guess(k, shape, node);
    }
    let mut moves = k.moves(shape, node.own, node.others);
    if plies == 0 {
        return counted(k, shape, node, moves);
    }
    if moves == 0 {
        if k.moves(shape, node.others, node.own) == 0 {
            return super::learned::SCALE * shape.final_score(node.own, node.others);
        }
        let next = Pair { own: node.others, others: node.own };
        return -k.outlook(order, shape, next, plies - 1, -high, -low);
    }
    let mut best = low;
    while moves != 0 && best < high {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        best = best.max(-k.outlook(order, shape, put(k, shape, node, square), plies - 1, -high, -best));
    }
    best
}

/// Mobility, corners and frontiers.
#[inline(always)]
fn counted<K: Compiled>(k: K, shape: &Shape, node: Pair, moves: u64) -> i32 {
    let replies = k.moves(shape, node.others, node.own);
    let count = |mask: u64| mask.count_ones() as i32;
    let corners = |mask: u64| count(mask & shape.corners);
    let open = shape.spread(shape.empties(node.own, node.others));
    8 * (count(moves) - count(replies))
        + 8 * (corners(moves) - corners(replies))
        + 24 * (corners(node.own) - corners(node.others))
        + 2 * (count(open & node.others) - count(open & node.own))
}
