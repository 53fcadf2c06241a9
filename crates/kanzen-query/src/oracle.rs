//! The interface of a solved game, implemented by databases and by searches that need none.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::{Detail, MoveCounts, MoveNeeds, Recount};
use kanzen_core::machine::parallel;
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::progress::Observer;
use kanzen_core::vocabulary::{Answer, Budget, Census, Deadline, Error, Tally, Value};
use kanzen_store::Database;

/// A solved game: a database, or a search that needs none.
///
/// Positions are packed keys, as in [`AnyGame`](kanzen_core::rules::AnyGame). Required besides the [`Numbering`] and
/// [`Audit::stored`]: the [`contents`](Oracle::contents) and an [`answer`](Oracle::answer) for each position. The rest has defaults that are
/// right for any database, if slow for some.
pub trait Oracle: Numbering + Audit {
    /// What there is of the game: its census, and how much is stored.
    fn contents(&self) -> Result<Contents, Error>;

    /// The answer for a position, ended or not.
    fn answer(&self, position: u128) -> Result<Answer, Error>;

    /// The answers for many positions, in their order. An oracle may look them up in a better one.
    fn answers(&self, positions: &[u128], spread: Spread) -> Result<Vec<Answer>, Error> {
        let each = |positions: &[u128]| -> Result<Vec<Answer>, Error> {
            positions.iter().map(|&position| self.answer(position)).collect()
        };
        match spread {
            Spread::Near => each(positions),
            Spread::Everywhere => {
                let parts: Vec<&[u128]> = positions.chunks(BATCH).collect();
                Ok(parallel::try_map(parts.len(), &|part| each(parts[part]))?.concat())
            }
        }
    }

    /// A best move, by its place among the moves, and where it leads, if that is known without the values of the other
    /// moves: a search proves more quickly that one move is best than how bad the others are.
    fn best(&self, _position: u128) -> Result<Option<(usize, u128)>, Error> {
        Ok(None)
    }

    /// Hint: questions about positions with so many numbers, and all their children, follow in this detail. An oracle may
    /// read what it needs into memory, within the budget. Returns how many positions are best looked up together; for 0
    /// numbers it reads nothing.
    fn prepare(&self, _numbers: u64, _detail: Detail, _budget: &Budget) -> Result<usize, Error> {
        Ok(BATCH)
    }

    /// How many of the moves of each position win, draw and lose, if that is known more quickly than by asking for the
    /// position after each move; positions that differ only in what came before stand beside each other.
    fn move_counts(&self, _positions: &[u128], _needs: MoveNeeds) -> Result<Option<Vec<MoveCounts>>, Error> {
        Ok(None)
    }

    /// A way through the whole database that is quicker than by number ([`scan`](super::scan())), if there is one: it
    /// names each position that the census counts once, if its answer is wanted. A solution without a database refuses.
    fn quick_scan<'a>(&'a self, _wanted: Wanted<'a>) -> Result<Option<Box<dyn Scan + 'a>>, Error> {
        Ok(None)
    }

    /// The counts as a publication has them, where there is one.
    fn published(&self) -> Result<PublishedCounts, Error> {
        Ok(PublishedCounts::default())
    }

    /// The same oracle for one client: it works within this budget and gives up at the deadline. Nothing where answers
    /// are looked up and take no time to speak of.
    fn bounded(&self, _budget: &Budget, _deadline: &Deadline) -> Option<Box<dyn Oracle>> {
        None
    }

    /// How long the answer for a position and its moves takes, about, on this budget; nothing where it is looked up.
    fn effort(&self, _position: u128, _budget: &Budget) -> Option<Duration> {
        None
    }
}

/// Positions that are looked up together, unless an oracle wants more.
const BATCH: usize = 1 << 15;

/// Where the positions of a question stand in the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Near each other: the calling thread looks them up.
    Near,
    /// All over it: very many positions, looked up by all threads of the current pool.
    Everywhere,
}

/// What a solved game has.
#[derive(Clone, Default, Debug)]
pub struct Contents {
    /// How many positions have which value, by class.
    pub census: Census,
    /// The census of all positions, mirror images and colours apart, where published counts are of those and
    /// [`census`](Contents::census) is not.
    pub all_positions: Option<Tally>,
    /// How many slots the files have.
    pub stored_slots: u64,
    /// The plies of the one line that is known, for a search that has solved the start alone; nothing where every
    /// position is solved. The census is then that of the line.
    pub only_line: Option<u64>,
    /// How many classes the database leaves out, so that their positions have no numbers.
    pub left_out_classes: u64,
    /// Whether the database records which values occur in which of its blocks, so that a search passes over the others.
    pub has_occurrences: bool,
}

/// The counts of a game in the form of a publication.
#[derive(Clone, Default, Debug)]
pub struct PublishedCounts {
    /// The census in the layout of a published table; nothing if there is none.
    pub csv: Option<String>,
    /// How many positions have which score, worst first, in games that have scores.
    pub scores: Vec<(i16, u64)>,
}

