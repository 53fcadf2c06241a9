//! Boards too large to list: the start's score and a line of best play by search; any other position when asked.
//!
//! In work, the checkpoint holds the bounds of the start and the costliest proofs of the table, so that a search that
//! was stopped goes on with what it had proven. The finished database holds the score and the line, the same for any
//! number of threads.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kanzen::catalogue::{Forecast, Run, Solver, answer_of_score};
use kanzen::progress::{Event, Observer, Silent};
use kanzen::query::{Answer, Oracle};
use kanzen::solve::search::{Bounds, Checkpointer, NoCheckpoints, Proven, Table};
use kanzen::store::{ClassEntry, Database, Manifest, WorkFolder};
use kanzen::{Budget, Census, Error, Game, Tally};
use serde_json::json;

use super::engine::{Engine, Speed};
use super::rules::{Board, Othello, Turn};

/// Solves the start of a board by search.
pub struct BySearch;

const CHECKPOINT: &str = "proofs.checkpoint";
/// Proofs that a checkpoint holds at most.
const KEPT: usize = 1 << 20;
const BYTES_EACH: usize = 20;
/// How long a question may take. A position near the start of a large board would take hours.
const PATIENCE: Duration = Duration::from_secs(60);
/// What can be verified in a reasonable time: positions of the line with so many empty squares at most.
const VERIFIABLE: u32 = 16;

/// A table that suits the board within a budget.
fn table_for(game: &Othello, memory: u64) -> Result<Table, Error> {
    let wanted = match game.shape().squares() {
        0..=16 => 1 << 20,
        17..=24 => 16 << 20,
        25..=29 => 128 << 20,
        _ => 1u64 << 30,
    };
    Table::new(wanted.min(memory / 4 * 3) as usize)
}

/// What solving a board is expected to cost: a factor of about 2.4 for each square beyond those of 5x6.
pub fn forecast(game: &Othello) -> Forecast {
    let squares = game.shape().squares();
    let seconds = 0.1 + 2.0 * 2.4f64.powi(squares as i32 - 30);
    let memory_bytes = if squares <= 16 { 4 << 20 } else { 24 << 20 };
    Forecast { seconds, memory_bytes, data_bytes: 64 << 10 }
}

impl Solver<Othello> for BySearch {
    fn solve(&self, game: &Othello, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, Error> {
        let table = table_for(game, run.budget.memory)?;
        let known = resume(work, &table)?;
        let engine = Engine {
            game,
            table: &table,
            threads: run.budget.threads,
            speed: Speed::Best,
            learned: true,
            patience: None,
        };
        let mut keeper = Checkpoints { work, every: run.checkpoint_every };
        let found = engine.score(game.initial(), known, &mut keeper, run.observer)?;
        let line = best_line(game, &engine, found.score, run.observer)?;

        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        manifest.settings.insert("score".into(), json!(found.score));
        let mut tally = Tally::default();
        let (mut board, mut score) = (game.initial(), found.score as i16);
        tally.add(answer_of_score(score).value, 1);
        let mut moves = Vec::new();
        for (turn, next) in line {
            moves.push(game.show_move(board, turn));
            (board, score) = (next, -score);
            tally.add(answer_of_score(score).value, 1);
        }
        let slots = tally.positions();
        let label = [("line".to_owned(), json!("best play"))].into_iter().collect();
        manifest.settings.insert("line".into(), json!(moves));
        manifest.classes.push(ClassEntry { label, slots, tally });
        Ok(manifest)
    }

    fn open(&self, game: &Othello, database: Database) -> Result<Box<dyn Oracle<Othello>>, Error> {
        Ok(Box::new(Searcher::open(game, &database)?))
    }
}

/// Best play from the start to the end.
fn best_line(
    game: &Othello,
    engine: &Engine<'_>,
    score: i32,
    observer: &dyn Observer,
) -> Result<Vec<(Turn, Board)>, Error> {
    observer.event(Event::Stage { name: "line of best play", total: None });
    let (mut board, mut score) = (game.initial(), score);
    let mut line = Vec::new();
    while let Some((turn, next)) = engine.best_move(board, score, observer)? {
        line.push((turn, next));
        (board, score) = (next, -score);
    }
    Ok(line)
}

struct Checkpoints<'a> {
    work: &'a WorkFolder,
    every: Duration,
}

impl Checkpointer for Checkpoints<'_> {
    fn every(&self) -> Duration {
        self.every
    }

    fn keep(&mut self, root: Bounds, table: &Table) -> Result<(), Error> {
        let mut by_effort = [0usize; 65];
        table.entries(0).for_each(|proven| by_effort[usize::from(proven.effort).min(64)] += 1);
        let mut kept = 0;
        let least = (0..65).rev().take_while(|&effort| {
            kept += by_effort[effort];
            kept <= KEPT
        });
        let least = least.last().unwrap_or(64) as u8;
        let mut bytes = Vec::new();
        for proven in table.entries(least).take(KEPT) {
            bytes.extend(proven.key.to_le_bytes());
            bytes.extend([proven.bounds.lower as u8, proven.bounds.upper as u8, proven.best, proven.effort]);
        }
        let header = json!({ "lower": root.lower, "upper": root.upper });
        Ok(self.work.write_checkpoint(CHECKPOINT, &header, &[&bytes])?)
    }
}

