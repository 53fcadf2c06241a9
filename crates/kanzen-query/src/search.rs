//! Batches of positions: their values alone, or those of all their moves.
//!
//! A [`probe`](super::probe()) pays for every move of a position, and for a page of the database for each of them. For
//! a million positions this is cheaper: a chunk of them at a time is read, sorted by where the values stand, looked up on
//! all threads and put back into its order.
//!
//! ```text
//! numbers or texts  --a chunk-->  positions  --Oracle::answers-->  answers  --> sink, in order
//! ```

use super::{Answer, Detail, Oracle, Spread};
use kanzen_core::machine::parallel;
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::mesh::{Alone, Mesh};
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::random::{Random, shuffled};
use kanzen_core::vocabulary::{BadPosition, Budget, Error};
use rayon::prelude::*;

/// The resources of a batch or a query: budget, observer and processes.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Threads and memory.
    pub budget: Budget,
    /// Observes the work, and may ask to stop.
    pub observer: &'a dyn Observer,
    /// The processes that have the same database and run the same query; [`Alone`] if there are no others.
    pub mesh: &'a dyn Mesh,
}

impl<'a> Means<'a> {
    /// The resources of a single process.
    pub fn alone(budget: &Budget, observer: &'a dyn Observer) -> Means<'a> {
        Means { budget: *budget, observer, mesh: &Alone }
    }
}

/// A solved game and the means to look through it: what all questions to many positions share.
///
/// [`find`](super::find::find) and [`verify`](super::verify()) look through the whole database; the methods are for
/// positions that are named one by one.
pub struct Search<'a> {
    /// The game's name.
    pub id: &'a str,
    /// The rules that moves are made by.
    pub game: &'a dyn AnyGame,
    /// What knows the values of positions.
    pub oracle: &'a dyn Oracle,
    /// With what, for whom and with whom.
    pub means: Means<'a>,
}

/// Positions that are looked up together: what they need besides the answers is bounded by this, up to 350 bytes each
/// where a value is worked out from those of the moves. Half as many would take half of that, and have each page
/// unpacked twice as often.
const CHUNK: usize = 3 << 16;
/// Positions whose moves are looked up together.
const CHUNK_OF_MOVES: usize = 1 << 16;
/// Positions that a thread reads or writes at a time.
const PIECE: usize = 1 << 10;
/// Bytes that an oracle may take to be quicker, whatever the budget allows.
const MEMORY: u64 = 900 << 20;

