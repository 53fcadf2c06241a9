//! The oracle of a searched board: answers from the stored line of best play, or by search.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::othello::{Checkpointer, Table};
use kanzen::progress::Observer;
use kanzen::{Budget, Census, Error, Game};
use kanzen_core::Deadline;
use kanzen_core::machine::cpu::Isa;
use kanzen_core::machine::whole_budget;
use kanzen_core::rules::{key, typed};
use kanzen_query::{Answer, Audit, Contents, Numbering, Opener, Oracle, Recount, Scan, Wanted};
use kanzen_store::{Database, Manifest};
use serde_json::{Map, Value as Json};

use super::rules::{Move, Othello, Position};
use super::solve::{BySearch, Engine, LINE, SCORE, line_label, table_bytes};

/// The time limit of a query. A position near the start of a large board would take hours.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The most memory that queries take.
const MEMORY: u64 = 512 << 20;

/// The seconds that a position with twenty empty squares and its moves take on one thread, and the factor for each
/// square more. Both exceed the slowest positions tried, from random games and FFO 40 to 44, on two threads. Search
/// times of positions with equally many empty squares differ widely.
const AT_TWENTY: f64 = 8.0;
const PER_SQUARE: f64 = 2.4;

impl Opener<Othello> for BySearch {
    fn open(&self, game: &Arc<Othello>, database: Database) -> Result<Box<dyn Oracle>, Error> {
        Ok(Box::new(Searcher::open(game, &database)?))
    }

    fn unsolved(&self, game: &Arc<Othello>, id: &str) -> Option<Box<dyn Oracle>> {
        Some(Box::new(Searcher::new(game, id.to_owned(), Vec::new(), Vec::new(), Census::default())))
    }
}

/// Answers from the line of the database, or by search.
struct Searcher {
    game: Arc<Othello>,
    board: Arc<Searched>,
    /// The threads, memory and deadline of the current client; `None` for the default timeout and all threads.
    limits: Option<(Budget, Deadline)>,
}

/// A transposition table that is allocated on first use.
type SharedTable = Mutex<Option<Arc<Table>>>;

/// The state that all clients share: the stored line, and the proofs of searches.
struct Searched {
    /// The name of the game.
    id: String,
    line: Vec<(Position, Move)>,
    /// The canonical positions of the line with their scores.
    known: Vec<(Position, i16)>,
    census: Census,
    /// Allocated by the first search and shared, so that later searches reuse its proofs.
    table: SharedTable,
    /// The table of a verification, which must not reuse other proofs.
    proofs: SharedTable,
    /// Serialises the searches of a verification: each uses all threads.
    verifying: Mutex<()>,
}

impl Searcher {
    fn open(game: &Arc<Othello>, database: &Database) -> Result<Searcher, Error> {
        let damaged = || Error::damaged(&database.path(Manifest::FILE), "its line of best play");
        let settings = &database.manifest().settings;
        let most = i64::from(game.shape().squares());
        let score = settings.get(SCORE).and_then(|score| score.as_i64()).filter(|score| (-most..=most).contains(score));
        let score = score.map(|score| score as i16);
        let texts = settings.get(LINE).and_then(|line| line.as_array()).ok_or_else(damaged)?;
        let (mut board, mut score) = (game.initial(), score.ok_or_else(damaged)?);
        let (mut line, mut known) = (Vec::new(), vec![(game.canonical(board), score)]);
        for text in texts {
            let played = |turn| Some(game.show_move(board, turn).as_str()) == text.as_str();
            let (turn, child) = find_move(game, board, played).ok_or_else(damaged)?;
            line.push((board, turn));
            (board, score) = (child, -score);
            known.push((game.canonical(board), score));
        }
        if game.final_score(board) != Some(score) {
            return Err(damaged());
        }
        let positions = known.len() as u64;
        database.check_classes(1, |_, class| {
            class.label == line_label() && class.slots == positions && class.tally.positions() == positions
        })?;
        Ok(Searcher::new(game, database.manifest().game.clone(), line, known, database.manifest().census()))
    }

    /// A searcher with a known line and its scores.
    fn new(
        game: &Arc<Othello>,
        id: String,
        line: Vec<(Position, Move)>,
        known: Vec<(Position, i16)>,
        census: Census,
    ) -> Searcher {
        let (table, proofs, verifying) = (Mutex::default(), Mutex::default(), Mutex::default());
        let board = Arc::new(Searched { id, line, known, census, table, proofs, verifying });
        Searcher { game: game.clone(), board, limits: None }
    }

    fn with_engine<T>(&self, run: impl FnOnce(&Engine<'_>, &Deadline) -> Result<T, Error>) -> Result<T, Error> {
        let (budget, deadline) = self.limits.clone().unwrap_or_else(|| (whole_budget(), Deadline::after(TIMEOUT)));
        deadline.check()?;
        let table = table_for(&self.board.table, &self.game, budget.memory.min(MEMORY))?;
        let (threads, isa) = (budget.threads, Isa::best());
        run(
            &Engine { game: &self.game, table: &table, threads, isa, learned: true, deadline: deadline.left() },
            &deadline,
        )
    }
}

/// Returns the shared table, allocated with at most `memory` bytes on first use.
fn table_for(table: &SharedTable, game: &Othello, memory: u64) -> Result<Arc<Table>, Error> {
    let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = &*table {
        return Ok(table.clone());
    }
    let made = Arc::new(Table::new(table_bytes(game, memory) as usize)?);
    *table = Some(made.clone());
    Ok(made)
}

/// Returns the first move that satisfies `wanted`, and its child.
fn find_move(game: &Othello, board: Position, wanted: impl Fn(Move) -> bool) -> Option<(Move, Position)> {
    let mut found = None;
    if game.ended(board).is_none() {
        game.moves(board, &mut |turn, child| {
            if found.is_none() && wanted(turn) {
                found = Some((turn, child));
            }
        });
    }
    found
}

impl Searcher {
    fn position_of(&self, key: u128) -> Position {
        typed(&*self.game, key)
    }

