//! What the search asks of a game.

/// A game as the search walks it. Scores are the mover's, from `-limit()` to `limit()`, and change sign with the move.
///
/// A node says for itself how it is best searched: the engine does what is the same for every game, and costs nothing
/// that a game's own search would not.
pub trait Tree: Sync {
    /// A position.
    type Node: Copy + Send + Sync;
    /// What a thread keeps for itself between nodes.
    type Local: Send;

    /// A fresh one of those.
    fn local(&self) -> Self::Local;

    /// The greatest score there can be; at most 126.
    fn limit(&self) -> i32;

    /// A number different for each position and never 0; the same for positions that must have the same score.
    fn key(&self, node: Self::Node) -> u128;

    /// How many moves the game can last from here, at most.
    fn plies(&self, node: Self::Node) -> u32;

    /// Puts the children into `children` (which is empty), with a rank each: lower ranks are tried first.
    /// `window` is the score in question: is it more than this?
    fn expand(
        &self,
        local: &mut Self::Local,
        node: Self::Node,
        window: i32,
        children: &mut Vec<Child<Self::Node>>,
    ) -> Expansion<Self::Node>;

    /// Near the end, the game's own search: a bound of the score that answers "is it more than `window`?" and the
    /// number of positions it looked at. Nothing if the engine should go on.
    fn leaf(&self, local: &mut Self::Local, node: Self::Node, window: i32) -> Option<(i32, u64)>;
}

/// A child and how promising it is.
#[derive(Clone, Copy, Debug)]
pub struct Child<N> {
    /// The position.
    pub node: N,
    /// Lower is tried earlier.
    pub rank: i32,
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