/// The positions that are asked for.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// By number, below [`Numbering::positions`](super::Numbering::positions).
    Numbers(&'a [u64]),
    /// By text, as the game writes positions.
    Texts(&'a [String]),
}

impl<'a> Asked<'a> {
    /// How many there are.
    pub fn len(self) -> usize {
        match self {
            Asked::Numbers(numbers) => numbers.len(),
            Asked::Texts(texts) => texts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// From `first` on so many at most.
    fn part(self, first: usize, most: usize) -> Asked<'a> {
        let end = self.len().min(first + most);
        match self {
            Asked::Numbers(numbers) => Asked::Numbers(&numbers[first..end]),
            Asked::Texts(texts) => Asked::Texts(&texts[first..end]),
        }
    }
}

/// Positions that are looked up together.
struct Part {
    positions: Vec<u128>,
    /// Where each of them stood among those that were asked for; nothing if they are in that order.
    order: Option<Vec<u32>>,
}

/// What stands in another order, in the one that was asked for.
fn put_back<T: Copy>(items: Vec<T>, order: Option<&[u32]>) -> Vec<T> {
    let Some(order) = order else { return items };
    let mut back = items.clone();
    for (&at, item) in order.iter().zip(items) {
        back[at as usize] = item;
    }
    back
}

/// A position with the values of all its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct WithMoves {
    /// The position, as the game writes it.
    pub position: String,
    /// Its value for the mover.
    pub answer: Answer,
    /// Each legal move with what the mover gets by it, in the order of the rules.
    pub moves: Vec<(String, Answer)>,
}

/// The numbers are those of [`Numbering::position`](super::Numbering::position): each canonical position has one, from 0 on and
/// without gaps.
impl Search<'_> {
    /// Passes the answers of all positions to `sink`, chunk by chunk and in their order.
    pub fn values(&self, asked: Asked<'_>, sink: &mut dyn FnMut(&[Answer])) -> Result<(), Error> {
        self.chunks(asked, CHUNK, "values", |pool, Part { positions, order }| {
            let answers = parallel::install(pool, || self.oracle.answers(&positions, Spread::Everywhere))?;
            drop(positions);
            sink(&put_back(answers, order.as_deref()));
            Ok(())
        })
    }

    /// Passes all positions with the values of their moves to `sink`, chunk by chunk and in their order.
    pub fn moves(
        &self,
        asked: Asked<'_>,
        sink: &mut dyn FnMut(Vec<WithMoves>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.chunks(asked, CHUNK_OF_MOVES, "moves", |pool, Part { positions, order }| {
            let positions = put_back(positions, order.as_deref());
            let children = |at: usize| {
                let mut children = Vec::new();
                self.game.expand(positions[at], &mut children);
                Ok(children)
            };
            let children = parallel::install(pool, || parallel::try_map_pieces(positions.len(), PIECE, &children))?;
            let all: Vec<u128> = positions.iter().copied().chain(children.iter().flatten().copied()).collect();
            let answers = parallel::install(pool, || self.oracle.answers(&all, Spread::Everywhere))?;
            let (own, mut rest) = answers.split_at(positions.len());
            let mut rows = Vec::with_capacity(positions.len());
            for ((&position, children), &answer) in positions.iter().zip(children).zip(own) {
                let (theirs, others) = rest.split_at(children.len());
                rest = others;
                let texts = if theirs.is_empty() { Vec::new() } else { self.game.move_texts(position) };
                let moves = texts.into_iter().zip(theirs.iter().map(|theirs| theirs.before())).collect();
                rows.push(WithMoves { position: self.game.show(position), answer, moves });
            }
            sink(rows)
        })
    }

    /// The numbers of texts.
    pub fn numbers(&self, texts: &[String]) -> Result<Vec<u64>, Error> {
        let number = |at: usize| {
            let text = &texts[at];
            let position = self.read(at, text)?;
            self.oracle.number(position)?.ok_or_else(|| {
                Error::BadRequest(format!("{text} has no number in {}: text {at} of the batch", self.id))
            })
        };
        self.installed(|| parallel::try_map_pieces(texts.len(), PIECE, &number))
    }

    /// The texts of all that is asked for, as the game writes them.
    pub fn texts(&self, asked: Asked<'_>) -> Result<Vec<String>, Error> {
        self.installed(|| match asked {
            Asked::Numbers(numbers) => {
                let text = |at: usize| Ok(self.game.show(self.numbered(numbers[at])?));
                parallel::try_map_pieces(numbers.len(), PIECE, &text)
            }
            Asked::Texts(texts) => {
                let text = |at: usize| Ok(self.game.show(self.read(at, &texts[at])?));
                parallel::try_map_pieces(texts.len(), PIECE, &text)
            }
        })
    }

    /// Numbers drawn at random: uniformly among the positions that the census counts, each at most once. Fewer only if
    /// there are no more.
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<u64>, Error> {
        // Called for its error only: an oracle that cannot be searched refuses.
        self.oracle.quick_scan(&|_| false)?;
        let range = self.oracle.positions();
        let shift = if range == 0 { 0 } else { Random::new(seed).next() % range };
        let mut drawn = Vec::with_capacity(count.min(range as usize));
        let mut draw = 0;
        while drawn.len() < count && draw < range {
            if self.means.observer.stop() {
                return Err(Error::Stopped);
            }
            let end = range.min(draw + ((count - drawn.len()) as u64).clamp(PIECE as u64, CHUNK as u64));
            let counted = |at: usize| {
                // The sum may not fit where a game has very many positions.
                let sum = u128::from(draw) + at as u128 + u128::from(shift);
                let number = shuffled((sum % u128::from(range)) as u64, range);
                let position = self.numbered(number)?;
                Ok(self.oracle.is_row(position).then_some(number))
            };
            let more = self.installed(|| parallel::try_map_pieces((end - draw) as usize, PIECE, &counted))?;
            drawn.extend(more.into_iter().flatten());
            draw = end;
        }
        drawn.truncate(count);
        Ok(drawn)
    }

    /// Hands chunk after chunk of positions to `look`, on the threads of the budget.
    fn chunks(
        &self,
        asked: Asked<'_>,
        chunk: usize,
        name: &'static str,
        mut look: impl FnMut(&rayon::ThreadPool, Part) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let memory = Budget { memory: self.means.budget.memory.min(MEMORY), ..self.means.budget };
        self.oracle.prepare(asked.len() as u64, Detail::Answers, &memory)?;
        self.means.observer.event(Event::Stage { name, total: Some(asked.len() as u64) });
        let pool = kanzen_core::machine::pool(self.means.budget.threads)?;
        for first in (0..asked.len()).step_by(chunk) {
            if self.means.observer.stop() {
                return Err(Error::Stopped);
            }
            let part = asked.part(first, chunk);
            let positions = parallel::install(&pool, || self.positions(first, part))?;
            look(&pool, positions)?;
            self.means.observer.event(Event::Steps { steps: part.len() as u64 });
        }
        Ok(())
    }

    fn installed<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        parallel::install(&kanzen_core::machine::pool(self.means.budget.threads)?, work)
    }

    /// The positions of a part that begins at `first`. Numbers are looked up in order: a list is read in order then, and
    /// what stands in the order of the numbers needs little sorting.
    fn positions(&self, first: usize, part: Asked<'_>) -> Result<Part, Error> {
        match part {
            Asked::Texts(texts) => {
                let read = |at: usize| self.read(first + at, &texts[at]);
                Ok(Part { positions: parallel::try_map_pieces(texts.len(), PIECE, &read)?, order: None })
            }
            Asked::Numbers(numbers) => {
                let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
                order.par_sort_unstable_by_key(|&at| numbers[at as usize]);
                let named = |at: usize| self.numbered(numbers[order[at] as usize]);
                let positions = parallel::try_map_pieces(order.len(), PIECE, &named)?;
                Ok(Part { positions, order: Some(order) })
            }
        }
    }

    fn numbered(&self, number: u64) -> Result<u128, Error> {
        let positions = self.oracle.positions();
        if number < positions {
            return self.oracle.position(number);
        }
        Err(Error::BadRequest(format!("{} has {positions} numbered positions: there is no number {number}", self.id)))
    }

    fn read(&self, at: usize, text: &str) -> Result<u128, Error> {
        self.game.read(text).map_err(|reason| {
            let reason = BadPosition::new(format!("{reason} (text {at} of the batch)"));
            Error::BadPosition { game: self.id.to_owned(), reason }
        })
    }
}
