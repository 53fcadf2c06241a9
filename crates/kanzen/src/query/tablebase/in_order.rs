//! Many positions looked up at once, in the order of their slots: each page is unpacked once, not once a position.

use super::{MOST_PLIES, Tablebase};
use crate::index::{Index, Place};
use crate::query::Answer;
use crate::rules::Game;
use crate::vocabulary::{ClassId, Error, Slot, Value};

/// A slot that is to be read, and for which of the positions.
struct Read {
    class: ClassId,
    slot: Slot,
    of: u32,
    what: What,
}

/// What the slot says of the position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Value,
    /// How soon it is lost, if it is.
    Lost,
    /// How soon it is won, if it is.
    Won,
}

impl<I> Tablebase<I> {
    /// The answers for positions, ended or not.
    pub(super) fn in_order<G: Game>(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error>
    where
        I: Index<G>,
    {
        // Until something else is read, a position whose losses and wins stand apart is a draw.
        let mut answers = vec![Answer::from(Value::DRAW); positions.len()];
        let mut reads = Vec::with_capacity(positions.len());
        for (of, &position) in positions.iter().enumerate() {
            if let Some(value) = game.ended(position) {
                answers[of] = Answer { value, score: game.final_score(position) };
                continue;
            }
            let mut read = |(class, slot), what| reads.push(Read { class, slot, of: of as u32, what });
            match self.index.place(game, position)? {
                Place::At(class, slot) if self.plane(class)?.is_some() => read((class, slot), What::Value),
                Place::Apart { lost, won } => {
                    read(lost, What::Lost);
                    read(won, What::Won);
                }
                _ => answers[of] = self.within(game, position, MOST_PLIES)?,
            }
        }
        reads.sort_unstable_by_key(|read| (read.class, read.slot));
        for class in reads.chunk_by(|one, other| one.class == other.class) {
            let Some(plane) = self.plane(class[0].class)? else { continue };
            let mut each = class.iter();
            plane.get_each(class.iter().map(|read| read.slot.0), |value| {
                let Some(read) = each.next() else { return };
                let answer = &mut answers[read.of as usize];
                match (read.what, value.distance()) {
                    (What::Value, _) => *answer = (self.meaning)(value),
                    (What::Lost, Some(plies)) => *answer = Value::loss(plies).into(),
                    (What::Won, Some(plies)) => *answer = Value::win(plies).into(),
                    (What::Lost | What::Won, None) => {}
                }
            })?;
        }
        Ok(answers)
    }
}
