//! Batched look-ups in the order of slots: each page is unpacked once, not once per position.
//!
//! ```text
//! positions  --place-->  reads: class, slot, of which position     a position that is not stored: one for each child
//! reads      --sort-->   by class and slot, cut into pieces        each page is unpacked once
//! pieces     --read-->   values  --merge-->  answers               the best child decides what is not stored
//! ```
//!
//! A database with its own list of positions is searched by key: there the positions are sorted first, so that the list
//! is read in order too.

use rayon::prelude::*;

use super::{MOST_PLIES, Tablebase};
use crate::Answer;
use kanzen_core::index::{Index, Place};
use kanzen_core::machine::parallel;
use kanzen_core::rules::{Game, ended, typed};
use kanzen_core::vocabulary::{ClassId, Error, Key, Slot, Value};

/// A slot that is to be read, and for which of the positions. A million positions may need many millions of these, so that
/// it is small: class and slot are one number, which is also what they are sorted by, in two halves, so that twelve bytes
/// are enough for all.
struct Read {
    place: [u32; 2],
    /// Which position, and in the lowest bits what the slot means for it.
    of_what: u32,
}

/// Bits of a slot: no plane is as large, and no game has as many classes as the rest can tell apart.
const SLOT_BITS: u32 = 44;
const WHAT_BITS: u32 = 2;

impl Read {
    /// A slot of a class, which means something for a position: one of at most 2^30 that are looked up together.
    fn new((class, slot): (ClassId, Slot), of: u32, what: What) -> Read {
        let place = (class.index() as u64) << SLOT_BITS | slot.0;
        Read { place: [(place >> 32) as u32, place as u32], of_what: of << WHAT_BITS | what as u32 }
    }

