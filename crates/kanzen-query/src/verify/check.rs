//! Checks one position: what is stored of it against what follows from the rules and other values.
//!
//! ```text
//! stored       its value  ==  the best of its children's stored values
//! not stored   the oracle's answer  ==  the best of its children's stored values
//!                                       └─ a child that is not stored is worked out from its own children
//! ```
//!
//! A value without distance is right only if it is the value of endless play there ([`Game::endless`]): otherwise two such
//! values could justify each other, whichever side they let win.

use serde::{Deserialize, Serialize};

use super::{EXAMPLES, Mismatch};
use crate::{Answer, Means, Oracle, Recount};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::mesh::{Mesh, garbled};

/// Plies from a position to stored ones, at most.
const PLIES: u32 = 64;
/// Positions that are worked out for one that is checked, at most.
const WORKED_OUT: usize = 1 << 16;

/// What became of the positions looked at.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Findings {
    pub checked: u64,
    pub derived: u64,
    pub searched: u64,
    pub out_of_reach: u64,
    pub missing: u64,
    pub mismatches: u64,
    pub examples: Vec<Mismatch>,
    pub recount: Recount,
}

impl Findings {
    /// These, then those.
    pub fn and(mut self, other: Findings) -> Findings {
        self.checked += other.checked;
        self.derived += other.derived;
        self.searched += other.searched;
        self.out_of_reach += other.out_of_reach;
        self.missing += other.missing;
        self.mismatches += other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self.recount.merge(other.recount);
        self
    }

    /// What all processes have found, in their order.
    pub fn of_all(self, mesh: &dyn Mesh) -> Result<Findings, Error> {
        if mesh.peers() == 1 {
            return Ok(self);
        }
        let unreadable = |_| garbled("what it has found");
        let mine = serde_json::to_vec(&self).map_err(unreadable)?;
        let mut all = Findings::default();
        for found in mesh.all_gather(&mine)? {
            all = all.and(serde_json::from_slice(&found).map_err(unreadable)?);
        }
        Ok(all)
    }

    /// Compares two answers for a position.
    pub fn compare(&mut self, game: &dyn AnyGame, position: u128, stored: Answer, expected: Answer) {
        if stored == expected {
            return;
        }
        self.mismatches += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(mismatch(game, position, stored, expected));
        }
    }
}

fn mismatch(game: &dyn AnyGame, position: u128, stored: Answer, expected: Answer) -> Mismatch {
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

/// Checks positions one by one.
pub(super) struct Checker<'a> {
    pub game: &'a dyn AnyGame,
    pub oracle: &'a dyn Oracle,
    /// The resources to search a position again that is out of reach of the rules alone; nothing if it may not.
    pub research: Option<&'a Means<'a>>,
}

impl Checker<'_> {
    /// Checks a position, and counts it.
    pub fn check(&self, position: u128, found: &mut Findings) -> Result<(), Error> {
        match self.compare(position, found) {
            // A move leads to a position that the database does not know.
            Err(Error::NotStored { .. }) => {
                found.missing += 1;
                Ok(())
            }
            compared => compared,
        }
    }

    fn compare(&self, position: u128, found: &mut Findings) -> Result<(), Error> {
        let Checker { game, oracle, .. } = *self;
        let stored = oracle.stored(position)?;
        let ended = game.ended(position);
        let worked_out = match ended {
            Some(ended) => Some(ended),
            None => Rules { game, oracle, left: WORKED_OUT }.worked_out(position, PLIES)?,
        };
        // A census counts stored values; whether they are right is checked elsewhere.
        if let Some(answer) = stored.or(worked_out) {
            oracle.recount(position, answer, &mut found.recount);
        }
        match (stored, worked_out) {
            (Some(stored), Some(expected)) => {
                found.checked += 1;
                found.compare(game, position, stored, expected);
            }
            (Some(stored), None) => match self.searched(position)? {
                Some(expected) => {
                    found.searched += 1;
                    found.compare(game, position, stored, expected);
                }
                None => found.out_of_reach += 1,
            },
            (None, Some(expected)) => {
                found.derived += 1;
                // A finished game is not looked up.
                if ended.is_none() {
                    found.compare(game, position, oracle.answer(position)?, expected);
                }
            }
            (None, None) => found.out_of_reach += 1,
        }
        Ok(())
    }

    fn searched(&self, position: u128) -> Result<Option<Answer>, Error> {
        match self.research {
            Some(means) => self.oracle.search(position, &means.budget, means.observer),
            None => Ok(None),
        }
    }
}

/// What follows from the rules and from stored values.
struct Rules<'a> {
    game: &'a dyn AnyGame,
    oracle: &'a dyn Oracle,
    /// Positions that may still be worked out.
    left: usize,
}

impl Rules<'_> {
    /// The answer for a position; nothing if it is out of reach.
    fn answer(&mut self, position: u128, plies: u32) -> Result<Option<Answer>, Error> {
        if let Some(ended) = self.game.ended(position) {
            return Ok(Some(ended));
        }
        match self.oracle.stored(position)? {
            Some(stored) => Ok(Some(stored)),
            None => self.worked_out(position, plies),
        }
    }

    /// The answer for a position that has not ended, from those for its children.
    fn worked_out(&mut self, position: u128, plies: u32) -> Result<Option<Answer>, Error> {
        let (Some(plies), Some(left)) = (plies.checked_sub(1), self.left.checked_sub(1)) else { return Ok(None) };
        self.left = left;
        let mut children = Vec::new();
        self.game.expand(position, &mut children);
        let mut best = None;
        for child in children {
            let Some(theirs) = self.answer(child, plies)? else { return Ok(None) };
            best = best.max(Some(theirs.before()));
        }
        Ok(Some(match best {
            None => self.game.stuck(position),
            Some(Answer { value, score: None }) if value.distance().is_none() => self.game.endless(position).into(),
            Some(best) => best,
        }))
    }
}
