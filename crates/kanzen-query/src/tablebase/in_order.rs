//! Many positions looked up at once, in the order of their slots: each page is unpacked once, not once a position.

use super::reads::{Read, settled};
use super::{MOST_PLIES, Tablebase};
use crate::Answer;
use kanzen_core::index::Index;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::Error;

impl<I> Tablebase<I> {
    /// The answers for positions, ended or not.
    pub(super) fn in_order<G: Game>(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error>
    where
        I: Index<G>,
    {
        let mut answers: Vec<Option<Answer>> = vec![None; positions.len()];
        let mut reads = Vec::with_capacity(positions.len());
        for (of, &position) in positions.iter().enumerate() {
            if let Some(value) = game.ended(position) {
                answers[of] = Some(Answer { value, score: game.final_score(position) });
                continue;
            }
            if !self.add_reads(self.index.place(game, position)?, of as u32, &mut reads)? {
                answers[of] = Some(self.within(game, position, MOST_PLIES)?);
            }
        }
        reads.sort_unstable_by_key(Read::place);
        self.note(&reads, self.read_each(&reads)?, &mut answers);
        Ok(settled(answers))
    }
}