/// The numbering of the positions of a solved game.
///
/// Required: how many there are, and the [`position`](Numbering::position) of a number.
pub trait Numbering: Send + Sync {
    /// How many numbers there are.
    fn positions(&self) -> u64;

    /// The position with a number below [`positions`](Numbering::positions): each canonical position once.
    fn position(&self, number: u64) -> Result<u128, Error>;

    /// Every canonical position with a number: one, unless positions share it that differ only in what came before,
    /// such as in a move that is forbidden. Then all of them.
    fn each_position(&self, number: u64, visit: &mut dyn FnMut(u128) -> Result<(), Error>) -> Result<(), Error> {
        visit(self.position(number)?)
    }

    /// The most positions that share a number.
    fn most_per_number(&self) -> u64 {
        1
    }

    /// The number of a position, up to symmetry. Nothing for one that has none, or that shares it with one that is not
    /// the same, and where the database does not record it.
    fn number(&self, _position: u128) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    /// Whether a position that [`each_position`](Numbering::each_position) names is one that the census counts, and named
    /// once up to the symmetries of the census.
    fn is_row(&self, position: u128) -> bool;

    /// What positions can be distinguished by besides their value, such as the number of pieces: names and numbers.
    fn fields(&self, position: u128) -> Vec<(&'static str, i64)>;

    /// The names of all [`fields`](Numbering::fields) where they are not those of the census; none otherwise.
    fn field_names(&self) -> &[&'static str] {
        &[]
    }

    /// Whether the database has its own list of the positions. Then [`number`](Numbering::number) is required, and a
    /// verification holds the list against the rules.
    fn is_listed(&self) -> bool {
        false
    }
}

/// What only a verification asks a solved game.
///
/// Required: what is [`stored`](Audit::stored) of a position, and how it is counted.
pub trait Audit {
    /// What is stored of the position itself; nothing if its value is derived from others. Verification checks
    /// this and derives the rest by itself.
    fn stored(&self, position: u128) -> Result<Option<Answer>, Error>;

    /// Counts a numbered position as the census does: in the class of its material, unless the game leaves it out.
    fn recount(&self, position: u128, answer: Answer, recount: &mut Recount);

    /// What the census calls a class of [`recount`](Audit::recount).
    fn census_label(&self, class: u32, recount: &Recount) -> Map<String, Json>;

    /// How many slots there are in which a mirror image of a numbered position can stand, with a value of its own.
    fn slots(&self) -> u64 {
        0
    }

    /// The position of a slot, if it is a mirror image of a numbered one and stands elsewhere.
    fn image(&self, _slot: u64) -> Result<Option<u128>, Error> {
        Ok(None)
    }

    /// How many blocks have other values than the database records.
    fn wrong_occurrences(&self) -> Result<u64, Error> {
        Ok(0)
    }

    /// The answer of a search that uses nothing stored, for a database that holds too little to be checked by the
    /// rules alone.
    fn search(&self, _position: u128, _budget: &Budget, _observer: &dyn Observer) -> Result<Option<Answer>, Error> {
        Ok(None)
    }
}

/// Opens the database of a game. A solver does not know how to; its opener does.
///
/// Required: [`open`](Opener::open).
pub trait Opener<G: Game>: Send + Sync {
    /// Opens a finished database.
    fn open(&self, game: &Arc<G>, database: Database) -> Result<Box<dyn Oracle>, Error>;

    /// A number that changes with the numbering of positions ([`Index::layout`](kanzen_core::index::Index::layout)); it is
    /// part of the fingerprint. 0 where the rules alone define it: keys and canonical forms are theirs.
    fn layout(&self, _game: &G) -> Result<u64, Error> {
        Ok(0)
    }

    /// Answers without a database, for a game whose positions near the end are searched for as they are asked. Optional:
    /// nothing for a game that has to be solved first.
    fn unsolved(&self, _game: &Arc<G>, _id: &str) -> Option<Box<dyn Oracle>> {
        None
    }
}

/// Which answers are looked for.
pub type Wanted<'a> = &'a (dyn Fn(Answer) -> bool + Sync);

/// Receives each position of a stretch, with its answer.
pub type Visit<'a> = dyn FnMut(u128, Answer) -> Result<(), Error> + 'a;

/// A way through the positions of a database that have wanted answers. See [`scan`].
pub trait Scan: Send + Sync {
    /// How many stretches there are.
    fn stretches(&self) -> u64;

    /// Leaves out positions by a number of theirs ([`Numbering::fields`](Numbering::fields)), where that spares
    /// work: `may` returns whether one that has this number can be looked for. Optional: a scan that leaves out nothing only takes longer.
    fn narrow(&mut self, _may: &dyn Fn(&str, i64) -> bool) {}

    /// Whether a stretch may have a position that is wanted, as far as that is known without reading it.
    fn may_match(&self, _stretch: u64) -> Result<bool, Error> {
        Ok(true)
    }

