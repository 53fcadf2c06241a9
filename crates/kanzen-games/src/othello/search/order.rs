//! Which move looks best: the order in which the engine tries them. It decides how long a search takes, and nothing
//! else: every order proves the same score.

use kanzen::solve::search::{Child, Expansion};

use super::compiled::Compiled;
use super::learned::Learned;
use super::tree::Pair;
use crate::othello::Shape;

/// What the outlook of a position is taken from.
#[derive(Default)]
pub struct Order {
    /// Learned weights; without them mobility, corners and frontiers are counted.
    pub learned: Option<Learned>,
}

impl Order {
    /// How far to look ahead before the moves of a position with so many empty squares are sorted.
    fn depth(&self, empties: u32) -> u32 {
        let from: &[u32] = if self.learned.is_some() { &*LEARNED_DEPTHS } else { &*PLAIN_DEPTHS };
        from.iter().filter(|&&from| empties >= from).count() as u32
    }
}
pub fn env(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
static LEARNED_DEPTHS: std::sync::LazyLock<Vec<u32>> = std::sync::LazyLock::new(|| std::env::var("D").unwrap_or("0 12 16 20 22 24 26 28".into()).split(' ').map(|x| x.parse().unwrap()).collect());
static PLAIN_DEPTHS: std::sync::LazyLock<Vec<u32>> = std::sync::LazyLock::new(|| std::env::var("PD").unwrap_or("12 14 17".into()).split(' ').map(|x| x.parse().unwrap()).collect());
static LM: std::sync::LazyLock<i32> = std::sync::LazyLock::new(|| env("LM", 32) as i32);
static LP: std::sync::LazyLock<i32> = std::sync::LazyLock::new(|| env("LP", 8) as i32);
pub static LEAF: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| env("LEAF", 9));
pub static SORTED: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| env("SORTED", 7));
/// The children of a position with their ranks.
#[inline(always)]
pub fn expand<K: Compiled>(
    k: K,
    order: &Order,
    shape: &Shape,
    node: Pair,
    children: &mut Vec<Child<Pair>>,
) -> Expansion<Pair> {
    let mut moves = k.moves(shape, node.own, node.others);
    if moves == 0 {
        if k.moves(shape, node.others, node.own) == 0 {
            return Expansion::Known(shape.final_score(node.own, node.others));
        }
        return Expansion::Forced(Pair { own: node.others, others: node.own });
    }
    let empties = shape.empties(node.own, node.others);
    let odd = shape.of_quarters[shape.odd_quarters(empties) as usize & 15];
    let depth = order.depth(empties.count_ones());
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        let next = put(k, shape, node, square);
        let replies = k.moves(shape, next.own, next.others);
        let mobility = (replies.count_ones() + (replies & shape.corners).count_ones()) as i32;
        let parity = (odd >> square & 1) as i32;
        let rank = match depth {
            0 => 4 * mobility - 6 * (shape.corners >> square & 1) as i32 - 2 * parity,
            _ => {
                let ahead = k.outlook(order, shape, next, depth - 1, -LIMIT, LIMIT);
                // Fewer replies make a smaller tree: worth more than the outlook alone says.
                let small = if order.learned.is_some() { *LM * mobility - *LP * parity } else { -4 * parity };
                ahead + small
            }
        };
        children.push(Child { node: next, rank });
    }
    Expansion::Children
}

const LIMIT: i32 = i32::MAX / 2;

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
