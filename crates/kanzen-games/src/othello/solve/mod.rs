//! Solves boards too large to list: finds the score of the start and a line of best play, by search.
//!
//! During the search, a checkpoint holds the bounds of the start and the most expensive proofs of the table, so that an
//! interrupted search resumes with them. The finished database holds the score and the line, the same for any number of
//! threads. Boards of at most 16 squares are listed and strongly solved: see [`listed`](super::listed()).

pub mod alpha_beta;
pub(super) mod checkpoint;
pub mod search;

use std::time::Duration;

use kanzen::progress::Observer;
use kanzen::{Error, Game, Tally, Value};
use kanzen_core::machine::cpu::{Isa, Portable};
use kanzen_solve::{Forecast, Job, Solution, SolvedClass, Solver};
use serde_json::{Map, Value as Json, json};

use self::alpha_beta::{Bounds, Checkpointer, Found, Search, Table};
use self::search::{Compiled, OthelloTree, Pair};
use super::rules::{Move, Othello, Position};

/// The solver: a weak solution by search from the start.
pub struct BySearch;

/// The setting that holds the score of the start.
pub(super) const SCORE: &str = "score";
/// The setting that holds the line of best play.
pub(super) const LINE: &str = "line";

/// The size of a score and a line.
const DATABASE_BYTES: u64 = 4 << 10;
/// The minimum memory of a search: a small table and its checkpoints.
const LEAST_MEMORY: u64 = 24 << 20;
/// The memory besides the table, including the learned weights.
const PROGRAM_BYTES: u64 = 40 << 20;

/// The table size that suits the board, within `memory`.
pub(super) fn table_bytes(game: &Othello, memory: u64) -> u64 {
    let wanted = match game.shape().squares() {
        0..=16 => 1 << 20,
        17..=24 => 16 << 20,
        25..=29 => 128 << 20,
        _ => 1 << 30,
    };
    (memory / 4 * 3).min(wanted)
}

impl Solver<Othello> for BySearch {
    fn forecast(&self, game: &Othello) -> Forecast {
        let table = table_bytes(game, u64::MAX);
        Forecast {
            positions: None,
            seconds: seconds(game),
            memory_bytes: PROGRAM_BYTES + table + checkpoint::MOST_BYTES.min(table),
            data_bytes: DATABASE_BYTES,
            disk_bytes: DATABASE_BYTES + checkpoint::MOST_BYTES.min(table),
        }
    }

    /// The table adapts to the memory: with less, the search takes longer.
    fn least_memory(&self, _: &Othello) -> Option<u64> {
        Some(LEAST_MEMORY)
    }

    fn solve(&self, game: &Othello, job: &Job<'_>) -> Result<Solution, Error> {
        let free = job.ledger().budget().memory.saturating_sub(job.ledger().held());
        let bytes = table_bytes(game, free);
        let _table_memory = job.reserve("the table of the search", bytes)?;
        let table = Table::new(bytes as usize)?;
        let known = checkpoint::resume(job.store, &table)?;
        let (threads, isa) = (job.threads(), Isa::best());
        let engine = Engine { game, table: &table, threads, isa, learned: true, deadline: None };
        let checkpoints = checkpoint::checkpoints(job, free - bytes)?;
        announce_work(game, job);
        let found = engine.score(game.initial(), known, checkpoints, job.observer())?;
        job.part(0, 0);
        job.stage("line of best play", None);
        let line = best_line(game, &engine, found.score, job.observer())?;
        Ok(solution(game, found.score, &line))
    }
}

/// Positions searched per second on two threads, about the same on any board.
const POSITIONS_A_SECOND: f64 = 45e6;

/// Announces the expected number of positions for the progress bar. It is estimated from the recorded time, or from the
/// board's size.
fn announce_work(game: &Othello, job: &Job<'_>) {
    let recorded = crate::recorded::of(job.store.game()).map(|recorded| recorded.seconds);
    let positions = |seconds: f64| (seconds * POSITIONS_A_SECOND) as u64;
    let all = positions(recorded.unwrap_or_else(|| seconds(game))).max(1);
    // A search that exceeds the estimate stays just below the end until it is finished.
    let (most, before) = (all - all / 100, positions(job.before().as_secs_f64()));
    job.ahead(all);
    job.kept(before.min(most));
    job.part(most - before.min(most), most - before.min(most));
}

/// Estimates the time of a search, fitted to `results/othello-boards.csv`: a factor for each square, smaller on narrow
/// boards, where a side soon runs out of moves.
fn seconds(game: &Othello) -> f64 {
    let shape = game.shape();
    let squares = shape.squares() as i32;
    let growth = match shape.rows.min(shape.columns) {
        0..=3 => 0.05 * 1.2f64.powi(squares - 36),
        4 => 0.4 * 1.5f64.powi(squares - 32),
        _ => 0.6 * 2.2f64.powi(squares - 30),
    };
    0.2 + growth
}

/// Returns best play from the start to the end.
fn best_line(
    game: &Othello,
    engine: &Engine<'_>,
    score: i32,
    observer: &dyn Observer,
) -> Result<Vec<(Move, Position)>, Error> {
    let (mut board, mut score) = (game.initial(), score);
    let mut line = Vec::new();
    while let Some((turn, next)) = engine.best_move(board, score, observer)? {
        line.push((turn, next));
        (board, score) = (next, -score);
    }
    Ok(line)
}

/// Builds the database: the score, the line, and a census of the line's positions.
fn solution(game: &Othello, score: i32, line: &[(Move, Position)]) -> Solution {
    let (mut board, mut scores) = (game.initial(), vec![score as i16]);
    let mut moves = Vec::new();
    for &(turn, next) in line {
        moves.push(game.show_move(board, turn));
        board = next;
        scores.push(-scores[scores.len() - 1]);
    }
    let mut solution = Solution::default();
    solution.settings.insert(SCORE.into(), json!(score));
    solution.settings.insert(LINE.into(), json!(moves));
    let mut tally = Tally::default();
    scores.into_iter().for_each(|score| tally.add(Value::of_score(score), 1));
    solution.classes.push(SolvedClass { label: line_label(), slots: tally.positions(), tally });
    solution
}

/// The label of the only census class.
pub(super) fn line_label() -> Map<String, Json> {
    SolvedClass::label([("line", "best play".into())])
}

/// The settings of a search; picks the kernel at run time.
pub struct Engine<'a> {
    /// The board.
    pub game: &'a Othello,
    /// The transposition table.
    pub table: &'a Table,
    /// Worker threads.
    pub threads: usize,
    /// The instruction set; the results are the same for all.
    pub isa: Isa,
    /// Whether to use learned move ordering if the board has it.
    pub learned: bool,
    /// When to give up.
    pub deadline: Option<Duration>,
}

/// Calls a method with the best kernel of the engine's instruction set. A macro, because no closure is generic over
/// kernels.
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
    /// Searches the score of a position, starting from the proven bounds `known`.
    pub fn score(
        &self,
        board: Position,
        known: Option<Bounds>,
        checkpoints: Checkpointer<'_>,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        with_kernel!(self.score_with(board, known, checkpoints, observer))
    }

    /// Returns a best move of a position with a known score, and its child: the first one in move order, independent of
    /// threads and table. `None` if the game is over.
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
            // No child is below -score; a child that is not above it attains the score.
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