    /// Reads a stretch: visits its positions that are wanted, always in the same order.
    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error>;
}

/// A way through all positions that the census counts and whose answers are wanted: the oracle's own, or by number.
pub fn scan<'a>(oracle: &'a dyn Oracle, wanted: Wanted<'a>) -> Result<Box<dyn Scan + 'a>, Error> {
    let quick = oracle.quick_scan(wanted)?;
    Ok(quick.unwrap_or_else(|| Box::new(ByNumber { oracle, wanted })))
}

/// Numbers of a stretch.
pub(crate) const NUMBERS: u64 = 1 << 12;

/// Through the numbers of all positions, asking for each.
struct ByNumber<'a> {
    oracle: &'a dyn Oracle,
    wanted: Wanted<'a>,
}

impl Scan for ByNumber<'_> {
    fn stretches(&self) -> u64 {
        self.oracle.positions().div_ceil(NUMBERS)
    }

    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let numbers = stretch * NUMBERS..self.oracle.positions().min((stretch + 1) * NUMBERS);
        for number in numbers {
            self.oracle.each_position(number, &mut |position| {
                if !self.oracle.is_row(position) {
                    return Ok(());
                }
                let answer = self.oracle.answer(position)?;
                if (self.wanted)(answer) { visit(position, answer) } else { Ok(()) }
            })?;
        }
        Ok(())
    }
}

/// The first positions of a value, in the order of a scan: at most `limit`, and not looking further than until `all` of
/// them are found.
pub fn positions_of_value(oracle: &dyn Oracle, value: Value, all: u64, limit: usize) -> Result<Vec<u128>, Error> {
    let wanted = |answer: Answer| answer.value == value;
    let scan = scan(oracle, &wanted)?;
    let enough = limit.min(usize::try_from(all).unwrap_or(usize::MAX));
    let mut found = Vec::new();
    let (mut next, mut window) = (0, rayon::current_num_threads() as u64);
    while found.len() < enough && next < scan.stretches() {
        let end = scan.stretches().min(next + window);
        let parts = parallel::try_map((end - next) as usize, &|at| {
            let mut part: Vec<u128> = Vec::new();
            scan.read(next + at as u64, &mut |position, _| {
                if part.len() < enough {
                    part.push(position);
                }
                Ok(())
            })?;
            Ok(part)
        })?;
        found.extend(parts.into_iter().flatten());
        next = end;
        window = (2 * window).min(1 << 12);
    }
    found.truncate(enough);
    Ok(found)
}

/// Collects all missing byte ranges before failing.
///
/// Where a database is fetched by ranges, a look-up may find that it lacks some ([`Error::NotFetched`]). A question for many
/// things still tries all of them: so one pass finds all that is missing, and it is fetched at once. Any other error ends
/// a question at once.
pub(crate) mod gather {
    use kanzen_core::vocabulary::Error;

    /// All results, or the first error.
    pub fn all<T>(results: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
        let (mut found, mut lacking) = (Vec::with_capacity(results.size_hint().0), None);
        for result in results {
            match result {
                Ok(result) => found.push(result),
                Err(error) if error.is_not_fetched() => lacking = Some(error),
                Err(error) => return Err(error),
            }
        }
        lacking.map_or(Ok(found), Err)
    }

    /// Both results; the second is asked for unless the first is refused for good.
    pub fn both<A, B>(one: Result<A, Error>, other: impl FnOnce() -> Result<B, Error>) -> Result<(A, B), Error> {
        match one {
            Err(error) if error.is_not_fetched() => other().and(Err(error)),
            one => Ok((one?, other()?)),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn lacking() -> Result<u8, Error> {
            Err(Error::NotFetched { path: "plane".into() })
        }

        #[test]
        fn what_is_not_fetched_lets_the_others_be_asked_and_is_reported_at_the_end() {
            let asked = std::cell::Cell::new(0);
            let ask = |number: u8| {
                asked.set(asked.get() + 1);
                if number == 1 { lacking() } else { Ok(number) }
            };
            assert!(all((0..4).map(ask)).unwrap_err().is_not_fetched());
            assert_eq!(asked.get(), 4);
            assert_eq!(all((2..4).map(ask)).unwrap(), [2, 3]);
            assert!(both(lacking(), || ask(0)).unwrap_err().is_not_fetched());
            assert_eq!(asked.get(), 7);
            assert_eq!(both(Ok(1), || ask(2)).unwrap(), (1, 2));
        }

        #[test]
        fn any_other_error_ends_it_at_once_and_goes_before() {
            let asked = std::cell::Cell::new(0);
            let ask = |number: u8| {
                asked.set(asked.get() + 1);
                if number == 1 { Err(Error::Stopped) } else { lacking() }
            };
            assert!(matches!(all((0..4).map(ask)), Err(Error::Stopped)));
            assert_eq!(asked.get(), 2);
            assert!(matches!(both(lacking(), || ask(1)), Err(Error::Stopped)));
            assert!(matches!(both(Err::<u8, _>(Error::Stopped), || ask(0)), Err(Error::Stopped)));
            assert_eq!(asked.get(), 3);
        }
    }
}
