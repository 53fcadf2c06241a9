//! Verifies stored values against the rules.
//!
//! A stored value is right if it follows from the rules (the game is over) or from the stored values of the children.
//! If that holds for every position, all wins and losses are right, by induction over the distance, and then so is the
//! rest: a database that passes in full is proven. Nothing here is shared with the solvers, nor with the oracle but the
//! rest: a database that passes in full is proven. The code is independent of the solvers, and of the oracle but for the
//!
//! ```text
//! positions     how many there are: from the numbering, or from the rules where the database has its own list
//! values        each follows from the rules or from other stored values            check.rs
//! list          a list in the database is all that moves lead to, and no more      listing.rs
//! images        a position that stands in several slots has one value              mod.rs
//! census        counted again, by class and value, as the manifest has it          recount.rs
//! ```
//!
//! Only a pass over all positions ([`Extent::Full`], or a sample as large) checks all five; what was not checked is
//! named in the result ([`Verification::not_checked`]). A proof relies neither on the manifest nor on any other
//! information of the database about itself.

mod check;
mod listing;

use serde::{Deserialize, Serialize};

use self::check::{Checker, Findings};
use self::listing::Reached;
use super::recount::{CensusCheck, Recount};
use super::{Detail, Means, Search};
use kanzen_core::machine::parallel;
use kanzen_core::vocabulary::progress::Event;
use kanzen_core::vocabulary::random::shuffled;
use kanzen_core::vocabulary::{Error, Outcome};

/// How many positions to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// This many, drawn at random (the same ones each time, each once), or all if there are fewer.
    Sample(u64),
    /// All of them.
    Full,
}

/// What `verify` found, and what it covered.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verification {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// How many positions there are to look at.
    pub positions: u64,
    /// Whether all of them were looked at and none was out of reach.
    pub full: bool,
    /// Positions whose stored values were compared with what follows from other stored values.
    pub checked: u64,
    /// Positions that are not stored. What is answered for them was compared with what follows from stored values: that
    /// tests the look-up, not the file.
    pub derived: u64,
    /// Positions whose stored values were compared with a new search, by the code that solved the game.
    pub searched: u64,
    /// Positions that could not be compared: nothing is stored near enough to work out their moves.
    pub out_of_reach: u64,
    /// How many values are wrong.
    pub mismatches: u64,
    /// Positions that a move leads to, or that the game starts from, and that the database does not list.
    pub missing: u64,
    /// Positions that the database lists although no game leads to them.
    pub unreachable: u64,
    /// Blocks of the database that record wrongly which values occur in them, if all positions were looked at: a
    /// search would pass over positions there.
    pub wrong_blocks: u64,
    /// The census counted again, if all positions were looked at.
    pub census: Option<CensusCheck>,
    /// What a proof would take and was not looked at.
    pub not_checked: Vec<Unchecked>,
    /// Whether stored values were checked and all that was looked at was right. To have checked nothing is not to have
    /// passed, nor, where all was to be checked, to have left some out of reach.
    pub passed: bool,
    /// The first few that are wrong.
    pub examples: Vec<Mismatch>,
}

/// A part of a proof that was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unchecked {
    /// The positions outside of the sample.
    OtherPositions,
    /// Positions with too little stored near them.
    OutOfReach,
    /// Whether the list of positions is complete, and nothing else is in it.
    List,
    /// Whether positions that stand in several slots have one value.
    Images,
    /// Whether the census counts what is stored.
    Census,
    /// The census of all positions, mirror images and colours apart.
    AllPositions,
    /// Which values occur in which block.
    Occurrences,
    /// Positions of classes that the database leaves out.
    LeftOutClasses,
}

/// A value that does not follow from the values of its children.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mismatch {
    /// The position, as the game writes it.
    pub position: String,
    /// The stored value.
    pub stored: Outcome,
    /// The stored distance, where the value has one.
    pub stored_distance: Option<u16>,
    /// Its score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_score: Option<i16>,
    /// The value that follows from the children.
    pub expected: Outcome,
    /// The distance that follows, where the value has one.
    pub expected_distance: Option<u16>,
    /// Its score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_score: Option<i16>,
}

/// Wrong values that are shown.
const EXAMPLES: usize = 10;
/// Positions that a thread looks at before it takes the next.
const CHUNK: u64 = 1 << 10;
/// Chunks that are looked at before what was found is put together.
const TOGETHER: u64 = 1 << 14;
/// Positions of a sample that are brought into the order of the numbering: what neighbours lead to stands together, so
/// that it is read once and not for each of them.
const ORDERED: u64 = 1 << 22;

