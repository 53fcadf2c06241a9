//! Stored values against the rules.
//!
//! A stored value is right if it follows from the rules (the game is over) or from the stored values of the children.
//! If that holds for every position, all wins and losses are right, by induction over the distance, and then so is the
//! rest: a database that passes in full is proven. Nothing here is shared with the solvers, nor with the oracle but the
//! look-up of what is stored ([`Oracle::stored`]).
//!
//! ```text
//! stored       its value  ==  the best of its children's stored values
//! not stored   the oracle's answer  ==  the best of its children's stored values
//!                                       └─ a child that is not stored is worked out from its own children
//! ```
//!
//! A value without distance is right only if it is what endless play is worth there ([`Game::endless`]): two such
//! values can vouch for each other, whoever they let win.

use rayon::prelude::*;
use serde::Serialize;

use super::{Answer, Oracle};
use crate::rules::Game;
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::random::shuffled;
use crate::vocabulary::{Budget, Error, Outcome};

/// How many positions to look at.
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
    /// The game.
    pub game: String,
    /// How many positions the index of the database numbers.
    pub positions: u64,
    /// Whether all of them were looked at and none was out of reach.
    pub full: bool,
    /// Positions whose stored values were compared with what follows from other stored values.
    pub checked: u64,
    /// Positions that are not stored. What is answered for them was compared with what follows from stored values: that
    /// tests the look-up, not the file.
    pub derived: u64,
    /// Positions that could not be compared: nothing is stored near enough to work out their moves.
    pub out_of_reach: u64,
    /// How many values are wrong.
    pub mismatches: u64,
    /// Whether stored values were checked and all were right. To have checked nothing is not to have passed.
    pub passed: bool,
    /// The first few that are wrong.
    pub examples: Vec<Mismatch>,
}

/// A value that does not follow from the values of its children.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mismatch {
    /// The position.
    pub position: String,
    /// The stored value.
    pub stored: Outcome,
    /// Its distance.
    pub stored_distance: Option<u16>,
    /// Its score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_score: Option<i16>,
    /// The value that follows from the children.
    pub expected: Outcome,
    /// Its distance.
    pub expected_distance: Option<u16>,
    /// Its score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_score: Option<i16>,
}

const EXAMPLES: usize = 10;
const CHUNK: u64 = 1 << 12;
/// Plies from a position to stored ones, at most.
const PLIES: u32 = 64;
/// Positions that are worked out for one that is checked, at most.
const WORKED_OUT: usize = 1 << 16;

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
    let check_chunk = |chunk: u64| -> Result<Findings, Error> {
        let mut findings = Findings::default();
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
        for number in numbers.clone() {
            let number = if all { number } else { shuffled(number, positions) };
            oracle.each_position(game, number, &mut |position| {
                findings.add(check(game, oracle, position)?);
                Ok(())
            })?;
        }
        observer.event(Event::Steps { steps: numbers.end - numbers.start });
        Ok(findings)
    };
    let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(check_chunk);
    let found = crate::machine::pool(budget.threads)?
        .install(|| chunks.try_reduce(Findings::default, |one, other| Ok(one.and(other))))?;
    Ok(Verification {
        game: id.to_owned(),
        positions,
        full: all && found.out_of_reach == 0,
        checked: found.checked,
        derived: found.derived,
        out_of_reach: found.out_of_reach,
        mismatches: found.mismatches,
        passed: found.checked > 0 && found.mismatches == 0,
        examples: found.examples,
    })
}

/// What became of one position.
enum Finding {
    /// Its stored value was compared.
    Checked(Option<Mismatch>),
    /// The answer for it was compared; it is not stored.
    Derived(Option<Mismatch>),
    OutOfReach,
}

#[derive(Default)]
struct Findings {
    checked: u64,
    derived: u64,
    out_of_reach: u64,
    mismatches: u64,
    examples: Vec<Mismatch>,
}

impl Findings {
    fn add(&mut self, finding: Finding) {
        let wrong = match finding {
            Finding::Checked(wrong) => {
                self.checked += 1;
                wrong
            }
            Finding::Derived(wrong) => {
                self.derived += 1;
                wrong
            }
            Finding::OutOfReach => {
                self.out_of_reach += 1;
                None
            }
        };
        self.mismatches += u64::from(wrong.is_some());
        self.examples.extend(wrong.filter(|_| self.examples.len() < EXAMPLES));
    }

    /// These, then those.
    fn and(mut self, other: Findings) -> Findings {
        self.checked += other.checked;
        self.derived += other.derived;
        self.out_of_reach += other.out_of_reach;
        self.mismatches += other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self
    }
}

fn check<G: Game>(game: &G, oracle: &dyn Oracle<G>, position: G::Position) -> Result<Finding, Error> {
    let stored = oracle.stored(game, position)?;
    let mut rules = Rules { game, oracle, left: WORKED_OUT };
    let expected = match game.ended(position) {
        Some(value) => Some(Answer { value, score: game.final_score(position) }),
        None => rules.worked_out(position, PLIES)?,
    };
    let Some(expected) = expected else { return Ok(Finding::OutOfReach) };
    let compared = |stored: Answer| (stored != expected).then(|| mismatch(game, position, stored, expected));
    Ok(match stored {
        Some(stored) => Finding::Checked(compared(stored)),
        // Only of games that go on is an oracle asked.
        None if game.ended(position).is_some() => Finding::Derived(None),
        None => Finding::Derived(compared(oracle.answer(game, position)?)),
    })
}

fn mismatch<G: Game>(game: &G, position: G::Position, stored: Answer, expected: Answer) -> Mismatch {
    Mismatch {
        position: game.show(position),
        stored: stored.value.outcome(),
        stored_distance: stored.value.distance(),
        stored_score: stored.score,
        expected: expected.value.outcome(),
        expected_distance: expected.value.distance(),
        expected_score: expected.score,
    }
}

/// What follows from the rules and from stored values.
struct Rules<'a, G> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    /// Positions that may still be worked out.
    left: usize,
}

impl<G: Game> Rules<'_, G> {
    /// The answer for a position; nothing if it is out of reach.
    fn answer(&mut self, position: G::Position, plies: u32) -> Result<Option<Answer>, Error> {
        if let Some(value) = self.game.ended(position) {
            return Ok(Some(Answer { value, score: self.game.final_score(position) }));
        }
        match self.oracle.stored(self.game, position)? {
            Some(stored) => Ok(Some(stored)),
            None => self.worked_out(position, plies),
        }
    }

    /// The answer for a position that has not ended, from those for its children.
    fn worked_out(&mut self, position: G::Position, plies: u32) -> Result<Option<Answer>, Error> {
        let (Some(plies), Some(left)) = (plies.checked_sub(1), self.left.checked_sub(1)) else { return Ok(None) };
        self.left = left;
        let mut children = Vec::new();
        self.game.moves(position, &mut |_, child| children.push(child));
        let mut best = None;
        for child in children {
            let Some(theirs) = self.answer(child, plies)? else { return Ok(None) };
            best = best.max(Some(theirs.before()));
        }
        Ok(Some(match best {
            None => Answer { value: self.game.stuck(position), score: self.game.final_score(position) },
            Some(Answer { value, score: None }) if value.distance().is_none() => self.game.endless(position).into(),
            Some(best) => best,
        }))
    }
}
