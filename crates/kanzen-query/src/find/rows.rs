//! Rows on their way out: shown as they come, or kept until the first ones of an order are known.

use std::cmp::Ordering;

use super::column::{Cell, Column};
use super::question::Question;
use super::run::{Row, RowSink};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Error;

/// Rows that an order without a limit may keep.
const MOST: usize = 2_000_000;

/// A position with the cells of its columns.
pub struct Match {
    pub position: u128,
    pub cells: Vec<Option<Cell>>,
}

/// Where rows go.
pub struct Rows<'a> {
    game: &'a dyn AnyGame,
    question: &'a Question,
    sink: &'a mut RowSink<'a>,
    limit: Option<usize>,
    /// Counted or shown so far.
    pub count: u64,
    /// How many came, if an order shows the first of them.
    pub matching: Option<u64>,
    counting: bool,
    kept: Vec<Match>,
}

impl<'a> Rows<'a> {
    pub fn new(
        game: &'a dyn AnyGame,
        question: &'a Question,
        sink: &'a mut RowSink<'a>,
        limit: Option<u64>,
        counting: bool,
    ) -> Rows<'a> {
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Rows { game, question, sink, limit, count: 0, matching: None, counting, kept: Vec::new() }
    }

    /// Whether more rows would change nothing.
    pub fn is_full(&self) -> bool {
        !self.counting && self.question.order.is_none() && self.limit.is_some_and(|limit| self.count >= limit as u64)
    }

    /// Takes the next row.
    pub fn push(&mut self, row: Match) -> Result<(), Error> {
        if self.is_full() {
            return Ok(());
        }
        self.count += 1;
        if self.counting {
            return Ok(());
        }
        if self.question.order.is_none() {
            return self.show(row);
        }
        self.kept.push(row);
        let most = self.limit.unwrap_or(MOST);
        if self.kept.len() > most.saturating_mul(2).max(1024) {
            if self.limit.is_none() {
                let reason = format!("more than {MOST} rows are too many to order: ask for a limit");
                return Err(Error::BadRequest(reason));
            }
            self.prune(most);
        }
        Ok(())
    }

    fn prune(&mut self, most: usize) {
        if let Some((column, falling)) = self.question.order {
            // Stable: rows that are equal stay in the order of the database.
            self.kept.sort_by(|one, other| order(&one.cells[column], &other.cells[column], falling));
            self.kept.truncate(most);
        }
    }

    /// Shows what was kept.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.prune(self.limit.unwrap_or(usize::MAX));
        let kept = std::mem::take(&mut self.kept);
        if self.question.order.is_some() && !self.counting {
            self.matching = Some(std::mem::replace(&mut self.count, kept.len() as u64));
        }
        kept.into_iter().try_for_each(|row| self.show(row))
    }

    fn show(&mut self, row: Match) -> Result<(), Error> {
        let cell = |&column: &usize| match &self.question.columns[column] {
            Column::Position => Cell::Text(self.game.show(row.position)),
            _ => row.cells[column].clone().unwrap_or(Cell::Null),
        };
        (self.sink)(Row { cells: self.question.shown.iter().map(cell).collect() })
    }
}

/// Which of two cells comes first; NULL comes last.
pub fn order(one: &Option<Cell>, other: &Option<Cell>, falling: bool) -> Ordering {
    let is_null = |cell: &Option<Cell>| matches!(cell, None | Some(Cell::Null));
    let nulls_last = is_null(one).cmp(&is_null(other));
    nulls_last.then_with(|| if falling { other.cmp(one) } else { one.cmp(other) })
}
