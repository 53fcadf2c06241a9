//! Runs a query: reads stretches in parallel, evaluates candidates in batches, and passes on rows in order; or samples.
//!
//! A sample is uniform among the positions that the census counts, each at most once. Numbers are shuffled, and with them
//! which of the positions that share a number is meant; a draw that means none is thrown away. So every position has the
//! same chance, however many share a number.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::column::{Cell, Column, Cost, Kind};
use super::evaluator::Evaluator;
use super::forecast::{self, Explanation};
use super::question::{Cursor, Find, Question, schema};
use crate::{Means, Search, Spread};
use kanzen_core::machine::parallel;
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::random::{Random, shuffled};
use kanzen_core::vocabulary::{Answer, Budget, Census, Error};

/// One row of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// A cell for each column asked for.
    pub cells: Vec<Cell>,
}

/// Takes rows as they are found.
pub type RowSink<'a> = dyn FnMut(Row) -> Result<(), Error> + 'a;

/// The result of a query.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FindReport {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The condition, as it was asked.
    #[serde(rename = "where")]
    pub condition: String,
    /// How many rows there were.
    pub count: u64,
    /// How many positions fulfil the condition, where an order had all of them looked for and a limit showed the first.
    #[serde(skip)]
    pub matching: Option<u64>,
    /// How many positions the game has.
    pub positions: u64,
    /// How many of them were drawn, if not all were looked through.
    pub sampled: Option<u64>,
    /// Whether all that was asked for was looked through: not stopped, and not cut by a limit.
    #[serde(skip)]
    pub complete: bool,
    /// Whether the observer asked to stop.
    #[serde(skip)]
    pub stopped: bool,
    /// From where to go on, if there may be more.
    #[serde(skip)]
    pub next: Option<Cursor>,
}

impl FindReport {
    /// What a query comes to before any position is read.
    pub(super) fn of_nothing(id: &str, find: &Find, census: &Census) -> FindReport {
        FindReport {
            game: id.to_owned(),
            condition: find.condition.clone(),
            count: 0,
            matching: None,
            positions: census.total().positions(),
            sampled: None,
            complete: true,
            stopped: false,
            next: None,
        }
    }
}

/// Bytes that an oracle may hold for a question, whatever the budget allows. With the blocks that were read lately and the
/// candidates it makes less than a gigabyte.
const MEMORY: u64 = 900 << 20;
/// Candidates that are looked at together, at most.
const MOST_CANDIDATES: usize = 1 << 20;
/// With so many candidates no more stretches are read before these are looked at.
pub(super) const READ_AHEAD: usize = 1 << 18;
/// From this many on a batch is shared among threads by the oracle.
pub(super) const LARGE_BATCH: usize = 1 << 17;
/// Candidates that are looked at together first.
const FIRST_CANDIDATES: usize = 1 << 9;
/// Stretches that are read together, at most.
pub(super) const MOST_STRETCHES: u64 = 1 << 12;

/// What took longer delays a request to stop too much, and less is taken next.
pub(super) const MOMENT: Duration = Duration::from_millis(300);

/// From so many candidates on that were looked at for the first few rows, it will be many.
const MANY_FOR_FEW: u64 = 1 << 15;

/// A position that may be a row, with where it was found.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub position: u128,
    pub answer: Answer,
    pub place: Cursor,
}

/// What an oracle may hold for a question.
pub(super) fn within(budget: Budget) -> Budget {
    Budget { memory: budget.memory.min(MEMORY), ..budget }
}

/// Takes the names of the columns and what their cells are.
pub type Heading<'a> = dyn FnMut(&[(String, Kind)]) -> Result<(), Error> + 'a;