    fn is_known(&self, board: Position) -> Option<Answer> {
        let canonical = self.game.canonical(board);
        let known = self.board.known.iter().find(|(known, _)| *known == canonical);
        known.map(|(_, score)| Answer::of_score(*score))
    }

    /// The place of a move among those of a board, with the position it leads to.
    fn numbered(&self, board: Position, wanted: Move) -> Option<(usize, u128)> {
        let (mut number, mut found) = (0, None);
        self.game.moves(board, &mut |turn, child| {
            if found.is_none() && turn == wanted {
                found = Some((number, key(&*self.game, child)));
            }
            number += 1;
        });
        found
    }
}

impl Oracle for Searcher {
    fn contents(&self) -> Result<Contents, Error> {
        Ok(Contents {
            census: self.board.census.clone(),
            stored_slots: self.board.known.len() as u64,
            only_line: Some(self.board.line.len() as u64),
            ..Contents::default()
        })
    }

    fn answer(&self, position: u128) -> Result<Answer, Error> {
        let board = self.position_of(position);
        if let Some(score) = self.game.final_score(board) {
            return Ok(Answer::of_score(score));
        }
        if let Some(stored) = self.is_known(board) {
            return Ok(stored);
        }
        let found = self.with_engine(|engine, deadline| engine.score(board, None, Checkpointer::none(), deadline))?;
        Ok(Answer::of_score(found.score as i16))
    }

    fn best(&self, position: u128) -> Result<Option<(usize, u128)>, Error> {
        let board = self.position_of(position);
        if let Some((_, best)) = self.board.line.iter().find(|(at, _)| *at == board) {
            return Ok(self.numbered(board, *best));
        }
        let Some(score) = self.answer(position)?.score else { return Ok(None) };
        let best = self.with_engine(|engine, deadline| engine.best_move(board, i32::from(score), deadline))?;
        Ok(best.and_then(|(best, _)| self.numbered(board, best)))
    }

    /// Estimated from the number of empty squares: an overestimate for small boards, which have fewer moves.
    fn effort(&self, position: u128, budget: &Budget) -> Option<Duration> {
        let board = self.position_of(position);
        let empty = self.game.shape().squares() - (board.own | board.others).count_ones();
        let seconds = AT_TWENTY * PER_SQUARE.powi(empty as i32 - 20) / budget.threads.max(1) as f64;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    fn bounded(&self, budget: &Budget, deadline: &Deadline) -> Option<Box<dyn Oracle>> {
        let limits = Some((*budget, deadline.clone()));
        Some(Box::new(Searcher { game: self.game.clone(), board: self.board.clone(), limits }))
    }

    fn quick_scan<'a>(&'a self, _: Wanted<'a>) -> Result<Option<Box<dyn Scan + 'a>>, Error> {
        Err(Error::NotSearchable { game: self.board.id.clone() })
    }
}

/// Only the positions of the line have numbers.
impl Numbering for Searcher {
    fn positions(&self) -> u64 {
        self.board.known.len() as u64
    }

    fn position(&self, number: u64) -> Result<u128, Error> {
        let known = usize::try_from(number).ok().and_then(|number| self.board.known.get(number));
        known
            .map(|(board, _)| key(&*self.game, *board))
            .ok_or_else(|| Error::NotStored { game: "othello".into(), position: format!("position number {number}") })
    }

    fn is_row(&self, position: u128) -> bool {
        self.game.counted(self.position_of(position))
    }

    fn fields(&self, position: u128) -> Vec<(&'static str, i64)> {
        let label = self.game.class_label(self.game.class(self.position_of(position)));
        label.into_iter().map(|(name, number)| (name, number.into())).collect()
    }
}

impl Audit for Searcher {
    fn stored(&self, position: u128) -> Result<Option<Answer>, Error> {
        Ok(self.is_known(self.position_of(position)))
    }

    /// Repeats the whole search: the line alone proves nothing about the moves that deviate from it.
    fn search(&self, position: u128, budget: &Budget, observer: &dyn Observer) -> Result<Option<Answer>, Error> {
        let _verifying = self.board.verifying.lock().unwrap_or_else(PoisonError::into_inner);
        let (game, table) = (&*self.game, table_for(&self.board.proofs, &self.game, budget.memory)?);
        let (threads, isa) = (budget.threads, Isa::best());
        let engine = Engine { game, table: &table, threads, isa, learned: true, deadline: None };
        let found = engine.score(self.position_of(position), None, Checkpointer::none(), observer)?;
        Ok(Some(Answer::of_score(found.score as i16)))
    }

    /// The census covers the line only.
    fn recount(&self, _: u128, answer: Answer, recount: &mut Recount) {
        recount.add(0, answer.value);
    }

    fn census_label(&self, _: u32, _: &Recount) -> Map<String, Json> {
        line_label()
    }
}
