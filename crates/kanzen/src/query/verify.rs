//! Stored values against the rules.
//!
//! A stored value is right if it follows from the rules (the game is over) or from the values of the children, where a
//! child that is not stored itself is worked out from its own. If that holds for every position, all wins and losses are
//! right, by induction over the distance, and then so is what has no distance: a database that passes in full is proven.
//!
//! Nothing here is shared with the solvers, nor with what answers questions: of the oracle only bare look-ups are used
//! ([`Oracle::stored`]), and what follows from what is worked out here.

use rayon::prelude::*;
use serde::Serialize;

use super::{Answer, Oracle};
use crate::machine::pool;
use crate::rules::Game;
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::random::shuffled;
use crate::vocabulary::{Budget, Error, Outcome, Value};

/// How many positions to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// This many, drawn at random (the same ones each time), or all if there are fewer.
    Sample(u64),
    /// All of them.
    Full,
}

/// What `verify` found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verification {
    /// The game.
    pub game: String,
    /// Positions that there are, by the numbering and not by what a file says.
    pub positions: u64,
    /// Whether all of them were looked at.
    pub full: bool,
    /// Stored values that were checked.
    pub checked: u64,
    /// Positions that were met and are not stored: there is nothing to check, their values follow from others.
    pub derived: u64,
    /// How many checked values do not follow from the rules.
    pub mismatches: u64,
    /// The first few of those.
    pub examples: Vec<Mismatch>,
}

impl Verification {
    /// Whether something was checked, and nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.checked > 0 && self.mismatches == 0
    }
}

/// A stored value that does not follow from the values of its children.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mismatch {
    /// The position.
    pub position: String,
    /// The stored value.
    pub stored: Outcome,
    /// Its distance.
    pub stored_distance: Option<u16>,
    /// The value that follows from the children.
    pub expected: Outcome,
    /// Its distance.
    pub expected_distance: Option<u16>,
}

const EXAMPLES: usize = 10;
const CHUNK: u64 = 1 << 12;
/// Plies from a position that is not stored to those that are, at most.
const MOST_PLIES: u32 = 3;

/// What was found in a stretch of positions.
#[derive(Default)]
struct Found {
    checked: u64,
    derived: u64,
    wrong: Vec<Mismatch>,
}

/// Checks stored values against the rules.
pub fn verify<G: Game>(
    id: &str,
    game: &G,
    oracle: &dyn Oracle<G>,
    extent: Extent,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Verification, Error> {
    let positions = oracle.positions();
    let (count, full) = match extent {
        Extent::Sample(count) if count < positions => (count, false),
        _ => (positions, true),
    };
    oracle.prepare(count, budget)?;
    observer.event(Event::Stage { name: "verify", total: Some(count) });
    let check_chunk = |chunk: u64| -> Result<Found, Error> {
        let mut found = Found::default();
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
        for number in numbers.clone() {
            let number = if full { number } else { shuffled(number, positions) };
            oracle.each_position(game, number, &mut |position| {
                match oracle.stored(game, position)? {
                    None => found.derived += 1,
                    Some(stored) => {
                        found.checked += 1;
                        found.wrong.extend(check(game, oracle, position, stored)?);
                    }
                }
                Ok(())
            })?;
        }
        observer.event(Event::Steps { steps: numbers.end - numbers.start });
        if observer.stop() { Err(Error::Stopped) } else { Ok(found) }
    };
    let found: Vec<Found> = pool(budget.threads)?
        .install(|| (0..count.div_ceil(CHUNK)).into_par_iter().map(check_chunk).collect::<Result<_, _>>())?;
    Ok(Verification {
        game: id.to_owned(),
        positions,
        full,
        checked: found.iter().map(|found| found.checked).sum(),
        derived: found.iter().map(|found| found.derived).sum(),
        mismatches: found.iter().map(|found| found.wrong.len() as u64).sum(),
        examples: found.into_iter().flat_map(|found| found.wrong).take(EXAMPLES).collect(),
    })
}

fn check<G: Game>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: G::Position,
    stored: Answer,
) -> Result<Option<Mismatch>, Error> {
    let mut expected = by_the_rules(game, oracle, position, MOST_PLIES)?;
    let endless = game.endless(position);
    // Without a distance a value says that play never ends; whose win that is, the rules say. Where it is somebody's,
    // a draw must be a finished game. A cycle of equally wrong values would vouch for itself.
    let never_ends = stored.value.distance().is_none() && stored.score.is_none() && !is_over(game, position);
    if stored == expected && never_ends && (stored.value != Value::DRAW || endless != Value::DRAW) {
        expected = endless.into();
    }
    if stored == expected {
        return Ok(None);
    }
    Ok(Some(Mismatch {
        position: game.show(position),
        stored: stored.value.outcome(),
        stored_distance: stored.value.distance(),
        expected: expected.value.outcome(),
        expected_distance: expected.value.distance(),
    }))
}

fn is_over<G: Game>(game: &G, position: G::Position) -> bool {
    let mut moves = false;
    if game.ended(position).is_none() {
        game.moves(position, &mut |_, _| moves = true);
    }
    !moves
}

/// The answer that the rules and the answers of the children give.
fn by_the_rules<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position, plies: u32) -> Result<Answer, Error> {
    if let Some(value) = game.ended(position) {
        return Ok(Answer { value, score: game.final_score(position) });
    }
    let mut children = Vec::new();
    game.moves(position, &mut |_, child| children.push(child));
    let mut best = None;
    for child in children {
        best = best.max(Some(worth(game, oracle, child, plies)?.before()));
    }
    Ok(best.unwrap_or(Answer { value: game.stuck(position), score: game.final_score(position) }))
}

/// The answer of a child: of a finished game, as it is stored, or as its own children give it.
fn worth<G: Game>(game: &G, oracle: &dyn Oracle<G>, child: G::Position, plies: u32) -> Result<Answer, Error> {
    if let Some(value) = game.ended(child) {
        return Ok(Answer { value, score: game.final_score(child) });
    }
    match (oracle.stored(game, child)?, plies.checked_sub(1)) {
        (Some(stored), _) => Ok(stored),
        (None, Some(left)) => by_the_rules(game, oracle, child, left),
        // Deeper than any numbering leaves out.
        (None, None) => Err(Error::NotStored { game: "this database".into(), position: game.show(child) }),
    }
}
