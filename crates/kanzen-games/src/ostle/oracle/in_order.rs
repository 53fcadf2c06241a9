//! Many positions looked up at once.
//!
//! The children of one board lie all over the file. So either everything is in memory, and what is read soon is asked
//! for now; or very many are looked up together, sorted by their slots, so that each chunk is unpacked once.

use kanzen::query::Answer;
use kanzen::solve::Exception;
use kanzen::{Error, Game};
use rayon::prelude::*;

use super::{MANY, Solution};
use crate::ostle::index::CanonicalSlot;
use crate::ostle::rules::Position;
use crate::ostle::value;

/// A board that is to be looked up, and for which of the positions.
struct Read {
    class: u8,
    place: CanonicalSlot,
    of: u32,
}

impl Read {
    fn key(&self) -> (u8, u32) {
        (self.class, self.place.slot)
    }

    fn chunk(&self) -> (u8, u32) {
        (self.class, self.place.slot / Exception::STRETCH)
    }
}

/// Positions whose memory is asked for before the first of them is read.
const AHEAD: usize = 128;

impl Solution {
    /// The answers for positions, ended or not.
    pub(super) fn in_order(&self, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let mut answers = Vec::with_capacity(positions.len());
        if self.classes.iter().all(|class| class.file.is_loaded()) {
            let mut places = Vec::with_capacity(AHEAD);
            for ahead in positions.chunks(AHEAD) {
                places.clear();
                for &position in ahead {
                    places.push(self.asked_for(position)?);
                }
                for (&position, place) in ahead.iter().zip(&places) {
                    answers.push(match place {
                        None => self.answer_of_end(position),
                        Some((class, place)) => {
                            let class = &self.classes[*class];
                            let entry = class.file.get(place.slot)?;
                            value(self.level_at(class, position, *place, entry)?).into()
                        }
                    });
                }
            }
            return Ok(answers);
        }
        self.sorted(positions)
    }

    /// The same where nothing is in memory: all threads share the chunks, each of which is unpacked once.
    fn sorted(&self, positions: &[Position]) -> Result<Vec<Answer>, Error> {
        let read = |(of, &position): (usize, &Position)| -> Option<Result<Read, Error>> {
            let found = self.asked_for(position).transpose()?;
            Some(found.map(|(class, place)| Read { class: class as u8, place, of: of as u32 }))
        };
        let mut reads: Vec<Read> =
            positions.par_iter().enumerate().filter_map(read).collect::<Result<Vec<Read>, Error>>()?;
        reads.par_sort_unstable_by_key(Read::key);
        // So many meet every chunk of the file once.
        let many = positions.len() as u64 >= MANY;
        let groups = reads.par_chunk_by(|one, other| one.chunk() == other.chunk());
        let found: Vec<Vec<(u32, Answer)>> = groups
            .map(|group| {
                let class = &self.classes[usize::from(group[0].class)];
                let (mut each, mut found) = (group.iter(), Vec::with_capacity(group.len()));
                let is_free = |read: &Read| positions[read.of as usize].previous.is_none();
                if many && group.iter().all(is_free) {
                    class.file.value_each(group.iter().map(|read| read.place.slot), |level| {
                        found.extend(each.next().map(|read| (read.of, value(level).into())));
                    })?;
                    return Ok(found);
                }
                class.file.get_each(group.iter().map(|read| read.place.slot), |entry| {
                    if let Some(Read { place, of, .. }) = each.next() {
                        let level = self.level_at(class, positions[*of as usize], *place, entry)?;
                        found.push((*of, value(level).into()));
                    }
                    Ok(())
                })?;
                Ok(found)
            })
            .collect::<Result<_, Error>>()?;
        let mut answers: Vec<Answer> = positions.iter().map(|&position| self.answer_of_end(position)).collect();
        found.into_iter().flatten().for_each(|(of, answer)| answers[of as usize] = answer);
        Ok(answers)
    }

    /// Where a position that has not ended is stored; its memory is asked for.
    fn asked_for(&self, position: Position) -> Result<Option<(usize, CanonicalSlot)>, Error> {
        if self.game.ended(position).is_some() {
            return Ok(None);
        }
        let class = self.class_of(position)?;
        let place = self.classes[class].index.place(&position.board);
        self.classes[class].file.prefetch(place.slot);
        Ok(Some((class, place)))
    }

    /// The answer for a position that has ended; of another one, nothing that counts.
    fn answer_of_end(&self, position: Position) -> Answer {
        self.game.ended(position).unwrap_or(kanzen::Value::DRAW).into()
    }
}
