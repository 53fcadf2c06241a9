//! The Othello game tree as the engine searches it.

use crate::othello::solve::alpha_beta::{Child, Expansion, Tree};

use super::compiled::{Compiled, Context};
use super::learned::{Learned, SCALE};
use super::order::{LIMIT, Order};
use crate::othello::Shape;
use crate::othello::shape::stable;

/// A position without colours: the discs of the mover and of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The mover's discs.
    pub own: u64,
    /// The opponent's discs.
    pub others: u64,
}

/// Below this many empty squares the specialised endgame search takes over.
const LEAF: u32 = 11;
/// From this many empty squares on, an estimate of the score may take some milliseconds.
const FAR: u32 = 24;
/// With more empty squares the weights estimate worse than the end of the line that looks best: the start would appear
/// as a win by 2.
const TOO_FAR: u32 = 26;

/// Othello on one board, for one kernel.
pub struct OthelloTree<'a, K> {
    shape: &'a Shape,
    kernel: K,
    /// Up to this many discs, mirror images share a table entry.
    mirrored: u32,
    order: Order,
}

impl<'a, K: Compiled> OthelloTree<'a, K> {
    /// A tree for a board, with counted move ordering.
    pub fn new(shape: &'a Shape, kernel: K) -> OthelloTree<'a, K> {
        OthelloTree { shape, kernel, mirrored: 12, order: Order::default() }
    }

    /// Uses learned move ordering, if the board has it.
    pub fn learned(self) -> OthelloTree<'a, K> {
        OthelloTree { order: Order { learned: Learned::for_shape(self.shape) }, ..self }
    }
}

impl<K: Compiled> Tree for OthelloTree<'_, K> {
    type Node = Pair;

    fn limit(&self) -> i32 {
        self.shape.squares() as i32
    }

    fn key(&self, node: Pair) -> u128 {
        let (own, others) = match (node.own | node.others).count_ones() <= self.mirrored {
            true => self.shape.canonical(node.own, node.others),
            false => (node.own, node.others),
        };
        u128::from(others) << 64 | u128::from(own)
    }

    fn plies(&self, node: Pair) -> u32 {
        self.shape.empties(node.own, node.others).count_ones()
    }

    /// Bounds the score by the opponent's stable discs.
    fn at_most(&self, node: Pair, window: i32) -> Option<i32> {
        let squares = self.limit();
        // Usually there are clearly too few, and without a corner hardly any are stable.
        let wanted = (squares - window + 1) / 2;
        if (node.others.count_ones() as i32) < wanted || node.others & self.shape.corners == 0 {
            return None;
        }
        let kept = stable(self.shape, node.others, self.shape.empties(node.own, node.others)).count_ones() as i32;
        (kept >= wanted).then_some(squares - 2 * kept)
    }

    /// Estimates the score from the learned weights, some plies ahead: more accurate than the end of the line that
    /// looks best, and faster.
    fn guess(&self, node: Pair) -> Option<i32> {
        if self.order.learned.is_none() || self.plies(node) > TOO_FAR {
            return None;
        }
        let plies = if self.plies(node) < FAR { 6 } else { 8 };
        let estimate = self.kernel.evaluate(&self.order, self.shape, node, plies, -LIMIT, LIMIT);
        // Empty squares go to the winner, so the score is even like the number of squares.
        Some(2 * ((estimate + SCALE * estimate.signum()) / (2 * SCALE)))
    }

    fn expand(&self, node: Pair, children: &mut Vec<Pair>) -> Expansion<Pair> {
        self.kernel.expand(self.shape, node, children)
    }

    fn rank(&self, node: Pair, children: &mut [Child<Pair>]) {
        self.kernel.rank(&self.order, self.shape, node, children);
    }

    fn is_leaf(&self, node: Pair) -> bool {
        self.plies(node) < LEAF
    }

    fn leaf(&self, node: Pair, window: i32) -> (i32, u64) {
        let mut context = Context { shape: self.shape, positions: 0 };
        let score = self.kernel.middle(&mut context, node.own, node.others, window);
        (score, context.positions)
    }
}