/// As [`find`](super::find), by this process alone.
pub(super) fn look_through(
    search: &Search<'_>,
    find: &Find,
    heading: &mut Heading<'_>,
    sink: &mut RowSink<'_>,
) -> Result<FindReport, Error> {
    let Search { id, game, oracle, means: Means { budget, observer, .. } } = *search;
    let question = Question::new(find, schema(id, game, oracle)?)?;
    check(find)?;
    let census = oracle.contents()?.census;
    let mut report = FindReport::of_nothing(id, find, &census);
    heading(&question.heading())?;
    let expected = question.in_census(&census);
    let exact = question.condition_cost == Cost::Census && find.sample.is_none();
    if is_counted(find, &question, expected) {
        // An oracle that cannot be searched refuses, whatever its census has.
        oracle.quick_scan(&|_| false)?;
        report.count = expected;
        return Ok(report);
    }
    let memory = within(budget);
    let looked_at = find.sample.map_or(expected, |(count, _)| count);
    let evaluator = Evaluator::new(game, oracle, &question, &memory)?;
    let looked_at = looked_at.min(report.positions);
    // A query for a handful of rows should not read a whole database first.
    let mut prepared = question.cost < Cost::Moves;
    if !prepared && !find.is_for_few() {
        evaluator.prepare(looked_at, &memory)?;
        prepared = true;
    }
    let mut rows = Rows::new(game, &question, sink, find.limit, find.count);
    let pool = kanzen_core::machine::pool(budget.threads)?;
    if let Some((count, seed)) = find.sample {
        report.sampled = Some(count.min(report.positions));
        report.stopped = run_sample(&evaluator, &pool, (count, seed), &mut rows, observer)?;
        rows.finish()?;
        report.complete = !report.stopped;
        (report.count, report.matching) = (rows.count, rows.matching);
        return Ok(report);
    }
    let wanted = |answer: Answer| question.may_match(answer);
    let scan = question.scan(oracle, &wanted)?;
    let stretches = forecast::stretches(find, scan.stretches());
    forecast::check(&evaluator, &*scan, stretches.clone(), find, expected, budget, observer)?;
    observer.event(Event::Stage { name: "find", total: Some(stretches.end - stretches.start) });
    if find.count && question.cost < Cost::Moves && find.after.is_none() {
        (report.count, report.stopped) = evaluator.count(&pool, &*scan, stretches, observer)?;
        report.complete = !report.stopped;
        return Ok(report);
    }
    let mut left = Candidates::default();
    let mut looked = 0;
    let (mut next, mut window) = (stretches.start, budget.threads as u64);
    // Small batches at first: a query for a handful of rows should not wait for thousands.
    let mut together = FIRST_CANDIDATES;
    // What the census counts exactly need not be looked for when all of it is found.
    let enough = if exact && find.part.is_none() && find.after.is_none() { expected } else { u64::MAX };
    while next < stretches.end && !rows.is_full() && rows.count < enough && !report.stopped {
        if observer.stop() {
            report.stopped = true;
            break;
        }
        let end = stretches.end.min(next + window);
        let began = Instant::now();
        let read = parallel::install(&pool, || evaluator.read(&*scan, next..end, find.after))?;
        let found: usize = read.iter().map(Vec::len).sum();
        let end = next + read.len() as u64;
        left.extend(read.into_iter().flatten());
        observer.event(Event::Steps { steps: end - next });
        next = end;
        window = match found {
            _ if began.elapsed() > MOMENT => (window / 2).max(1),
            0..0x10000 => (2 * window).min(MOST_STRETCHES),
            0x10000..0x80000 => window,
            _ => (window / 2).max(1),
        };
        let stored_only = evaluator.question.cost < Cost::Moves;
        while (left.len() >= together || stored_only && left.len() > 0) && !rows.is_full() && !report.stopped {
            let batch = evaluator.batch();
            // An oracle that wants very many at a time goes through the whole database for them, however few they are.
            let several = if stored_only || batch >= LARGE_BATCH { left.take() } else { left.take_first(together) };
            looked += several.len() as u64;
            let began = Instant::now();
            report.next = evaluator.look(&pool, several, &mut rows)?;
            together = match began.elapsed() {
                slow if slow > MOMENT && batch < LARGE_BATCH => (together / 2).max(FIRST_CANDIDATES),
                _ => (4 * together).min(batch.saturating_mul(budget.threads)).min(MOST_CANDIDATES),
            };
            if !prepared && looked > MANY_FOR_FEW {
                evaluator.prepare(looked_at, &memory)?;
                prepared = true;
            }
            report.stopped = left.len() >= together && observer.stop();
        }
    }
    if !rows.is_full() && !report.stopped {
        report.next = evaluator.look(&pool, left.take(), &mut rows)?;
    }
    rows.finish()?;
    (report.count, report.matching) = (rows.count, rows.matching);
    report.complete = !(report.stopped || rows.is_full() && find.limit.is_some());
    if report.complete || find.order.is_some() || find.count {
        report.next = None;
    } else if !rows.is_full() {
        report.next = Some(left.first().unwrap_or(Cursor { stretch: next, done: 0 }));
    }
    Ok(report)
}

