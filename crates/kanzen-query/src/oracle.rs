//! Something that knows the value of every position of a game, and can be asked for all of them.

use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::scan::{Scan, Wanted};
use super::{Answer, Detail, LookUp, MoveCounts, MoveNeeds, Recount};
use kanzen_core::index::class_label;
use kanzen_core::machine::parallel;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::progress::Observer;
use kanzen_core::vocabulary::{Budget, Census, Deadline, Error, Tally};

/// A solved game: a database, or a search that needs none.
///
/// Required besides an answer for each position ([`LookUp`]): what is [`stored`](Oracle::stored) of it, the positions by
/// number and the census. The rest has defaults that are right for any database, if slow for some.
pub trait Oracle<G: Game>: LookUp<G> {
    /// What is stored of the position itself; nothing if its value is worked out from others. This is what a
    /// verification checks: it works out the rest by itself.
    fn stored(&self, game: &G, position: G::Position) -> Result<Option<Answer>, Error>;

    /// How many positions it can name.
    fn positions(&self) -> u64;

    /// The position with a number below [`positions`](Oracle::positions): each canonical position once.
    fn position(&self, game: &G, number: u64) -> Result<G::Position, Error>;

    /// The number of a position, up to symmetry: what [`position`](Oracle::position) takes. Nothing for one that has none,
    /// or that shares it with one that is not the same, and where the database does not tell.
    fn number(&self, _game: &G, _position: G::Position) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    /// How many positions have which value, by class.
    fn census(&self) -> Result<Census, Error>;

    /// How many slots its files have.
    fn stored_slots(&self) -> u64 {
        self.positions()
    }

    /// The plies of the one line it knows, for a search that has solved the start alone; nothing where every position
    /// is solved. The census is then that of the line.
    fn only_line(&self) -> Option<u64> {
        None
    }

    /// The census of all positions, mirror images and colours apart, where published counts are of those and the
    /// census is not.
    fn all_positions(&self) -> Option<Tally> {
        None
    }

    /// The same oracle for one asker: it works with no more than this budget and gives up when the deadline ends.
    /// Nothing where answers are looked up and take no time to speak of; whoever searches should have one, or a face
    /// cannot end a search that nobody waits for.
    fn bounded(&self, _budget: &Budget, _patience: &Deadline) -> Option<Box<dyn Oracle<G>>> {
        None
    }

    /// How long the answer for a position and its moves takes, about, on this budget; nothing where it is looked up.
    fn effort(&self, _game: &G, _position: G::Position, _budget: &Budget) -> Option<Duration> {
        None
    }

    /// Every canonical position with a number: one, unless positions share it that differ only in what came before,
    /// such as in a move that is forbidden. Then all of them.
    fn each_position(
        &self,
        game: &G,
        number: u64,
        visit: &mut dyn FnMut(G::Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        visit(self.position(game, number)?)
    }

    /// Very many questions are coming: positions with so many numbers, and all their children, in this detail. An
    /// oracle may read what it needs into memory, within the budget.
    fn prepare(&self, _numbers: u64, _detail: Detail, _budget: &Budget) -> Result<(), Error> {
        Ok(())
    }

    /// Up to so many bytes of what is read for an answer may be kept for the next one. Nothing where nothing is read.
    fn keep(&self, _bytes: u64) {}

    /// Whether a position that [`each_position`](Oracle::each_position) names is one that the census counts, and named
    /// once up to the symmetries of the census.
    fn is_row(&self, game: &G, position: G::Position) -> bool {
        game.counted(position)
    }

    /// The most positions that share a number.
    fn most_per_number(&self) -> u64 {
        1
    }

    /// What positions can be told apart by besides their value, such as the number of pieces: names and numbers.
    fn fields(&self, game: &G, position: G::Position) -> Vec<(&'static str, i64)> {
        let label = game.class_label(game.class(position));
        label.into_iter().map(|(name, number)| (name, number.into())).collect()
    }

    /// The names of all [`fields`](Oracle::fields): those of the census, unless there are others.
    fn field_names(&self) -> Result<Vec<String>, Error> {
        Ok(self.census()?.field_names())
    }

    /// The answers for many positions, ended or not, in their order. An oracle may look them up in a better one.
    fn answers(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error> {
        positions
            .iter()
            .map(|&position| match game.ended(position) {
                Some(value) => Ok(Answer { value, score: game.final_score(position) }),
                None => self.answer(game, position),
            })
            .collect()
    }

    /// The same for very many positions from all over the database, on all threads of the current pool.
    fn scattered(&self, game: &G, positions: &[G::Position]) -> Result<Vec<Answer>, Error> {
        let parts: Vec<&[G::Position]> = positions.chunks(self.batch(Detail::Answers)).collect();
        Ok(parallel::try_map(parts.len(), &|part| self.answers(game, parts[part]))?.concat())
    }

    /// How many of the moves of each position win, draw and lose, if that is known more quickly than by asking for the
    /// position after each move; positions that differ only in what came before stand beside each other.
    fn move_counts(
        &self,
        _game: &G,
        _positions: &[G::Position],
        _needs: MoveNeeds,
    ) -> Result<Option<Vec<MoveCounts>>, Error> {
        Ok(None)
    }

    /// How many positions are best looked up together ([`answers`](Oracle::answers),
    /// [`move_counts`](Oracle::move_counts)).
    fn batch(&self, _detail: Detail) -> usize {
        1 << 15
    }

    /// A way through the whole database that is quicker than by number ([`scan`](super::scan())), if there is one: it
    /// names each position that the census counts once, if its answer is wanted. A solution without a database refuses.
    fn quick_scan<'a>(&'a self, _game: &'a G, _wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan<G> + 'a>>, Error> {
        Ok(None)
    }

    // What follows is asked for by a verification only.

    /// Whether the database has its own list of the positions. Then [`number`](Oracle::number) is required, and a
    /// verification holds the list against the rules.
    fn is_listed(&self) -> bool {
        false
    }

    /// How many slots there are in which a mirror image of a numbered position can stand, with a value of its own.
    fn slots(&self) -> u64 {
        0
    }

    /// The position of a slot, if it is a mirror image of a numbered one and stands elsewhere.
    fn image(&self, _game: &G, _slot: u64) -> Result<Option<G::Position>, Error> {
        Ok(None)
    }

    /// Whether the database says which values occur in which of its blocks, so that a search passes over the others.
    fn knows_occurrences(&self) -> bool {
        false
    }

    /// How many blocks have other values than the database says.
    fn wrong_occurrences(&self) -> Result<u64, Error> {
        Ok(0)
    }

    /// How many classes the database leaves out, so that their positions have no numbers.
    fn left_out_classes(&self) -> u64 {
        0
    }

    /// The answer of a search that uses nothing stored, for a database that holds too little to be held against the
    /// rules alone.
    fn search(
        &self,
        _game: &G,
        _position: G::Position,
        _budget: &Budget,
        _observer: &dyn Observer,
    ) -> Result<Option<Answer>, Error> {
        Ok(None)
    }

    /// Counts a numbered position as the [`census`](Oracle::census) does: in the class of its material, unless the
    /// game leaves it out.
    fn recount(&self, game: &G, position: G::Position, answer: Answer, recount: &mut Recount) {
        if game.counted(position) {
            recount.add(game.class(position), answer.value);
        }
    }

    /// What the census calls a class of [`recount`](Oracle::recount).
    fn census_label(&self, game: &G, class: u32, _recount: &Recount) -> Map<String, Json> {
        class_label(game, class)
    }
}