    /// By class and slot.
    fn place(&self) -> u64 {
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

/// What the slot means for the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Value,
    /// How soon it is lost, if it is.
    Lost,
    /// How soon it is won, if it is.
    Won,
    /// The value of a child of it.
    Child,
}

impl<G: Game, I: Index<G>> Tablebase<G, I> {
    /// Adds what is to be read for a position that stands at a place; nothing, and `false`, if it is not stored.
    fn add_reads(&self, place: Place, of: u32, reads: &mut Vec<Read>) -> Result<bool, Error> {
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
    fn note(&self, reads: &[Read], values: impl IntoIterator<Item = Value>, known: &mut [Option<Answer>]) {
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
    fn read_each(&self, reads: &[Read]) -> Result<Vec<Value>, Error> {
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
fn settled(known: Vec<Option<Answer>>) -> Vec<Answer> {
    known.into_iter().map(|answer| answer.unwrap_or(Value::DRAW.into())).collect()
}

/// Positions whose places are worked out together.
const PLACED: usize = 1 << 12;
/// Reads that a thread takes at a time.
const READS: usize = 1 << 14;

/// What some positions need: what is known of each without reading, and what is to be read.
#[derive(Default)]
struct Looked {
    answers: Vec<Option<Answer>>,
    reads: Vec<Read>,
}

impl<G: Game, I: Index<G>> Tablebase<G, I> {
    /// The answers for positions, ended or not.
    pub(super) fn in_order(&self, positions: &[u128]) -> Result<Vec<Answer>, Error> {
        let mut answers: Vec<Option<Answer>> = vec![None; positions.len()];
        let mut reads = Vec::with_capacity(positions.len());
        for (of, &position) in positions.iter().enumerate() {
            let position = typed(&*self.game, position);
            answers[of] = ended(&*self.game, position);
            if answers[of].is_some() {
                continue;
            }
            if !self.add_reads(self.index.place(&self.game, position)?, of as u32, &mut reads)? {
                answers[of] = Some(self.within(position, MOST_PLIES)?);
            }
        }
        reads.sort_unstable_by_key(Read::place);
        self.note(&reads, self.read_each(&reads)?, &mut answers);
        Ok(settled(answers))
    }

    /// The answers for positions from all over the database, in their order, on all threads of the current pool.
    pub(super) fn all_over(&self, positions: &[u128]) -> Result<Vec<Answer>, Error> {
        if self.index.is_listed() {
            return self.by_key(positions);
        }
        let looked = parallel::try_map(positions.len().div_ceil(PLACED), &|number| {
            let mut looked = Looked::default();
            for (of, &position) in (number * PLACED..).zip(part(positions, PLACED, number)) {
                self.look(of as u32, position, &mut looked)?;
            }
            Ok(looked)
        })?;
        // As large as it gets from the start: a list that grows is for a while there twice.
        let mut reads = Vec::with_capacity(looked.iter().map(|looked| looked.reads.len()).sum());
        let mut answers = Vec::with_capacity(positions.len());
        for mut looked in looked {
            answers.append(&mut looked.answers);
            reads.append(&mut looked.reads);
        }
        reads.par_sort_unstable_by_key(Read::place);
        let read = |number: usize| self.read_each(part(&reads, READS, number));
        let found: Vec<Vec<Value>> = parallel::try_map(reads.len().div_ceil(READS), &read)?;
        self.note(&reads, found.into_iter().flatten(), &mut answers);
        Ok(settled(answers))
    }

    /// Notes what is known of a position without reading, and what is to be read for it.
    fn look(&self, of: u32, position: u128, looked: &mut Looked) -> Result<(), Error> {
        let Looked { answers, reads } = looked;
        let position = typed(&*self.game, position);
        if let Some(ended) = ended(&*self.game, position) {
            answers.push(Some(ended));
            return Ok(());
        }
        let place = self.index.place(&self.game, position)?;
        if self.add_reads(place, of, reads)? {
            answers.push(None);
            return Ok(());
        }
        match place {
            Place::Known(value) => answers.push(Some(value.into())),
            Place::At(..) | Place::Apart { .. } | Place::FromMoves => {
                let before = reads.len();
                let best = match self.look_at_children(of, position, reads)? {
                    Some(best) => best,
                    // A child that is not stored either: rare, and not worth a second round.
                    None => {
                        reads.truncate(before);
                        Some(self.answered(position)?)
                    }
                };
                answers.push(best);
            }
            Place::Nowhere => return Err(self.not_stored(self.game.show(position))),
        }
        Ok(())
    }

    /// Notes the children of a position that are to be read; returns the best of the others, from the mover's side.
    /// Nothing if that is not enough to know its value.
    #[allow(clippy::option_option, reason = "no child is known yet, and not known this way, are two things")]
    fn look_at_children(
        &self,
        of: u32,
        position: G::Position,
        reads: &mut Vec<Read>,
    ) -> Result<Option<Option<Answer>>, Error> {
        let (mut children, mut best) = (Vec::new(), None);
        self.game.moves(position, &mut |_, child| children.push(child));
        if children.is_empty() {
            return Ok(Some(Some(self.game.stuck(position).into())));
        }
        for child in children {
            if let Some(ended) = ended(&*self.game, child) {
                best = best.max(Some(ended.before()));
                continue;
            }
            match self.index.place(&self.game, child)? {
                Place::At(class, slot) if self.plane(class)?.is_some() => {
                    reads.push(Read::new((class, slot), of, What::Child));
                }
                Place::Known(value) => best = best.max(Some(Answer::from(value).before())),
                _ => return Ok(None),
            }
        }
        Ok(Some(best))
    }

    /// The same where positions are found in a list of keys.
    fn by_key(&self, positions: &[u128]) -> Result<Vec<Answer>, Error> {
        let key = |of: usize| {
            let canonical = self.game.canonical(typed(&*self.game, positions[of]));
            Ok((self.game.class(canonical), self.game.pack(canonical).wide(), of as u32))
        };
        let mut order: Vec<(u32, u128, u32)> = parallel::try_map_pieces(positions.len(), PLACED, &key)?;
        order.par_sort_unstable();
        let found = parallel::try_map(order.len().div_ceil(READS), &|number| {
            let order = part(&order, READS, number);
            let positions: Vec<u128> = order.iter().map(|(_, _, of)| positions[*of as usize]).collect();
            self.in_order(&positions)
        })?;
        let mut answers = vec![Answer::from(Value::DRAW); positions.len()];
        for ((_, _, of), answer) in order.iter().zip(found.into_iter().flatten()) {
            answers[*of as usize] = answer;
        }
        Ok(answers)
    }
}

/// The part with a number of a list that is cut into parts of so many.
fn part<T>(list: &[T], length: usize, number: usize) -> &[T] {
    &list[number * length..list.len().min((number + 1) * length)]
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