/// Whether the census has the whole answer.
fn is_counted(find: &Find, question: &Question, expected: u64) -> bool {
    let whole = find.sample.is_none() && find.part.is_none() && find.after.is_none();
    question.condition_cost == Cost::Census && whole && (find.count || expected == 0)
}

/// Whether the census has the whole answer to a question: then it is not worth sharing.
pub(super) fn is_in_census(search: &Search<'_>, find: &Find) -> Result<bool, Error> {
    let question = Question::new(find, schema(search.id, search.game, search.oracle)?)?;
    Ok(is_counted(find, &question, question.in_census(&search.oracle.contents()?.census)))
}

/// What a question would look at, and how long that would take.
pub fn explain(search: &Search<'_>, find: &Find) -> Result<Explanation, Error> {
    let Search { id, game, oracle, means } = *search;
    let question = Question::new(find, schema(id, game, oracle)?)?;
    check(find)?;
    forecast::explain(&Evaluator::new(game, oracle, &question, &within(means.budget))?, find, means.budget)
}

pub(super) fn check(find: &Find) -> Result<(), Error> {
    let bad = |reason: String| Err(Error::BadRequest(reason));
    if let Some((part, parts)) = find.part
        && !(1..=parts).contains(&part)
    {
        return bad(format!("there is no part {part} of {parts}"));
    }
    if find.sample.is_some() && (find.part.is_some() || find.after.is_some()) {
        return bad("a sample is of all positions, not of a part".to_owned());
    }
    Ok(())
}

/// Candidates that wait until there are enough of them.
#[derive(Default)]
struct Candidates(Vec<Candidate>);

impl Candidates {
    fn extend(&mut self, more: impl IntoIterator<Item = Candidate>) {
        self.0.extend(more);
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// Where the first of them was found.
    fn first(&self) -> Option<Cursor> {
        self.0.first().map(|candidate| candidate.place)
    }

    fn take(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.0)
    }

    /// So many of them, or all if there are fewer.
    fn take_first(&mut self, most: usize) -> Vec<Candidate> {
        let rest = self.0.split_off(most.min(self.0.len()));
        std::mem::replace(&mut self.0, rest)
    }
}

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

/// Draws that are looked at together.
const DRAWS: u64 = 1 << 16;

/// Looks at a sample; returns whether the observer asked to stop.
fn run_sample(
    evaluator: &Evaluator<'_>,
    pool: &rayon::ThreadPool,
    (count, seed): (u64, u64),
    rows: &mut Rows<'_>,
    observer: &dyn Observer,
) -> Result<bool, Error> {
    let oracle = evaluator.oracle;
    // Called for its error only: an oracle that cannot be searched refuses.
    oracle.quick_scan(&|_| false)?;
    let share = oracle.most_per_number();
    let range = oracle.positions().saturating_mul(share);
    let shift = if range == 0 { 0 } else { Random::new(seed).next() % range };
    observer.event(Event::Stage { name: "sample", total: Some(count) });
    let (mut drawn, mut draw) = (0, 0);
    while drawn < count && draw < range && !rows.is_full() {
        if observer.stop() {
            return Ok(true);
        }
        let most = DRAWS.min((count - drawn).saturating_mul(share)).min(range - draw);
        let mut accepted = Vec::new();
        for draw in draw..draw + most {
            let number = shuffled((draw + shift) % range, range);
            let (number, which) = (number / share, number % share);
            let (mut at, mut meant) = (0, None);
            oracle.each_position(number, &mut |position| {
                if oracle.is_row(position) {
                    meant = meant.or((at == which).then_some(position));
                    at += 1;
                }
                Ok(())
            })?;
            if let Some(position) = meant
                && drawn < count
            {
                drawn += 1;
                accepted.push((Cursor { stretch: number, done: which }, position));
            }
        }
        draw += most;
        // In the order of the database: what lies near each other is read once.
        accepted.sort_unstable_by_key(|(place, _)| *place);
        let positions: Vec<u128> = accepted.iter().map(|(_, position)| *position).collect();
        let answers = oracle.answers(&positions, Spread::Near)?;
        // What was thrown away is no step on the way to `count`.
        let steps = accepted.len() as u64;
        let drawn_now = accepted.into_iter().zip(answers);
        let candidates: Vec<_> =
            drawn_now.filter_map(|((place, position), answer)| evaluator.candidate(position, answer, place)).collect();
        observer.event(Event::Steps { steps });
        evaluator.look(pool, candidates, rows)?;
    }
    Ok(false)
}
