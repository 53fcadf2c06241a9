//! The search with a kernel of this machine, for those who want a score and no types.

use std::time::Duration;

use kanzen::machine::cpu::{Isa, Portable};
use kanzen::progress::Observer;
use kanzen::solve::search::{Bounds, Checkpointer, Found, Search, Table};
use kanzen::{Error, Game};

use super::search::{Compiled, OthelloTree, Pair};
use crate::othello::rules::{Move, Othello, Position};

/// How to search.
pub struct Engine<'a> {
    /// The board.
    pub game: &'a Othello,
    /// What is proven.
    pub table: &'a Table,
    /// Worker threads.
    pub threads: usize,
    /// The instructions to search with: all compute the same.
    pub isa: Isa,
    /// Whether to use the learned order of moves, where there is one.
    pub learned: bool,
    /// When to give up.
    pub deadline: Option<Duration>,
}

/// Calls a method with the best kernel of the engine's instructions. Not a function: no closure takes kernels of any
/// type.
macro_rules! with_kernel {
    ($engine:ident.$method:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = $engine.isa.avx512() {
            return $engine.$method(kernel, $($argument),*);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = $engine.isa.avx2() {
            return $engine.$method(kernel, $($argument),*);
        }
        $engine.$method(Portable, $($argument),*)
    }};
}

impl Engine<'_> {
    /// The score of a position of which `known` is proven (nothing, if nothing is).
    pub fn score(
        &self,
        board: Position,
        known: Option<Bounds>,
        checkpoints: Checkpointer<'_>,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        with_kernel!(self.score_with(board, known, checkpoints, observer))
    }

    /// A best move of a position whose score is known, and where it leads: the first one in the order in which they
    /// look best, whatever the threads and the table. Nothing if the game is over.
    pub fn best_move(
        &self,
        board: Position,
        score: i32,
        observer: &dyn Observer,
    ) -> Result<Option<(Move, Position)>, Error> {
        if self.game.ended(board).is_some() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        self.game.moves(board, &mut |turn, child| moves.push((turn, child)));
        if let [only] = moves[..] {
            return Ok(Some(only));
        }
        let best = self.best_child(board, score, observer)?;
        Ok(moves.into_iter().find(|(_, child)| Some(pair(*child)) == best))
    }

    fn score_with<K: Compiled>(
        &self,
        kernel: K,
        board: Position,
        known: Option<Bounds>,
        checkpoints: Checkpointer<'_>,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        let tree = self.tree(kernel);
        let search = self.search(&tree);
        search.score(pair(board), known.unwrap_or(search.any_score()), checkpoints, observer)
    }

    fn best_child(&self, board: Position, score: i32, observer: &dyn Observer) -> Result<Option<Pair>, Error> {
        with_kernel!(self.best_child_with(board, score, observer))
    }

    fn best_child_with<K: Compiled>(
        &self,
        kernel: K,
        board: Position,
        score: i32,
        observer: &dyn Observer,
    ) -> Result<Option<Pair>, Error> {
        let tree = self.tree(kernel);
        let search = self.search(&tree);
        for child in search.children(pair(board)) {
            // No child is below -score; one that is not above it keeps the score.
            if !search.is_above(child, -score, observer)? {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }

    fn tree<K: Compiled>(&self, kernel: K) -> OthelloTree<'_, K> {
        let tree = OthelloTree::new(self.game.shape(), kernel);
        if self.learned { tree.learned() } else { tree }
    }

    fn search<'s, K: Compiled>(&'s self, tree: &'s OthelloTree<'s, K>) -> Search<'s, OthelloTree<'s, K>> {
        let search = Search::new(tree, self.table, self.threads);
        match self.deadline {
            Some(deadline) => search.within(deadline),
            None => search,
        }
    }
}

fn pair(board: Position) -> Pair {
    Pair { own: board.own, others: board.others }
}