/// Checks stored values against the rules.
///
/// Of several processes each checks its share of the positions, and all return the combined result; lists of
/// positions and what a database records of its blocks are checked by each process alone.
pub fn verify(search: &Search<'_>, extent: Extent) -> Result<Verification, Error> {
    let Search { game, oracle, means: Means { budget, observer, .. }, .. } = *search;
    let positions = oracle.positions();
    let (count, all) = match extent {
        Extent::Sample(count) if count < positions => (count, false),
        _ => (positions, true),
    };
    oracle.prepare(count, Detail::Answers, &budget)?;
    parallel::install(&kanzen_core::machine::pool(budget.threads)?, || {
        // Keys of a list that no game leads to may be anything: they are not even looked at.
        let reached = if all && oracle.is_listed() { Some(Reached::of(game, oracle, observer)?) } else { None };
        let research = (extent == Extent::Full).then_some(&search.means);
        let checker = Checker { game, oracle, research };
        let look = |number: u64, found: &mut Findings| {
            if reached.as_ref().is_some_and(|reached| !reached.has(number)) {
                return Ok(());
            }
            oracle.each_position(number, &mut |position| checker.check(position, found))
        };
        announce(count, &search.means, "verify");
        let mut found = if all { run(count, &search.means, look)? } else { Findings::default() };
        for first in (0..if all { 0 } else { count }).step_by(ORDERED as usize) {
            let drawn = first..count.min(first + ORDERED);
            let mut numbers: Vec<u64> = drawn.map(|number| shuffled(number, positions)).collect();
            numbers.sort_unstable();
            let look = |at: u64, found: &mut Findings| look(numbers[at as usize], found);
            found = found.and(run(numbers.len() as u64, &search.means, look)?);
        }
        if all {
            found = found.and(compare_images(search)?);
        }
        let recount = if all { Some(std::mem::take(&mut found.recount)) } else { None };
        conclude(search, extent, Covered { positions, all, reached, found, recount })
    })
}

/// Announces that so many numbers are looked at next, by all processes.
fn announce(count: u64, &Means { observer, mesh, .. }: &Means<'_>, stage: &str) {
    observer.event(Event::Stage { name: stage, total: Some(count / mesh.peers() as u64) });
}

/// What was found by looking at so many numbers, in parallel and by all processes.
fn run(
    count: u64,
    &Means { observer, mesh, .. }: &Means<'_>,
    look: impl Fn(u64, &mut Findings) -> Result<(), Error> + Sync,
) -> Result<Findings, Error> {
    let (me, peers) = (mesh.me() as u64, mesh.peers() as u64);
    let chunk = |chunk: u64| -> Result<Findings, Error> {
        if observer.stop() {
            return Err(Error::Stopped);
        }
        let mut findings = Findings::default();
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
        numbers.clone().try_for_each(|number| look(number, &mut findings))?;
        observer.event(Event::Steps { steps: numbers.end - numbers.start });
        Ok(findings)
    };
    let mine = count.div_ceil(CHUNK).saturating_sub(me).div_ceil(peers);
    let mut found = Findings::default();
    for first in (0..mine).step_by(TOGETHER as usize) {
        let some = (mine - first).min(TOGETHER) as usize;
        let some = parallel::try_map(some, &|number| chunk((first + number as u64) * peers + me))?;
        found = some.into_iter().fold(found, Findings::and);
    }
    found.of_all(mesh)
}

/// What was looked at.
struct Covered {
    positions: u64,
    all: bool,
    reached: Option<Reached>,
    found: Findings,
    recount: Option<Recount>,
}

fn conclude(
    &Search { id, oracle, .. }: &Search<'_>,
    extent: Extent,
    Covered { positions, all, reached, found, recount }: Covered,
) -> Result<Verification, Error> {
    let contents = oracle.contents()?;
    let mut not_checked = Vec::new();
    let mut leave_out = |left_out: bool, what: Unchecked| not_checked.extend(left_out.then_some(what));
    leave_out(!all, Unchecked::OtherPositions);
    leave_out(found.out_of_reach > 0, Unchecked::OutOfReach);
    leave_out(!all && oracle.is_listed(), Unchecked::List);
    leave_out(!all && oracle.slots() > 0, Unchecked::Images);
    leave_out(!all && contents.has_occurrences, Unchecked::Occurrences);
    leave_out(!all, Unchecked::Census);
    let wrong_blocks = if all { oracle.wrong_occurrences()? } else { 0 };
    let census = match &recount {
        Some(recount) => Some(recount.compare(oracle)?),
        None => None,
    };
    let stored_all = contents.all_positions.is_some();
    leave_out(stored_all && !recount.as_ref().is_some_and(Recount::has_all_positions), Unchecked::AllPositions);
    leave_out(contents.left_out_classes > 0, Unchecked::LeftOutClasses);
    let missing = found.missing + reached.as_ref().map_or(0, |reached| reached.missing);
    let unreachable = reached.as_ref().map_or(0, |reached| positions - reached.count);
    let complete = extent != Extent::Full || found.out_of_reach == 0;
    let right = found.mismatches == 0 && missing == 0 && unreachable == 0 && wrong_blocks == 0;
    let counted = census.as_ref().is_none_or(|census| census.differences == 0);
    Ok(Verification {
        game: id.to_owned(),
        positions,
        full: all && found.out_of_reach == 0,
        checked: found.checked,
        derived: found.derived,
        searched: found.searched,
        out_of_reach: found.out_of_reach,
        mismatches: found.mismatches,
        missing,
        unreachable,
        wrong_blocks,
        census,
        not_checked,
        passed: found.checked + found.searched > 0 && right && complete && counted,
        examples: found.examples,
    })
}

/// Compares each image in the files with the position that was checked.
fn compare_images(search: &Search<'_>) -> Result<Findings, Error> {
    let Search { game, oracle, .. } = *search;
    if oracle.slots() == 0 {
        return Ok(Findings::default());
    }
    announce(oracle.slots(), &search.means, "mirror images");
    run(oracle.slots(), &search.means, |slot, found| {
        let Some(image) = oracle.image(slot)? else { return Ok(()) };
        if let (Some(stored), Some(expected)) = (oracle.stored(image)?, oracle.stored(game.canonical(image))?) {
            found.compare(game, image, stored, expected);
        }
        Ok(())
    })
}
