//! Evaluates candidates: positions that a condition does not rule out, and the values of their moves.
//!
//! The positions of a stretch are in the order of the database: most have the numbers of the one before, and an answer
//! that has occurred already. Then nothing is computed again ([`Possible`]).

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::column::{Cell, Column, Cost, Moves};
use super::expression::Outcomes;
use super::question::{Cursor, Question};
use super::run::{Candidate, LARGE_BATCH, MOMENT, MOST_STRETCHES, Match, READ_AHEAD, Rows};
use crate::{Counts, Detail, MoveCounts, MoveNeeds, Oracle, Scan, Spread};
use kanzen_core::machine::parallel;
use kanzen_core::rules::{AnyGame, Tags};
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::{Answer, Budget, Error};

/// Evaluates candidates.
pub(super) struct Evaluator<'a> {
    pub game: &'a dyn AnyGame,
    pub oracle: &'a dyn Oracle,
    pub question: &'a Question,
    pub needs: Needs,
    batch: AtomicUsize,
}

impl<'a> Evaluator<'a> {
    pub fn new(
        game: &'a dyn AnyGame,
        oracle: &'a dyn Oracle,
        question: &'a Question,
        budget: &Budget,
    ) -> Result<Evaluator<'a>, Error> {
        let needs = Needs::of(&question.columns, question.schema.scored);
        let evaluator = Evaluator { game, oracle, question, needs, batch: AtomicUsize::new(1) };
        evaluator.prepare(0, budget)?;
        Ok(evaluator)
    }

    /// Announces questions about so many positions and their moves.
    pub fn prepare(&self, positions: u64, budget: &Budget) -> Result<(), Error> {
        self.batch.store(self.oracle.prepare(positions, self.needs.detail, budget)?, Relaxed);
        Ok(())
    }

    /// How many positions are best looked at together.
    pub fn batch(&self) -> usize {
        self.batch.load(Relaxed)
    }

    /// The candidates of some stretches, in parallel, those before the cursor left out; of fewer stretches, from the first
    /// on, if they have too many.
    pub fn read(
        &self,
        scan: &dyn Scan,
        stretches: std::ops::Range<u64>,
        after: Option<Cursor>,
    ) -> Result<Vec<Vec<Candidate>>, Error> {
        let count = stretches.end.saturating_sub(stretches.start) as usize;
        let found = AtomicUsize::new(0);
        // A stretch may have none or thousands, which is not known before: each is begun only while there is room.
        parallel::try_map_while(count, &|| found.load(Relaxed) < READ_AHEAD, &|at| {
            let some = self.read_one(scan, stretches.start + at as u64, after)?;
            found.fetch_add(some.len(), Relaxed);
            Ok(some)
        })
    }

    /// The candidates of one stretch.
    pub fn read_one(&self, scan: &dyn Scan, stretch: u64, after: Option<Cursor>) -> Result<Vec<Candidate>, Error> {
        let (mut found, mut done) = (Vec::new(), 0);
        let mut possible = Possible::new(self);
        scan.read(stretch, &mut |position, answer| {
            let place = Cursor { stretch, done };
            done += 1;
            if after.is_none_or(|after| place >= after) && possible.is(position, answer) {
                found.push(Candidate { position, answer, place });
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// How many rows all stretches have, where moves do not matter; and whether the observer asked to stop.
    pub fn count(
        &self,
        pool: &rayon::ThreadPool,
        scan: &dyn Scan,
        stretches: std::ops::Range<u64>,
        observer: &dyn Observer,
    ) -> Result<(u64, bool), Error> {
        let (mut count, mut next, mut window) = (0, stretches.start, MOST_STRETCHES / 16);
        while next < stretches.end {
            if observer.stop() {
                return Ok((count, true));
            }
            let end = stretches.end.min(next + window);
            let began = Instant::now();
            let found = |at: usize| {
                let stretch = next + at as u64;
                let (mut found, mut possible) = (0, Possible::new(self));
                scan.read(stretch, &mut |position, answer| {
                    found += u64::from(possible.is(position, answer));
                    Ok(())
                })?;
                Ok(found)
            };
            let found: Vec<u64> = parallel::install(pool, || parallel::try_map((end - next) as usize, &found))?;
            count += found.iter().sum::<u64>();
            window = if began.elapsed() > MOMENT { (window / 2).max(16) } else { (2 * window).min(MOST_STRETCHES) };
            observer.event(Event::Steps { steps: end - next });
            next = end;
        }
        Ok((count, false))
    }

    /// The position as a candidate, if what is known without its moves does not rule it out.
    pub fn candidate(&self, position: u128, answer: Answer, place: Cursor) -> Option<Candidate> {
        self.may_be(position, answer).then_some(Candidate { position, answer, place })
    }

    /// Whether what is known without its moves does not rule a position out.
    pub fn may_be(&self, position: u128, answer: Answer) -> bool {
        let cells = self.question.known(self.game, self.oracle, position, answer);
        self.question.condition.outcomes(&cells).may_hold()
    }

    /// Looks at candidates in parallel and passes on those that match, in their order. Returns where it stopped if there
    /// is no room for more.
    pub fn look(
        &self,
        pool: &rayon::ThreadPool,
        candidates: Vec<Candidate>,
        rows: &mut Rows<'_>,
    ) -> Result<Option<Cursor>, Error> {
        // An oracle that prefers very large batches shares them among its threads itself.
        let batch = self.batch();
        let shares = if batch >= LARGE_BATCH { 1 } else { pool.current_num_threads() };
        let each = candidates.len().div_ceil(shares).clamp(1, batch);
        let pieces: Vec<&[Candidate]> = candidates.chunks(each).collect();
        let matching = |piece: usize| self.matching(pieces[piece]);
        let matched: Vec<Vec<Found>> = parallel::install(pool, || parallel::try_map(pieces.len(), &matching))?;
        for (row, place) in matched.into_iter().flatten() {
            rows.push(row)?;
            if rows.is_full() {
                return Ok(Some(Cursor { done: place.done + 1, ..place }));
            }
        }
        Ok(None)
    }

    /// Those of the candidates that match, with their cells filled in if the caller needs them.
    pub fn matching(&self, candidates: &[Candidate]) -> Result<Vec<Found>, Error> {
        let Evaluator { game, oracle, question, needs, .. } = *self;
        let mut facts = match question.cost {
            Cost::Moves => {
                let positions: Vec<(u128, Answer)> =
                    candidates.iter().map(|candidate| (candidate.position, candidate.answer)).collect();
                facts(game, oracle, &positions, needs)?
            }
            _ => Vec::new(),
        }
        .into_iter();
        let counting = question.shown.is_empty() && question.order.is_none();
        let mut found = Vec::new();
        for &Candidate { position, answer, place } in candidates {
            let mut cells = Vec::new();
            if let Some(facts) = facts.next() {
                cells = question.known(game, oracle, position, answer);
                for (cell, column) in cells.iter_mut().zip(&question.columns) {
                    cell.get_or_insert_with(|| facts.cell(column));
                }
                let outcomes: Outcomes = question.condition.outcomes(&cells);
                if !outcomes.may_hold() {
                    continue;
                }
            } else if !counting {
                cells = question.known(game, oracle, position, answer);
            }
            found.push((Match { position, cells: if counting { Vec::new() } else { cells } }, place));
        }
        Ok(found)
    }
}

/// A row with where it was found.
type Found = (Match, Cursor);

/// Whether a condition can hold, for the positions of one stretch.
pub(super) struct Possible<'l, 'a> {
    evaluator: &'l Evaluator<'a>,
    /// Whether numbers and answer are all that the condition depends on.
    remembers: bool,
    /// The numbers of the position before.
    fields: Vec<(&'static str, i64)>,
    /// The results for positions with these numbers, by the code of their value and by their score.
    said: HashMap<(i16, Option<i16>), bool>,
}

impl<'l, 'a> Possible<'l, 'a> {
    /// No result yet.
    pub fn new(evaluator: &'l Evaluator<'a>) -> Possible<'l, 'a> {
        let remembers = !evaluator.question.columns.contains(&Column::ToMove);
        Possible { evaluator, remembers, fields: Vec::new(), said: HashMap::new() }
    }

    /// Whether a position with this answer, which the scan has named, may be a row.
    pub fn is(&mut self, position: u128, answer: Answer) -> bool {
        let evaluator = self.evaluator;
        if !evaluator.question.by_position {
            // A scan names only what its answer does not rule out.
            return true;
        }
        if !self.remembers {
            return evaluator.may_be(position, answer);
        }
        let fields = evaluator.oracle.fields(position);
        if fields != self.fields {
            self.fields = fields;
            self.said.clear();
        }
        let answered = (answer.value.code(), answer.score);
        *self.said.entry(answered).or_insert_with(|| evaluator.may_be(position, answer))
    }
}

/// One move: its tags, and what the mover gets by it.
type Tagged = (Tags, Answer);

fn count(counts: &Counts, moves: Moves) -> i64 {
    i64::from(match moves {
        Moves::All => counts.all(),
        Moves::Wins => counts.wins,
        Moves::Draws => counts.draws,
        Moves::Losses => counts.losses,
    })
}

/// The facts about the moves of a position.
pub struct Facts {
    counts: MoveCounts,
    best: i64,
    gap: Option<i64>,
    zugzwang: Option<bool>,
}

impl Facts {
    fn new(own: Answer, moves: &[Tagged], passed: Option<Answer>) -> Facts {
        let mut counts = MoveCounts::default();
        for (tags, mine) in moves {
            counts.add(*tags, mine.value.outcome());
        }
        // The best two, and how many are as good as the best.
        let (mut first, mut second, mut best): (Option<Answer>, Option<Answer>, i64) = (None, None, 0);
        for mine in moves.iter().map(|(_, mine)| Some(*mine)) {
            if mine > first {
                (first, second, best) = (mine, first, 1);
            } else {
                best += i64::from(mine == first);
                second = second.max(mine);
            }
        }
        let gap = match (first, second) {
            (Some(first), Some(second)) if first.value.outcome() == second.value.outcome() => {
                match (first.value.distance(), second.value.distance()) {
                    (Some(first), Some(second)) => Some(i64::from(first.abs_diff(second))),
                    _ => None,
                }
            }
            _ => None,
        };
        // Better is a better value, and with scores a better score; a later loss is still a loss.
        let rank = |answer: Answer| (answer.score, answer.value.outcome());
        let zugzwang = passed.map(|passed| rank(passed.before()) > rank(own));
        Facts { counts, best, gap, zugzwang }
    }

    /// Where distances were not asked for: which moves are best stays open.
    fn counted(own: Answer, counts: MoveCounts) -> Facts {
        let zugzwang = counts.passed.map(|passed| passed > own.value.outcome());
        Facts { counts, best: 0, gap: None, zugzwang }
    }

    /// The cell of a column about moves.
    pub fn cell(&self, column: &Column) -> Cell {
        match column {
            Column::Count(moves, None) => Cell::Integer(count(&self.counts.all, *moves)),
            Column::Count(moves, Some(tag)) => Cell::Integer(count(&self.counts.by_tag[*tag as usize], *moves)),
            Column::Best => Cell::Integer(self.best),
            Column::OnlyMove => Cell::Boolean(self.counts.all.kept() == 1),
            Column::Gap => Cell::number(self.gap),
            Column::Zugzwang => self.zugzwang.map_or(Cell::Null, Cell::Boolean),
            _ => Cell::Null,
        }
    }
}

/// What is to be found out of moves.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    moves: MoveNeeds,
    /// Whether it matters how soon a move wins or loses.
    pub detail: Detail,
}

impl Needs {
    /// What these columns need, in a game with scores or without.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>, scored: bool) -> Needs {
        let mut needs = Needs { moves: MoveNeeds { tags: false, passing: false }, detail: Detail::Outcomes };
        for column in columns {
            needs.moves.tags |= matches!(column, Column::Count(_, Some(_)));
            needs.moves.passing |= *column == Column::Zugzwang;
            // With scores passing is compared by them.
            let scores = scored && *column == Column::Zugzwang;
            if scores || matches!(column, Column::Best | Column::Gap) {
                needs.detail = Detail::Answers;
            }
        }
        needs
    }
}

/// Works out the facts of many positions, all their children looked up together.
pub fn facts(
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    positions: &[(u128, Answer)],
    needs: Needs,
) -> Result<Vec<Facts>, Error> {
    if needs.detail == Detail::Outcomes {
        let asked: Vec<u128> = positions.iter().map(|(position, _)| *position).collect();
        if let Some(counts) = oracle.move_counts(&asked, needs.moves)? {
            let each = positions.iter().zip(counts).map(|(&(_, own), counts)| Facts::counted(own, counts));
            return Ok(each.collect());
        }
    }
    let needs = needs.moves;
    let (mut children, mut tags, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(positions.len()));
    for &(position, _) in positions {
        let ended = game.expand(position, &mut children);
        match needs.tags && ended.is_none() {
            true => tags.extend(game.move_tags(position)),
            false => tags.resize(children.len(), Tags::NONE),
        }
        ends.push(children.len());
    }
    let answers = oracle.answers(&children, Spread::Near)?;
    let moves: Vec<Tagged> = tags.into_iter().zip(answers.into_iter().map(Answer::before)).collect();
    let passed = if needs.passing { all_passed(game, oracle, positions)? } else { vec![None; positions.len()] };
    let mut start = 0;
    let mut all = Vec::with_capacity(positions.len());
    for ((&(_, own), end), passed) in positions.iter().zip(ends).zip(passed) {
        all.push(Facts::new(own, &moves[start..end], passed));
        start = end;
    }
    Ok(all)
}

/// The answers where the movers have passed.
fn all_passed(
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    positions: &[(u128, Answer)],
) -> Result<Vec<Option<Answer>>, Error> {
    let others = positions.iter().map(|&(position, _)| match game.ended(position) {
        Some(_) => None,
        None => game.passed(position),
    });
    let others: Vec<Option<u128>> = others.collect();
    let meant: Vec<u128> = others.iter().copied().flatten().collect();
    match oracle.answers(&meant, Spread::Near) {
        Ok(answers) => {
            let mut answers = answers.into_iter();
            Ok(others.iter().map(|other| other.and_then(|_| answers.next())).collect())
        }
        // One of them is not stored: then each is asked for alone.
        Err(Error::NotStored { .. }) => {
            others.into_iter().map(|other| other.map_or(Ok(None), |other| passed(oracle, other))).collect()
        }
        Err(error) => Err(error),
    }
}

/// The answer where the mover has passed; nothing where that is not stored.
fn passed(oracle: &dyn Oracle, other: u128) -> Result<Option<Answer>, Error> {
    match oracle.answer(other) {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::NotStored { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
