//! Finding: stretches read in parallel, candidates looked at together, rows in order.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::column::{Cell, Cost, Kind};
use super::expression::Outcomes;
use super::facts::{Needs, facts};
use super::forecast::{self, Explanation};
use super::possible::Possible;
use super::question::{Cursor, Find, Question, schema};
use super::rows::{Match, Rows};
use super::sample;
use kanzen_core::machine::parallel;
use crate::{Answer, Means, Oracle, Scan, Search};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::{Budget, Census, Error};

/// One row of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// A cell for each column asked for.
    pub cells: Vec<Cell>,
}

/// Takes rows as they are found.
pub type RowSink<'a> = dyn FnMut(Row) -> Result<(), Error> + 'a;

/// What a question came to.
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
    /// Whether somebody asked to stop.
    #[serde(skip)]
    pub stopped: bool,
    /// From where to go on, if there may be more.
    #[serde(skip)]
    pub next: Option<Cursor>,
}

impl FindReport {
    /// What a question comes to before anything is looked at.
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
const READ_AHEAD: usize = 1 << 18;
/// From this many on a batch is shared among threads by the oracle.
pub(super) const LARGE_BATCH: usize = 1 << 17;
/// Candidates that are looked at together first.
const FIRST_CANDIDATES: usize = 1 << 9;
/// Stretches that are read together, at most.
const MOST_STRETCHES: u64 = 1 << 12;

/// What took longer was too much at once for somebody who asks to stop, and less is taken next.
const MOMENT: Duration = Duration::from_millis(300);

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
        // An oracle that cannot be searched refuses, whatever its census says.
        oracle.quick_scan(&|_| false)?;
        report.count = expected;
        return Ok(report);
    }
    let memory = within(budget);
    let looked_at = find.sample.map_or(expected, |(count, _)| count);
    let looker = Looker::new(game, oracle, &question, &memory)?;
    let looked_at = looked_at.min(report.positions);
    // Who wants a handful of rows should not wait until a whole database is read.
    let mut prepared = question.cost < Cost::Moves;
    if !prepared && !find.is_for_few() {
        looker.prepare(looked_at, &memory)?;
        prepared = true;
    }
    let mut rows = Rows::new(game, &question, sink, find.limit, find.count);
    let pool = kanzen_core::machine::pool(budget.threads)?;
    if let Some((count, seed)) = find.sample {
        report.sampled = Some(count.min(report.positions));
        report.stopped = sample::run(&looker, &pool, (count, seed), &mut rows, observer)?;
        rows.finish()?;
        report.complete = !report.stopped;
        (report.count, report.matching) = (rows.count, rows.matching);
        return Ok(report);
    }
    let wanted = |answer: Answer| question.may_match(answer);
    let scan = question.scan(oracle, &wanted)?;
    let stretches = forecast::stretches(find, scan.stretches());
    forecast::check(&looker, &*scan, stretches.clone(), find, expected, budget, observer)?;
    observer.event(Event::Stage { name: "find", total: Some(stretches.end - stretches.start) });
    if find.count && question.cost < Cost::Moves && find.after.is_none() {
        (report.count, report.stopped) = looker.count(&pool, &*scan, stretches, observer)?;
        report.complete = !report.stopped;
        return Ok(report);
    }
    let mut left = Candidates::default();
    let mut looked = 0;
    let (mut next, mut window) = (stretches.start, budget.threads as u64);
    // Few at first: who wants a handful of rows should not wait for thousands.
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
        let read = parallel::install(&pool, || looker.read(&*scan, next..end, find.after))?;
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
        let stored_only = looker.question.cost < Cost::Moves;
        while (left.len() >= together || stored_only && left.len() > 0) && !rows.is_full() && !report.stopped {
            let batch = looker.batch();
            // An oracle that wants very many at a time goes through the whole database for them, however few they are.
            let several = if stored_only || batch >= LARGE_BATCH { left.take() } else { left.take_first(together) };
            looked += several.len() as u64;
            let began = Instant::now();
            report.next = looker.look(&pool, several, &mut rows)?;
            together = match began.elapsed() {
                slow if slow > MOMENT && batch < LARGE_BATCH => (together / 2).max(FIRST_CANDIDATES),
                _ => (4 * together).min(batch.saturating_mul(budget.threads)).min(MOST_CANDIDATES),
            };
            if !prepared && looked > MANY_FOR_FEW {
                looker.prepare(looked_at, &memory)?;
                prepared = true;
            }
            report.stopped = left.len() >= together && observer.stop();
        }
    }
    if !rows.is_full() && !report.stopped {
        report.next = looker.look(&pool, left.take(), &mut rows)?;
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
    forecast::explain(&Looker::new(game, oracle, &question, &within(means.budget))?, find, means.budget)
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

/// Looks at candidates.
pub(super) struct Looker<'a> {
    pub game: &'a dyn AnyGame,
    pub oracle: &'a dyn Oracle,
    pub question: &'a Question,
    pub needs: Needs,
    batch: AtomicUsize,
}

impl<'a> Looker<'a> {
    fn new(
        game: &'a dyn AnyGame,
        oracle: &'a dyn Oracle,
        question: &'a Question,
        budget: &Budget,
    ) -> Result<Looker<'a>, Error> {
        let needs = Needs::of(&question.columns, question.schema.scored);
        let looker = Looker { game, oracle, question, needs, batch: AtomicUsize::new(1) };
        looker.prepare(0, budget)?;
        Ok(looker)
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
        // A stretch may have none or thousands, and nobody knows before: each is begun only while there is room.
        parallel::try_map_while(count, &|| found.load(Relaxed) < READ_AHEAD, &|at| {
            let some = self.read_one(scan, stretches.start + at as u64, after)?;
            found.fetch_add(some.len(), Relaxed);
            Ok(some)
        })
    }

    /// The candidates of one stretch.
    pub fn read_one(
        &self,
        scan: &dyn Scan,
        stretch: u64,
        after: Option<Cursor>,
    ) -> Result<Vec<Candidate>, Error> {
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

    /// How many rows all stretches have, where moves do not matter; and whether somebody asked to stop.
    fn count(
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

    /// Looks at candidates in parallel and passes on those that match, in their order. Tells where it stopped if there
    /// is no room for more.
    pub fn look(
        &self,
        pool: &rayon::ThreadPool,
        candidates: Vec<Candidate>,
        rows: &mut Rows<'_>,
    ) -> Result<Option<Cursor>, Error> {
        // An oracle that wants very many at a time shares them among its threads itself.
        let batch = self.batch();
        let shares = if batch >= LARGE_BATCH { 1 } else { pool.current_num_threads() };
        let each = candidates.len().div_ceil(shares).clamp(1, batch);
        let pieces: Vec<&[Candidate]> = candidates.chunks(each).collect();
        let matching = |piece: usize| self.matching(pieces[piece]);
        let matched: Vec<Vec<Found>> =
            parallel::install(pool, || parallel::try_map(pieces.len(), &matching))?;
        for (row, place) in matched.into_iter().flatten() {
            rows.push(row)?;
            if rows.is_full() {
                return Ok(Some(Cursor { done: place.done + 1, ..place }));
            }
        }
        Ok(None)
    }

    /// Those of the candidates that match, their cells filled in if anybody wants to see them.
    pub fn matching(&self, candidates: &[Candidate]) -> Result<Vec<Found>, Error> {
        let Looker { game, oracle, question, needs, .. } = *self;
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
