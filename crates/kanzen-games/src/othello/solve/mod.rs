//! Boards too large to list: the start's score and a line of best play, by search.
//!
//! In work, a checkpoint holds the bounds of the start and the costliest proofs of the table, so that a search that was
//! stopped goes on with what it had proven. The finished database holds the score and the line, the same for any number
//! of threads. Boards of at most 16 squares are listed and solved strongly: see [`listed`].

pub(super) mod checkpoint;
mod engine;
pub mod search;

pub use engine::Engine;

use kanzen::machine::cpu::Isa;
use kanzen::progress::Observer;
use kanzen::solve::search::Table;
use kanzen::solve::{Forecast, Job, Scored, Solution, SolvedClass, Solver};
use kanzen::{Error, Game, Tally, Value};
use serde_json::{Map, Value as Json, json};

use super::rules::{Move, Othello, Position};

/// Solves the start of a board by search.
pub struct BySearch;

/// The setting that holds the start's score.
pub(super) const SCORE: &str = "score";
/// The setting that holds the moves of best play.
pub(super) const LINE: &str = "line";

const DATABASE_BYTES: u64 = 64 << 10;

/// Solves a board small enough to list: the score of every position that can arise.
///
/// ```
/// use kanzen_games::othello::{self, Othello, Start};
/// assert!(othello::listed(&Othello::new(4, 4, Start::Cross).unwrap()).is_some());
/// assert!(othello::listed(&Othello::new(6, 6, Start::Cross).unwrap()).is_none());
/// ```
pub fn listed(game: &Othello) -> Option<Scored> {
    let counted = (game.shape().rows, game.shape().columns, game.start()) == (4, 4, super::Start::Cross);
    let forecast = Forecast {
        positions: counted.then_some(12_351),
        seconds: 0.1,
        memory_bytes: 4 << 20,
        data_bytes: DATABASE_BYTES,
        disk_bytes: DATABASE_BYTES,
    };
    (game.shape().squares() <= 16).then(|| Scored::new(forecast))
}

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
    /// A factor of about 2.4 in time for each square beyond those of 5x6.
    fn forecast(&self, game: &Othello) -> Forecast {
        Forecast {
            positions: None,
            seconds: 0.1 + 2.0 * 2.4f64.powi(game.shape().squares() as i32 - 30),
            memory_bytes: 24 << 20,
            data_bytes: DATABASE_BYTES,
            disk_bytes: DATABASE_BYTES + checkpoint::MOST_BYTES,
        }
    }

    fn solve(&self, game: &Othello, job: &Job<'_>) -> Result<Solution, Error> {
        let free = job.ledger().budget().memory.saturating_sub(job.ledger().held());
        let bytes = table_bytes(game, free);
        let _table_memory = job.reserve("the table of the search", bytes)?;
        let table = Table::new(bytes as usize)?;
        let known = checkpoint::resume(job.store, &table)?;
        let (threads, isa) = (job.threads(), Isa::best());
        let engine = Engine { game, table: &table, threads, isa, learned: true, patience: None };
        let checkpoints = checkpoint::checkpoints(job, free - bytes)?;
        let found = engine.score(game.initial(), known, checkpoints, job.observer())?;
        job.stage("line of best play", None);
        let line = best_line(game, &engine, found.score, job.observer())?;
        Ok(solution(game, found.score, &line))
    }
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
    let mut tally = Tally::default();
    let (mut board, mut of_board) = (game.initial(), score as i16);
    tally.add(Value::of_score(of_board), 1);
    let mut moves = Vec::new();
    for &(turn, next) in line {
        moves.push(game.show_move(board, turn));
        (board, of_board) = (next, -of_board);
        tally.add(Value::of_score(of_board), 1);
    }
    let mut solution = Solution::default();
    solution.settings.insert(SCORE.into(), json!(score));
    solution.settings.insert(LINE.into(), json!(moves));
    solution.classes.push(SolvedClass { label: line_label(), slots: tally.positions(), tally });
    solution
}

/// What the one class of the census is called.
pub(super) fn line_label() -> Map<String, Json> {
    SolvedClass::label([("line", "best play".into())])
}
