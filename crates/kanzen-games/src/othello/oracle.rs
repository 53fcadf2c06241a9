//! Answers for any position of a searched board: those of the stored line at once, all others by search.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kanzen::machine::{cpu::Isa, whole_budget};
use kanzen::progress::{Observer, Silent};
use kanzen::query::{Answer, Opener, Oracle, Recount, Scan, Wanted};
use kanzen::solve::search::{Checkpointer, Table};
use kanzen::store::{Database, Manifest};
use kanzen::{Budget, Census, Error, Game};
use serde_json::{Map, Value as Json};

use super::rules::{Move, Othello, Position};
use super::solve::{BySearch, Engine, LINE, SCORE, line_label, table_bytes};

/// How long a question may take. A position near the start of a large board would take hours.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most memory that questions take.
const MEMORY: u64 = 512 << 20;
impl Opener<Othello> for BySearch {
    fn open(&self, game: &Othello, database: Database) -> Result<Box<dyn Oracle<Othello>>, Error> {
        Ok(Box::new(Searcher::open(game, &database)?))
    }
}

/// Answers by search; the line of the database at once.
struct Searcher {
    game: String,
    line: Vec<(Position, Move)>,
    /// Canonical positions of the line and their scores.
    known: Vec<(Position, i16)>,
    census: Census,
    table: OnceLock<Table>,
    /// The table of a verification: what it proves is proven anew.
    proofs: OnceLock<Table>,
    /// One search at a time: each takes all threads.
    searching: Mutex<()>,
}

impl Searcher {
    fn open(game: &Othello, database: &Database) -> Result<Searcher, Error> {
        let damaged = || Error::damaged(&database.path(Manifest::FILE), "its line of best play");
        let settings = &database.manifest().settings;
        let most = i64::from(game.shape().squares());
        let score = settings.get(SCORE).and_then(|score| score.as_i64()).filter(|score| score.abs() <= most);
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
        let census = database.manifest().census();
        let game = database.manifest().game.clone();
        let (table, proofs) = (OnceLock::new(), OnceLock::new());
        Ok(Searcher { game, line, known, census, table, proofs, searching: Mutex::new(()) })
    }

    fn with_engine<T>(&self, game: &Othello, ask: impl FnOnce(&Engine<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let start = Instant::now();
        let budget = whole_budget();
        let _searching = self.searching.lock().unwrap_or_else(PoisonError::into_inner);
        let table = match self.table.get() {
            Some(table) => table,
            None => {
                let table = Table::new(table_bytes(game, budget.memory.min(MEMORY)) as usize)?;
                self.table.get_or_init(|| table)
            }
        };
        let patience = Some(PATIENCE.saturating_sub(start.elapsed()));
        let (threads, isa) = (budget.threads, Isa::best());
        ask(&Engine { game, table, threads, isa, learned: true, patience })
    }
}

/// The first move that is wanted, and where it leads.
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

impl Oracle<Othello> for Searcher {
    fn answer(&self, game: &Othello, board: Position) -> Result<Answer, Error> {
        if let Some(score) = game.final_score(board) {
            return Ok(Answer::of_score(score));
        }
        if let Some(stored) = self.stored(game, board)? {
            return Ok(stored);
        }
        let found = self.with_engine(game, |engine| engine.score(board, None, Checkpointer::none(), &Silent))?;
        Ok(Answer::of_score(found.score as i16))
    }

    fn stored(&self, game: &Othello, board: Position) -> Result<Option<Answer>, Error> {
        let canonical = game.canonical(board);
        let known = self.known.iter().find(|(known, _)| *known == canonical);
        Ok(known.map(|(_, score)| Answer::of_score(*score)))
    }

    fn best(&self, game: &Othello, board: Position) -> Result<Option<(Move, Position)>, Error> {
        if let Some((_, best)) = self.line.iter().find(|(at, _)| *at == board) {
            return Ok(find_move(game, board, |turn| turn == *best));
        }
        let Some(score) = self.answer(game, board)?.score else { return Ok(None) };
        self.with_engine(game, |engine| engine.best_move(board, i32::from(score), &Silent))
    }

    /// Those of the line.
    fn positions(&self) -> u64 {
        self.known.len() as u64
    }

    fn position(&self, _: &Othello, number: u64) -> Result<Position, Error> {
        let known = usize::try_from(number).ok().and_then(|number| self.known.get(number));
        known
            .map(|(board, _)| *board)
            .ok_or_else(|| Error::NotStored { game: "othello".into(), position: format!("position number {number}") })
    }

    fn quick_scan<'a>(&'a self, _: &'a Othello, _: Wanted<'a>) -> Result<Option<Box<dyn Scan<Othello> + 'a>>, Error> {
        Err(Error::NotSearchable { game: self.game.clone() })
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.census.clone())
    }

    /// The whole search once more: a line alone proves nothing about the moves beside it.
    fn search(
        &self,
        game: &Othello,
        board: Position,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Option<Answer>, Error> {
        let _searching = self.searching.lock().unwrap_or_else(PoisonError::into_inner);
        let table = match self.proofs.get() {
            Some(table) => table,
            None => {
                let table = Table::new(table_bytes(game, budget.memory) as usize)?;
                self.proofs.get_or_init(|| table)
            }
        };
        let (threads, isa) = (budget.threads, Isa::best());
        let engine = Engine { game, table, threads, isa, learned: true, patience: None };
        let found = engine.score(board, None, Checkpointer::none(), observer)?;
        Ok(Some(Answer::of_score(found.score as i16)))
    }

    /// The census is that of the line.
    fn recount(&self, _: &Othello, _: Position, answer: Answer, recount: &mut Recount) {
        recount.add(0, answer.value);
    }

    fn census_label(&self, _: &Othello, _: u32, _: &Recount) -> Map<String, Json> {
        line_label()
    }
}
