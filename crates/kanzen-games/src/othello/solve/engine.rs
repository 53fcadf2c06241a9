//! The search with a kernel of this machine, for those who want a score and no types.

use std::time::Duration;

use kanzen::machine::cpu::{Isa, Portable};
use kanzen::progress::Observer;
use kanzen::solve::search::{Bounds, Checkpointer, Found, Search, Table};
use kanzen::{Error, Game};

use super::search::{Compiled, OthelloTree, Pair};
use crate::othello::rules::{Board, Othello, Turn};

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
    pub patience: Option<Duration>,
}

/// Something to do with a tree, whatever kernel it is compiled for.
trait Task {
    type Output;
    fn run<K: Compiled>(self, tree: OthelloTree<'_, K>) -> Self::Output;
}

impl Engine<'_> {
    /// The score of a position of which `known` is proven (nothing, if nothing is).
    pub fn score(
        &self,
        board: Board,
        known: Option<Bounds>,
        checkpoints: &mut dyn Checkpointer,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        self.with_kernel(Score { engine: self, board, known, checkpoints, observer })
    }

    /// A best move of a position whose score is known, and where it leads: the first one in the order in which they
    /// look best, whatever the threads and the table. Nothing if the game is over.
    pub fn best_move(&self, board: Board, score: i32, observer: &dyn Observer) -> Result<Option<(Turn, Board)>, Error> {
        if self.game.ended(board).is_some() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        self.game.moves(board, &mut |turn, child| moves.push((turn, child)));
        if let [only] = moves[..] {
            return Ok(Some(only));
        }
        let best = self.with_kernel(BestMove { engine: self, board, score, observer })?;
        Ok(moves.into_iter().find(|(_, child)| Some(pair(*child)) == best))
    }

    fn with_kernel<T: Task>(&self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = self.isa.avx512() {
            return task.run(self.tree(kernel));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = self.isa.avx2() {
            return task.run(self.tree(kernel));
        }
        task.run(self.tree(Portable))
    }

    fn tree<K: Compiled>(&self, kernel: K) -> OthelloTree<'_, K> {
        let tree = OthelloTree::new(self.game.shape(), kernel);
        if self.learned { tree.learned() } else { tree }
    }

    fn search<'s, K: Compiled>(&'s self, tree: &'s OthelloTree<'s, K>) -> Search<'s, OthelloTree<'s, K>> {
        let search = Search::new(tree, self.table, self.threads);
        match self.patience {
            Some(patience) => search.within(patience),
            None => search,
        }
    }
}

fn pair(board: Board) -> Pair {
    Pair { own: board.own, others: board.others }
}

struct Score<'a> {
    engine: &'a Engine<'a>,
    board: Board,
    known: Option<Bounds>,
    checkpoints: &'a mut dyn Checkpointer,
    observer: &'a dyn Observer,
}

impl Task for Score<'_> {
    type Output = Result<Found, Error>;

    fn run<K: Compiled>(self, tree: OthelloTree<'_, K>) -> Self::Output {
        let search = self.engine.search(&tree);
        let known = self.known.unwrap_or(search.any_score());
        search.score(pair(self.board), known, self.checkpoints, self.observer)
    }
}

struct BestMove<'a> {
    engine: &'a Engine<'a>,
    board: Board,
    score: i32,
    observer: &'a dyn Observer,
}

impl Task for BestMove<'_> {
    type Output = Result<Option<Pair>, Error>;

    fn run<K: Compiled>(self, tree: OthelloTree<'_, K>) -> Self::Output {
        let search = self.engine.search(&tree);
        for child in search.children(pair(self.board)) {
            // No child is below -score; one that is not above it keeps the score.
            if !search.is_above(child, -self.score, self.observer)? {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }
}
