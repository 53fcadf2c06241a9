//! Slots that are to be read for positions, and what they make of them.

use super::Tablebase;
use crate::Answer;
use kanzen_core::index::Place;
use kanzen_core::vocabulary::{ClassId, Error, Slot, Value};

/// A slot that is to be read, and for which of the positions. A million positions may need many millions of these, so that
/// it is small: class and slot are one number, which is also what they are sorted by, in two halves, so that twelve bytes
/// are enough for all.
pub(super) struct Read {
    place: [u32; 2],
    /// Which position, and in the lowest bits what the slot says of it.
    of_what: u32,
}

/// Bits of a slot: no plane is as large, and no game has as many classes as the rest can tell apart.
const SLOT_BITS: u32 = 44;
const WHAT_BITS: u32 = 2;

impl Read {
    /// A slot of a class, which says something of a position: one of at most 2^30 that are looked up together.
    pub fn new((class, slot): (ClassId, Slot), of: u32, what: What) -> Read {
        let place = (class.index() as u64) << SLOT_BITS | slot.0;
        Read { place: [(place >> 32) as u32, place as u32], of_what: of << WHAT_BITS | what as u32 }
    }

    /// By class and slot.
    pub fn place(&self) -> u64 {
        u64::from(self.place[0]) << 32 | u64::from(self.place[1])
    }

    fn class(&self) -> ClassId {
        ClassId::from((self.place() >> SLOT_BITS) as usize)
    }

    fn slot(&self) -> u64 {
        self.place() & ((1 << SLOT_BITS) - 1)
    }

    fn of(&self) -> usize {
        (self.of_what >> WHAT_BITS) as usize
    }

    fn what(&self) -> What {
        [What::Value, What::Lost, What::Won, What::Child][(self.of_what & ((1 << WHAT_BITS) - 1)) as usize]
    }
}

/// What the slot says of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Value,
    /// How soon it is lost, if it is.
    Lost,
    /// How soon it is won, if it is.
    Won,
    /// The value of a child of it.
    Child,
}

impl<I> Tablebase<I> {
    /// Adds what is to be read for a position that stands at a place; nothing, and `false`, if it is not stored.
    pub(super) fn add_reads(&self, place: Place, of: u32, reads: &mut Vec<Read>) -> Result<bool, Error> {
        match place {
            Place::At(class, slot) if self.plane(class)?.is_some() => {
                reads.push(Read::new((class, slot), of, What::Value));
            }
            Place::Apart { lost, won } => {
                reads.push(Read::new(lost, of, What::Lost));
                reads.push(Read::new(won, of, What::Won));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds what was read to what is known of the positions. One that is neither lost nor won stays unknown: a draw.
    pub(super) fn note(&self, reads: &[Read], values: impl IntoIterator<Item = Value>, known: &mut [Option<Answer>]) {
        for (read, value) in reads.iter().zip(values) {
            let answer = &mut known[read.of()];
            match (read.what(), value.distance()) {
                (What::Value, _) => *answer = Some((self.meaning)(value)),
                (What::Lost, Some(plies)) => *answer = Some(Value::loss(plies).into()),
                (What::Won, Some(plies)) => *answer = Some(Value::win(plies).into()),
                (What::Lost | What::Won, None) => {}
                (What::Child, _) => *answer = (*answer).max(Some((self.meaning)(value).before())),
            }
        }
    }

    /// The values of reads that are in order.
    pub(super) fn read_each(&self, reads: &[Read]) -> Result<Vec<Value>, Error> {
        let mut values = Vec::with_capacity(reads.len());
        for class in reads.chunk_by(|one, other| one.class() == other.class()) {
            match self.plane(class[0].class())? {
                Some(plane) => plane.get_each(class.iter().map(Read::slot), |value| values.push(value))?,
                None => values.extend(class.iter().map(|_| Value::DRAW)), // only planes that are there are read
            }
        }
        Ok(values)
    }
}

/// What is known at the end: a position that is neither lost nor won is a draw.
pub(super) fn settled(known: Vec<Option<Answer>>) -> Vec<Answer> {
    known.into_iter().map(|answer| answer.unwrap_or(Value::DRAW.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_small_and_keeps_what_it_was_made_of() {
        assert_eq!(size_of::<Read>(), 12);
        for what in [What::Value, What::Lost, What::Won, What::Child] {
            for (class, slot, of) in [(0, 0, 0), (9999, (1 << SLOT_BITS) - 1, (1 << 30) - 1), (7, 1 << 33, 12345)] {
                let read = Read::new((ClassId(class), Slot(slot)), of, what);
                assert_eq!((read.class(), read.slot()), (ClassId(class), slot));
                assert_eq!((read.of(), read.what()), (of as usize, what));
            }
        }
        let of_class = |class, slot| Read::new((ClassId(class), Slot(slot)), 0, What::Value).place();
        assert!(of_class(0, 5) < of_class(0, 1 << 40) && of_class(0, 1 << 40) < of_class(1, 0));
    }
}
