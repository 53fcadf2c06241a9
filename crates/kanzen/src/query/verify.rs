//! Stored values against the rules, one ply deep.
//!
//! A position is right if its value follows from the rules (the game is over) or from the stored values of its
//! children. If that holds for every position, all wins and losses are right, by induction over the distance, and
//! then so are the draws: a database that passes in full is proven. Nothing here is shared with the solvers.

use rayon::prelude::*;
use serde::Serialize;

use super::probe::answer;
use super::{Answer, Oracle};
use crate::rules::Game;
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Budget, Error, Outcome};

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
    /// Positions looked at.
    pub checked: u64,
    /// How many of them contradict their children.
    pub mismatches: u64,
    /// The first few of those.
    pub examples: Vec<Mismatch>,
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
    let (count, all) = match extent {
        Extent::Sample(count) if count < positions => (count, false),
        _ => (positions, true),
    };
    oracle.prepare(count, budget)?;
    observer.event(Event::Stage { name: "verify", total: Some(count) });
    let check_chunk = |chunk: u64| -> Result<(u64, Vec<Mismatch>), Error> {
        let (mut checked, mut wrong) = (0, Vec::new());
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
        for number in numbers.clone() {
            let number = if all { number } else { scatter(number, positions) };
            oracle.each_position(game, number, &mut |position| {
                checked += 1;
                wrong.extend(check(game, oracle, position)?);
                Ok(())
            })?;
        }
        observer.event(Event::Steps { steps: numbers.end - numbers.start });
        Ok((checked, wrong))
    };
    let found: Vec<(u64, Vec<Mismatch>)> = crate::machine::pool(budget.threads)?
        .install(|| (0..count.div_ceil(CHUNK)).into_par_iter().map(check_chunk).collect::<Result<_, _>>())?;
    Ok(Verification {
        game: id.to_owned(),
        checked: found.iter().map(|(checked, _)| checked).sum(),
        mismatches: found.iter().map(|(_, wrong)| wrong.len() as u64).sum(),
        examples: found.into_iter().flat_map(|(_, wrong)| wrong).take(EXAMPLES).collect(),
    })
}

fn check<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Option<Mismatch>, Error> {
    let stored = oracle.answer(game, position)?;
    let expected = expected(game, oracle, position)?;
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

/// The answer that the rules and the stored answers of the children give.
fn expected<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Answer, Error> {
    if let Some(value) = game.ended(position) {
        return Ok(Answer { value, score: game.final_score(position) });
    }
    let mut children = Vec::new();
    game.moves(position, &mut |_, child| children.push(child));
    let mut best = None;
    for child in children {
        best = best.max(Some(answer(game, oracle, child)?.before()));
    }
    Ok(best.unwrap_or(Answer { value: game.stuck(position), score: game.final_score(position) }))
}

/// The `n`-th number of a fixed scatter over `0..range`.
fn scatter(n: u64, range: u64) -> u64 {
    let mut mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((u128::from(mixed ^ mixed >> 31) * u128::from(range)) >> 64) as u64
}