/// Fills the table from the last checkpoint; the bounds of the start, if there is one.
fn resume(work: &WorkFolder, table: &Table) -> Result<Option<Bounds>, Error> {
    let Some(checkpoint) = work.open_checkpoint(CHECKPOINT)? else { return Ok(None) };
    let bound = |name: &str| checkpoint.header()[name].as_i64().and_then(|bound| i32::try_from(bound).ok());
    let (Some(lower), Some(upper)) = (bound("lower"), bound("upper")) else { return Ok(None) };
    for entry in checkpoint.read(0)?.as_chunks::<BYTES_EACH>().0 {
        let mut key = [0; 16];
        key.copy_from_slice(&entry[..16]);
        let [lower, upper] = [entry[16], entry[17]].map(|byte| i32::from(byte as i8));
        let bounds = Bounds { lower, upper };
        table.put_proven(Proven { key: u128::from_le_bytes(key), bounds, best: entry[18], effort: entry[19] });
    }
    Ok(Some(Bounds { lower, upper }))
}

/// Answers by search; the line of the database at once.
struct Searcher {
    line: Vec<(Board, Turn)>,
    /// Canonical positions of the line and their scores.
    known: Vec<(Board, i16)>,
    verifiable: Vec<Board>,
    tally: Census,
    table: OnceLock<Table>,
    /// One search at a time: each takes all threads.
    turn: Mutex<()>,
}

impl Searcher {
    fn open(game: &Othello, database: &Database) -> Result<Searcher, Error> {
        let damaged = || Error::Damaged { path: database.path(Manifest::FILE), place: "its line of best play".into() };
        let settings = &database.manifest().settings;
        let score = settings.get("score").and_then(|score| score.as_i64()).and_then(|score| i16::try_from(score).ok());
        let texts = settings.get("line").and_then(|line| line.as_array()).ok_or_else(damaged)?;
        let (mut board, mut score) = (game.initial(), score.ok_or_else(damaged)?);
        let (mut line, mut known) = (Vec::new(), vec![(game.canonical(board), score)]);
        for text in texts {
            let mut next = None;
            if game.ended(board).is_none() {
                game.moves(board, &mut |turn, child| {
                    if Some(game.show_move(board, turn).as_str()) == text.as_str() {
                        next = Some((turn, child));
                    }
                });
            }
            let (turn, child) = next.ok_or_else(damaged)?;
            line.push((board, turn));
            (board, score) = (child, -score);
            known.push((game.canonical(board), score));
        }
        if game.final_score(board) != Some(score) {
            return Err(damaged());
        }
        let boards = known.iter().map(|(board, _)| *board);
        let verifiable = boards.filter(|board| game.class(*board) <= VERIFIABLE).collect();
        let tally = database.manifest().census();
        Ok(Searcher { line, known, verifiable, tally, table: OnceLock::new(), turn: Mutex::new(()) })
    }

    fn with_engine<T>(&self, game: &Othello, ask: impl FnOnce(&Engine<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let start = Instant::now();
        let budget = Budget::of_this_machine();
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let table = match self.table.get() {
            Some(table) => table,
            None => {
                let table = table_for(game, budget.memory.min(512 << 20))?;
                self.table.get_or_init(|| table)
            }
        };
        let patience = Some(PATIENCE.saturating_sub(start.elapsed()));
        let threads = budget.threads;
        Ok(ask(&Engine { game, table, threads, speed: Speed::Best, learned: true, patience })?)
    }
}

impl Oracle<Othello> for Searcher {
    fn answer(&self, game: &Othello, board: Board) -> Result<Answer, Error> {
        if let Some(score) = game.final_score(board) {
            return Ok(answer_of_score(score));
        }
        let canonical = game.canonical(board);
        if let Some((_, score)) = self.known.iter().find(|(known, _)| *known == canonical) {
            return Ok(answer_of_score(*score));
        }
        let found = self.with_engine(game, |engine| engine.score(board, None, &mut NoCheckpoints, &Silent))?;
        Ok(answer_of_score(found.score as i16))
    }

    fn best(&self, game: &Othello, board: Board) -> Result<Option<(Turn, Board)>, Error> {
        if let Some((_, best)) = self.line.iter().find(|(at, _)| *at == board) {
            let mut next = None;
            game.moves(board, &mut |turn, child| {
                if turn == *best {
                    next = Some((turn, child));
                }
            });
            return Ok(next);
        }
        let Some(score) = self.answer(game, board)?.score else { return Ok(None) };
        self.with_engine(game, |engine| engine.best_move(board, i32::from(score), &Silent))
    }

    fn positions(&self) -> u64 {
        self.verifiable.len() as u64
    }

    fn position(&self, _: &Othello, number: u64) -> Result<Board, Error> {
        let board = usize::try_from(number).ok().and_then(|number| self.verifiable.get(number));
        board
            .copied()
            .ok_or_else(|| Error::NotStored { game: "othello".into(), position: format!("position number {number}") })
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.tally.clone())
    }
}
