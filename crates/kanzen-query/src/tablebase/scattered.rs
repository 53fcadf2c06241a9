//! Very many positions looked up at once, from all over the database and on all threads.
//!
//! ```text
//! positions  --place-->  reads: class, slot, of which position     a position that is not stored: one for each child
//! reads      --sort-->   by class and slot, cut into pieces        each page is unpacked once, not once a position
//! pieces     --read-->   values  --merge-->  answers               the best child decides what is not stored
//! ```
//!
//! A database with its own list of positions is searched by key: there the positions are sorted first, so that the list
//! is read in order too.

use rayon::prelude::*;

use super::Tablebase;
use super::reads::{Read, What, settled};
use crate::Answer;
use kanzen_core::index::{Index, Place};
use kanzen_core::machine::parallel;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::{Error, Key, Value};

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

impl<I> Tablebase<I> {
    /// The answers for positions, ended or not, in their order.
    pub(super) fn all_over<G: Game>(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error>
    where
        I: Index<G>,
    {
        if self.index.is_listed() {
            return self.by_key(game, positions);
        }
        let looked = parallel::try_map(positions.len().div_ceil(PLACED), &|number| {
            let mut looked = Looked::default();
            for (of, &position) in (number * PLACED..).zip(part(positions, PLACED, number)) {
                self.look(game, of as u32, position, &mut looked)?;
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
    fn look<G: Game>(&self, game: &G, of: u32, position: G::Position, looked: &mut Looked) -> Result<(), Error>
    where
        I: Index<G>,
    {
        let Looked { answers, reads } = looked;
        if let Some(value) = game.ended(position) {
            answers.push(Some(Answer { value, score: game.final_score(position) }));
            return Ok(());
        }
        let place = self.index.place(game, position)?;
        if self.add_reads(place, of, reads)? {
            answers.push(None);
            return Ok(());
        }
        match place {
            Place::Known(value) => answers.push(Some(value.into())),
            Place::At(..) | Place::Apart { .. } | Place::FromMoves => {
                let before = reads.len();
                let best = match self.look_at_children(game, of, position, reads)? {
                    Some(best) => best,
                    // A child that is not stored either: rare, and not worth a second round.
                    None => {
                        reads.truncate(before);
                        Some(crate::LookUp::answer(self, game, position)?)
                    }
                };
                answers.push(best);
            }
            Place::Nowhere => return Err(self.not_stored(game.show(position))),
        }
        Ok(())
    }

    /// Notes the children of a position that are to be read; tells the best of the others, from the mover's side.
    /// Nothing if that is not enough to know its value.
    #[allow(clippy::option_option, reason = "no child is known yet, and cannot be told this way, are two things")]
    fn look_at_children<G: Game>(
        &self,
        game: &G,
        of: u32,
        position: G::Position,
        reads: &mut Vec<Read>,
    ) -> Result<Option<Option<Answer>>, Error>
    where
        I: Index<G>,
    {
        let (mut children, mut best) = (Vec::new(), None);
        game.moves(position, &mut |_, child| children.push(child));
        if children.is_empty() {
            return Ok(Some(Some(game.stuck(position).into())));
        }
        for child in children {
            if let Some(value) = game.ended(child) {
                let ended = Answer { value, score: game.final_score(child) };
                best = best.max(Some(ended.before()));
                continue;
            }
            match self.index.place(game, child)? {
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
    fn by_key<G: Game>(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error>
    where
        I: Index<G>,
    {
        let key = |of: usize| {
            let canonical = game.canonical(positions[of]);
            Ok((game.class(canonical), game.pack(canonical).wide(), of as u32))
        };
        let mut order: Vec<(u32, u128, u32)> = parallel::try_map_pieces(positions.len(), PLACED, &key)?;
        order.par_sort_unstable();
        let found = parallel::try_map(order.len().div_ceil(READS), &|number| {
            let order = part(&order, READS, number);
            let positions: Vec<G::Position> = order.iter().map(|(_, _, of)| positions[*of as usize]).collect();
            self.in_order(game, &positions)
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
