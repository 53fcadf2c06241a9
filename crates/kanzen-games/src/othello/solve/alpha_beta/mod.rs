//! Alpha-beta search: the score of one position, without an index of all positions.
//!
//! Alpha-beta with windows of no width proves one bound at a time ("at least 4?"); a few such proofs, each led by the
//! one before, close in on the score (MTD(f), Plaat et al. 1996). What is proven goes to a transposition table with
//! whole keys: two positions are never taken for each other, so the score is a proof and not a likelihood. The table
//! is shared by all threads, which stay out of each other's way by `Busy` marks.
//!
//! ```text
//!   Tree    what the engine needs of a game: key, children in a promising order, a quick search for the last plies
//!   Table   proven bounds of positions
//!   Search  threads, windows, stop and resume
//! ```

mod driver;
mod table;
mod worker;

pub use driver::{Checkpointer, Found, Search};
pub use table::{Bounds, Proven, Table};

use table::hash;

/// A game as the search walks it. Scores are the mover's, from `-limit()` to `limit()`, and change sign with the move.
///
/// A node decides how it is best searched: the engine does what is the same for every game, and costs nothing
/// that a game's own search would not.
pub trait Tree: Sync {
    /// A position of the tree.
    type Node: Copy + Send + Sync;

    /// The greatest score there can be; at most 126.
    fn limit(&self) -> i32;

    /// A number different for each position and never 0; the same for positions that must have the same score.
    fn key(&self, node: Self::Node) -> u128;

    /// How many moves the game can last from here, at most.
    fn plies(&self, node: Self::Node) -> u32;

    /// A bound of the score that is seen without looking ahead, if it answers "is it more than `window`?" with no.
    /// Optional: it saves time where it is quicker than what it spares.
    fn at_most(&self, _node: Self::Node, _window: i32) -> Option<i32> {
        None
    }

    /// A guess at the score, made without solving anything. Optional: without it the position
    /// to which the most promising moves lead is solved for a first guess. A good one spares proofs.
    fn guess(&self, _node: Self::Node) -> Option<i32> {
        None
    }

    /// Puts the children into `children` (which is empty), in any order.
    fn expand(&self, node: Self::Node, children: &mut Vec<Self::Node>) -> Expansion<Self::Node>;

    /// Gives each of these children of a node its rank: lower ranks are tried first. It is asked only where the table
    /// has not settled the question, so it may think a while.
    fn rank(&self, node: Self::Node, children: &mut [Child<Self::Node>]);

    /// Whether a position is near enough to the end for the game's own search. Such positions stay out of the table.
    fn is_leaf(&self, node: Self::Node) -> bool;

    /// The game's own search: a bound of the score that answers "is it more than `window`?" and the number of
    /// positions it looked at.
    fn leaf(&self, node: Self::Node, window: i32) -> (i32, u64);
}

/// A child and how promising it is.
#[derive(Clone, Copy, Debug)]
pub struct Child<N> {
    /// The position that the move leads to.
    pub node: N,
    /// Lower is tried earlier.
    pub rank: i32,
    key: u128,
    hash: u64,
}

impl<N: Copy> Child<N> {
    fn new<T: Tree<Node = N>>(tree: &T, node: N) -> Child<N> {
        let key = tree.key(node);
        Child { node, rank: 0, key, hash: hash(key) }
    }

    /// The low byte of the hash: enough to know a child among its siblings again.
    fn mark(&self) -> u8 {
        self.hash as u8
    }
}

/// What expanding a node found.
#[derive(Clone, Copy, Debug)]
pub enum Expansion<N> {
    /// The children are listed.
    Children,
    /// The only move, with nothing to choose.
    Forced(N),
    /// The score, or a bound of it that answers the question: the game is over or as good as over.
    Known(i32),
}
