//! Move ordering: ranks the children of a node by a shallow evaluation. It affects the time of a search, never the
//! score.

use crate::othello::solve::alpha_beta::{Child, Expansion};

use super::compiled::Compiled;
use super::learned::Learned;
use super::tree::Pair;
use crate::othello::Shape;

/// From each of these numbers of empty squares on, the evaluation looks one ply further ahead.
const LEARNED_DEPTHS: [u32; 8] = [0, 12, 16, 20, 22, 24, 26, 28];
const COUNTED_DEPTHS: [u32; 3] = [12, 14, 17];

/// The evaluation function.
#[derive(Default)]
pub struct Order {
    /// Learned weights; without them mobility, corners and frontier discs are counted.
    pub learned: Option<Learned>,
}

impl Order {
    /// The depth of the evaluation for a position with `empties` empty squares.
    fn depth(&self, empties: u32) -> u32 {
        let from: &[u32] = if self.learned.is_some() { &LEARNED_DEPTHS } else { &COUNTED_DEPTHS };
        from.iter().filter(|&&from| empties >= from).count() as u32
    }
}

/// Learned ranks are in eighths of a disc: the weights of a reply and of an odd quarter, and the margin by which a move
/// must be worse than the best before its exact value no longer matters.
const REPLY: i32 = 32;
const ODD: i32 = 8;
const MUCH_WORSE: i32 = 50;

/// Generates the children of a position.
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

/// Ranks the children of a position: by static features first, then refined by the evaluation in that order.
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
    // The best first, so that most of the others soon fail against it.
    children.sort_unstable_by_key(|child| child.rank);
    let mut best = LIMIT;
    for child in children {
        let high = best + MUCH_WORSE - child.rank;
        child.rank += k.evaluate(order, shape, child.node, depth - 1, -LIMIT, high);
        best = best.min(child.rank);
    }
}

/// Above any evaluation.
pub const LIMIT: i32 = i32::MAX / 4;

#[inline(always)]
fn put<K: Compiled>(k: K, shape: &Shape, node: Pair, square: u32) -> Pair {
    let flips = k.flips(shape, node.own, node.others, square);
    Pair { own: node.others & !flips, others: node.own | flips | 1 << square }
}

/// Evaluates a position for its mover by alpha-beta search of `plies` plies.
#[inline(always)]
pub fn evaluate<K: Compiled>(k: K, order: &Order, shape: &Shape, node: Pair, plies: u32, low: i32, high: i32) -> i32 {
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
        return -k.evaluate(order, shape, next, plies - 1, -high, -low);
    }
    let mut best = low;
    while moves != 0 && best < high {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        best = best.max(-k.evaluate(order, shape, put(k, shape, node, square), plies - 1, -high, -best));
    }
    best
}

/// Mobility, corners and frontier discs.
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
