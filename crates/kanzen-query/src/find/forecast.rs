//! Forecasts the cost of a query: tries a few stretches of the database and extrapolates by the census.

use std::ops::Range;
use std::time::Instant;

use serde::Serialize;

use super::column::Cost;
use super::evaluator::Evaluator;
use super::question::Find;
use super::run::{LARGE_BATCH, within};
use crate::{Answer, Scan};
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::{Budget, Error};

/// From so many seconds on, the forecast is reported.
const ANNOUNCED: f64 = 10.0;
/// Above so many seconds, a query is refused unless it is confirmed.
const REFUSED: f64 = 3600.0;
/// Stretches that are tried, candidates of each whose moves are looked at, and seconds after which that is enough.
const TRIED: u64 = 16;
const LOOKED_AT: usize = 512;
const TIMEOUT: f64 = 0.4;
/// What a candidate costs at most, and a stretch, before it is worth a trial: seconds.
const CANDIDATE: f64 = 20e-6;
const STRETCH: f64 = 1e-3;
/// What a candidate costs where very many are looked up together, which a trial of a few does not show.
const IN_LARGE_BATCHES: f64 = 16e-6;

/// The plan of a query, and its cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The condition, as it was asked.
    #[serde(rename = "where")]
    pub condition: String,
    /// `census`, `stored` or `moves`: what is looked at.
    pub tier: &'static str,
    /// How many positions the game has.
    pub positions: u64,
    /// How many of them the census lets through.
    pub candidates: u64,
    /// Stretches of the database, and how many of them may have a candidate.
    pub stretches: u64,
    /// Those that are read.
    pub read: u64,
    /// How long the answer would take.
    pub seconds: f64,
}

/// The stretches that a question goes through.
pub(super) fn stretches(find: &Find, all: u64) -> Range<u64> {
    let (part, parts) = find.part.unwrap_or((1, 1));
    let cut = |part: u64| (u128::from(all) * u128::from(part) / u128::from(parts.max(1))) as u64;
    let start = find.after.map_or(0, |after| after.stretch);
    let end = cut(part);
    cut(part - 1).max(start).min(end)..end
}

/// Reports the forecast of a long query, and refuses a very long one unless it is confirmed.
pub(super) fn check(
    evaluator: &Evaluator<'_>,
    scan: &dyn Scan,
    stretches: Range<u64>,
    find: &Find,
    expected: u64,
    budget: Budget,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let count = stretches.end.saturating_sub(stretches.start);
    if expected as f64 * CANDIDATE + count as f64 * STRETCH < ANNOUNCED {
        return Ok(());
    }
    let seconds = seconds(evaluator, scan, stretches, find, budget)?.1;
    if seconds > REFUSED && !find.all {
        return Err(Error::TooMuchWork { what: format!("{count} stretches of the database"), seconds });
    }
    if seconds > ANNOUNCED {
        observer.event(Event::Note { text: &format!("this will take about {seconds:.0} seconds") });
    }
    Ok(())
}

/// How many stretches may have a candidate, and how long it takes to go through them.
fn seconds(
    evaluator: &Evaluator<'_>,
    scan: &dyn Scan,
    stretches: Range<u64>,
    find: &Find,
    budget: Budget,
) -> Result<(u64, f64), Error> {
    let mut read = Vec::new();
    for stretch in stretches {
        if scan.may_match(stretch)? {
            read.push(stretch);
        }
    }
    let all = read.len() as u64;
    let began = Instant::now();
    let (mut tried, mut candidates, mut looked_at, mut matches) = (0u64, 0u64, 0u64, 0u64);
    let (mut reading, mut looking) = (0.0, 0.0);
    for at in 0..TRIED.min(all) {
        let stretch = read[(u128::from(at) * u128::from(all) / u128::from(TRIED.min(all))) as usize];
        let start = Instant::now();
        let mut found = evaluator.read_one(scan, stretch, None)?;
        reading += start.elapsed().as_secs_f64();
        tried += 1;
        candidates += found.len() as u64;
        found.truncate(LOOKED_AT);
        let start = Instant::now();
        looked_at += found.len() as u64;
        matches += evaluator.matching(&found)?.len() as u64;
        looking += start.elapsed().as_secs_f64();
        if began.elapsed().as_secs_f64() > TIMEOUT {
            break;
        }
    }
    if tried == 0 {
        return Ok((0, 0.0));
    }
    let each = match evaluator.question.cost {
        Cost::Moves if evaluator.batch() >= LARGE_BATCH => IN_LARGE_BATCHES,
        _ => looking / looked_at.max(1) as f64,
    };
    let per_stretch = (reading + each * candidates as f64) / tried as f64;
    let mut needed = all as f64;
    if let (Some(limit), None, false) = (find.limit, &find.order, find.count)
        && matches > 0
    {
        let rows = matches as f64 / looked_at as f64 * candidates as f64 / tried as f64;
        needed = needed.min(limit as f64 / rows + 1.0);
    }
    Ok((all, per_stretch * needed / budget.threads as f64))
}

/// The plan of a query, and its cost.
pub(super) fn explain(evaluator: &Evaluator<'_>, find: &Find, budget: Budget) -> Result<Explanation, Error> {
    let question = evaluator.question;
    let census = evaluator.oracle.contents()?.census;
    let positions = census.total().positions();
    let candidates = question.in_census(&census);
    let wanted = |answer: Answer| question.may_match(answer);
    let scan = question.scan(evaluator.oracle, &wanted)?;
    if question.cost == Cost::Moves && !find.is_for_few() {
        // What is tried should be what would be done.
        let looked_at = find.sample.map_or(candidates, |(count, _)| count).min(positions);
        evaluator.prepare(looked_at, &within(budget))?;
    }
    let range = stretches(find, scan.stretches());
    let all = range.end - range.start;
    let counted = find.count && question.condition_cost == Cost::Census && find.part.is_none() && find.sample.is_none();
    let (tier, (read, seconds)) = match question.cost {
        _ if counted => ("census", (0, 0.0)),
        Cost::Census | Cost::Stored => ("stored", seconds(evaluator, &*scan, range, find, budget)?),
        Cost::Moves => ("moves", seconds(evaluator, &*scan, range, find, budget)?),
    };
    let condition = find.condition.clone();
    let game = question.schema.game.clone();
    Ok(Explanation { game, condition, tier, positions, candidates, stretches: all, read, seconds })
}
