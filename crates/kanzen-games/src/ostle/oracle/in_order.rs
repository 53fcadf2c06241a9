//! Many positions looked up at once.
//!
//! The children of one board lie all over the file. So either everything is in memory, and what is read soon is asked
//! for now; or very many are looked up together, sorted by their slots, so that each chunk is unpacked once.

use kanzen::query::Answer;
use kanzen::{Error, Game};

use super::Solution;
use crate::ostle::index::CanonicalSlot;
use crate::ostle::rules::{Ostle, Position};
use crate::ostle::value;

/// Positions whose memory is asked for before the first of them is read.
const AHEAD: usize = 128;

impl Solution {
    /// The answers for positions, ended or not.
    pub(super) fn in_order(&self, game: &Ostle, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(positions.len());
        if self.classes.iter().all(|class| class.file.is_loaded()) {
            let mut places = Vec::with_capacity(AHEAD);
            for ahead in positions.chunks(AHEAD) {
                places.clear();
                for &position in ahead {
                    places.push(self.asked_for(game, position)?);
                }
                for (&position, place) in ahead.iter().zip(&places) {
                    answers.push(match place {
                        None => self.answer_of_end(game, position),
                        Some((class, place)) => {
                            let class = &self.classes[*class];
                            let entry = class.file.get(place.slot)?;
                            value(self.level_at(game, class, position, *place, entry)?).into()
                        }
                    });
                }
            }
            return Ok(answers);
        }
        let mut reads: Vec<(usize, CanonicalSlot, u32)> = Vec::with_capacity(positions.len());
        for (of, &position) in positions.iter().enumerate() {
            answers.push(self.answer_of_end(game, position));
            if let Some((class, place)) = self.asked_for(game, position)? {
                reads.push((class, place, of as u32));
            }
        }
        reads.sort_unstable_by_key(|(class, place, _)| (*class, place.slot));
        for reads in reads.chunk_by(|one, other| one.0 == other.0) {
            let class = &self.classes[reads[0].0];
            let mut each = reads.iter();
            class.file.get_each(reads.iter().map(|(_, place, _)| place.slot), |entry| {
                let Some((_, place, of)) = each.next() else { return Ok(()) };
                let level = self.level_at(game, class, positions[*of as usize], *place, entry)?;
                answers[*of as usize] = value(level).into();
                Ok(())
            })?;
        }
        Ok(answers)
    }

    /// Where a position that has not ended is stored; its memory is asked for.
    fn asked_for(&self, game: &Ostle, position: Position) -> Result<Option<(usize, CanonicalSlot)>, Error> {
        if game.ended(position).is_some() {
            return Ok(None);
        }
        let class = self.class_of(game, position)?;
        let place = self.classes[class].index.place(&position.board);
        self.classes[class].file.prefetch(place.slot);
        Ok(Some((class, place)))
    }

    /// The answer for a position that has ended; of another one, nothing that counts.
    fn answer_of_end(&self, game: &Ostle, position: Position) -> Answer {
        game.ended(position).unwrap_or(kanzen::Value::DRAW).into()
    }
}
