//! Scores by backward induction, for games that always end.
//!
//! A position's score is the best of its children's, turned round; an end has its own. Classes come in the order of
//! their numbers, so only moves within a class (a pass in Othello) wait for each other.

use kanzen_core::index::Listed;
use kanzen_core::machine::parallel;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::Error;

/// Slots that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// The score of each slot of a class, given those of the classes before it.
///
/// ```
/// # use kanzen_core::{Budget, Game, Ledger, Value};
/// # use kanzen_core::index::Listed;
/// # use kanzen_core::progress::Silent;
/// /// Take one or two coins from a row; what is taken counts.
/// struct Coins;
/// # impl Game for Coins {
/// #     type Position = (u32, i16); type Move = u32; type Key = u32;
/// #     fn initial(&self) -> (u32, i16) { (5, 0) }
/// #     fn moves(&self, (left, lead): (u32, i16), play: &mut impl FnMut(u32, (u32, i16))) {
/// #         for take in 1..=left.min(2) { play(take, (left - take, -lead - take as i16)); }
/// #     }
/// #     fn ended(&self, (left, lead): (u32, i16)) -> Option<Value> {
/// #         (left == 0).then(|| if lead > 0 { Value::UNTIMED_WIN } else { Value::DRAW })
/// #     }
/// #     fn final_score(&self, (left, lead): (u32, i16)) -> Option<i16> { (left == 0).then_some(lead) }
/// #     fn pack(&self, (left, lead): (u32, i16)) -> u32 { left << 16 | (lead + 100) as u32 }
/// #     fn unpack(&self, key: u32) -> (u32, i16) { (key >> 16, (key & 0xffff) as i16 - 100) }
/// #     fn class(&self, (left, _): (u32, i16)) -> u32 { left }
/// # }
/// let index = Listed::list(&Coins, &Ledger::new(Budget::new(1, 1 << 20)), &Silent)?;
/// let mut scores = Vec::new();
/// for class in 0..index.classes().len() {
///     scores.push(kanzen_solve::scores_of_class(&Coins, &index, class, &scores)?);
/// }
/// assert_eq!(scores.last().unwrap(), &[1]); // five coins end three to two
/// # Ok::<(), kanzen_core::Error>(())
/// ```
pub fn scores_of_class<G: Game>(
    game: &G,
    index: &Listed<G::Key>,
    class: usize,
    earlier: &[Vec<i16>],
) -> Result<Vec<i16>, Error> {
    let class = Class { game, index, class, earlier };
    // A game within a class is at most as long as the class has positions.
    let keys = index.keys(class.class);
    let score = |slot: usize| class.score(game.unpack(keys.key(slot as u64)), keys.len() as usize);
    parallel::try_map_pieces(keys.len() as usize, PIECE, &score)
}

struct Class<'a, G: Game> {
    game: &'a G,
    index: &'a Listed<G::Key>,
    class: usize,
    earlier: &'a [Vec<i16>],
}

impl<G: Game> Class<'_, G> {
    fn score(&self, position: G::Position, plies: usize) -> Result<i16, Error> {
        let game = self.game;
        let problem = |what: &str| Error::Rules(format!("{}: {what}", game.show(position)));
        if game.ended(position).is_some() {
            return game.final_score(position).ok_or_else(|| problem("the game is over without a score"));
        }
        let plies = plies.checked_sub(1).ok_or_else(|| problem("play need not end, so there are no scores"))?;
        let mut children = Vec::new();
        game.moves(position, &mut |_, child| children.push(child));
        let mut best = None;
        for child in children {
            best = best.max(Some(-self.known(child, plies)?));
        }
        match best {
            Some(score) => Ok(score),
            None => game.final_score(position).ok_or_else(|| problem("no moves and no score")),
        }
    }

    /// The score of a child: listed before, or within this class.
    fn known(&self, child: G::Position, plies: usize) -> Result<i16, Error> {
        let canonical = self.game.canonical(child);
        let place = self.index.place_of_class(self.game.class(canonical));
        match place {
            Some(place) if place < self.class => {
                let slot = self.index.rank(place, self.game.pack(canonical));
                let score = slot.and_then(|slot| self.earlier[place].get(slot as usize).copied());
                score.ok_or_else(|| Error::Rules(format!("{} is not listed", self.game.show(canonical))))
            }
            _ => self.score(child, plies),
        }
    }
}
