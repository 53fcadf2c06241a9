//! Boards too large to list: the start's score and a line of best play, by search.
//!
//! In work, a checkpoint holds the bounds of the start and the costliest proofs of the table, so that a search that was
//! stopped goes on with what it had proven. The finished database holds the score and the line, the same for any number
//! of threads. Boards of at most 16 squares are listed and solved strongly: see [`listed`](super::listed()).

pub(super) mod checkpoint;
mod engine;
pub mod search;

pub use engine::Engine;

use kanzen::machine::cpu::Isa;
use kanzen::progress::Observer;
use kanzen::solve::search::Table;
use kanzen::solve::{Forecast, Job, Solution, SolvedClass, Solver};
use kanzen::{Error, Game, Tally, Value};
use serde_json::{Map, Value as Json, json};

use super::rules::{Move, Othello, Position};

/// Solves the start of a board by search.
pub struct BySearch;

/// The setting that holds the start's score.
pub(super) const SCORE: &str = "score";
/// The setting that holds the moves of best play.
pub(super) const LINE: &str = "line";

/// A score and a line of best play.
const DATABASE_BYTES: u64 = 4 << 10;
/// The least memory that a search is begun with: a small table and its checkpoints.
const LEAST_MEMORY: u64 = 24 << 20;
/// What the program takes besides its table, the learned order of moves among it.
const PROGRAM_BYTES: u64 = 40 << 20;

/// Bytes of a table that suits the board, if a search may use so many.
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

    /// The table is made as large as there is room for: with less, the search takes longer.
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
        look_ahead(game, job);
        let found = engine.score(game.initial(), known, checkpoints, job.observer())?;
        job.part(0, 0);
        job.stage("line of best play", None);
        let line = best_line(game, &engine, found.score, job.observer())?;
        Ok(solution(game, found.score, &line))
    }
}

/// Positions that two threads look at in a second, more or less on any board.
const POSITIONS_A_SECOND: f64 = 45e6;

/// Tells those who watch how far the search is. How many positions there are to look at nobody knows before; a solve
/// takes about as long as one that was recorded.
fn look_ahead(game: &Othello, job: &Job<'_>) {
    let recorded = crate::recorded::of(job.store.game()).map(|recorded| recorded.seconds);
    let positions = |seconds: f64| (seconds * POSITIONS_A_SECOND) as u64;
    let all = positions(recorded.unwrap_or_else(|| seconds(game))).max(1);
    // A search that takes longer stands short of the end until it is there.
    let (most, before) = (all - all / 100, positions(job.before().as_secs_f64()));
    job.ahead(all);
    job.kept(before.min(most));
    job.part(most - before.min(most), most - before.min(most));
}

/// How long a search takes, after `results/othello-boards.csv`: each square more costs a factor, a smaller one on a board
/// so narrow that a side soon has no moves.
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

/// Best play from the start to the end.
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

/// The score and the line; the census is that of the line's positions.
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

/// What the one class of the census is called.
pub(super) fn line_label() -> Map<String, Json> {
    SolvedClass::label([("line", "best play".into())])
}
