//! The front door: solves a game, or opens its database, and answers questions about typed positions.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::machine::machine_budget;
use crate::query::{Opener, Oracle};
use crate::rules::{Game, Successor, ended, fingerprint};
use crate::solve::{Job, RulesOnly, Solver};
use crate::store::{Database, Manifest, VfsPath, WorkFolder};
use crate::vocabulary::progress::{Observer, Silent};
use crate::vocabulary::{Answer, Budget, Census, Error, Key, Value};

/// Solves a game by its rules: in memory, on all threads, with the memory that is free.
///
/// ```
/// use kanzen::{Game, Value};
///
/// /// Take one, two or three stones; a player who cannot take loses.
/// #[derive(Clone)]
/// struct Nim;
///
/// impl Game for Nim {
///     type Position = u32;
///     type Move = u32;
///     type Key = u32;
///     fn initial(&self) -> u32 { 21 }
///     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
///         (1..=pile.min(3)).for_each(|take| play(take, pile - take));
///     }
///     fn pack(&self, pile: u32) -> u32 { pile }
///     fn unpack(&self, key: u32) -> u32 { key }
/// }
///
/// let table = kanzen::solve(&Nim)?;
/// assert_eq!(table.value(21)?, Value::win(11));
/// for (take, value) in table.moves(21)? {
///     println!("take {take}: {value}");
/// }
/// # let folder = tempfile::tempdir()?;
/// # std::env::set_current_dir(&folder)?;
/// table.save("data")?;
/// let table = kanzen::open(&Nim, "data")?;
/// assert_eq!(table.moves(21)?[0], (1, Value::win(11)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve<G: Game + Clone + 'static>(game: &G) -> Result<Table<G>, Error> {
    Solve::new(game).run()
}

/// Opens the database of a game that is solved by its rules in a data folder: what [`Table::save`] wrote.
pub fn open<G: Game + Clone + 'static>(game: &G, data: impl AsRef<Path>) -> Result<Table<G>, Error> {
    Solve::new(game).data(data).open()
}

/// A solve with options: how, where, within which limits.
///
/// ```
/// # use kanzen::Game;
/// # #[derive(Clone)] struct Nim;
/// # impl Game for Nim {
/// #     type Position = u32; type Move = u32; type Key = u32;
/// #     fn initial(&self) -> u32 { 21 }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         (1..=pile.min(3)).for_each(|take| play(take, pile - take));
/// #     }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// use kanzen::{Solve, progress::Silent};
/// let table = Solve::new(&Nim).threads(2).memory(1 << 30).observer(&Silent).run()?;
/// assert_eq!(table.census().total().positions(), 22);
/// # Ok::<(), kanzen::Error>(())
/// ```
pub struct Solve<'a, G, S = RulesOnly> {
    game: &'a G,
    solver: S,
    name: &'a str,
    data: VfsPath,
    budget: Budget,
    observer: &'a dyn Observer,
}

impl<'a, G: Game + Clone + 'static> Solve<'a, G> {
    /// A solve by the rules alone: in memory, on all threads, with the memory that is free.
    pub fn new(game: &'a G) -> Solve<'a, G> {
        Solve::with(game, RulesOnly::counting())
    }
}

impl<'a, G, S> Solve<'a, G, S>
where
    G: Game + Clone + 'static,
    S: Solver<G> + Opener<G>,
{
    /// The same by a solver of the game's own.
    pub fn with(game: &'a G, solver: S) -> Solve<'a, G, S> {
        Solve { game, solver, name: "game", data: VfsPath::memory(), budget: machine_budget(), observer: &Silent }
    }

    /// The name of the game, which its database carries: `game`, unless another is given. The command opens a database
    /// only by the name of its entry.
    pub fn name(self, name: &'a str) -> Solve<'a, G, S> {
        Solve { name, ..self }
    }

    /// Solves in a data folder on the disk instead of in memory. Interrupted, the next [`run`](Solve::run) resumes;
    /// finished, it only opens the database.
    pub fn data(self, folder: impl AsRef<Path>) -> Solve<'a, G, S> {
        Solve { data: folder.as_ref().into(), ..self }
    }

    /// The number of worker threads.
    pub fn threads(self, threads: usize) -> Solve<'a, G, S> {
        Solve { budget: Budget::new(threads, self.budget.memory), ..self }
    }

    /// The most memory in bytes that the solver may reserve. A database in memory is not part of it.
    pub fn memory(self, bytes: u64) -> Solve<'a, G, S> {
        Solve { budget: Budget::new(self.budget.threads, bytes), ..self }
    }

    /// Receives progress, and may ask the solve to stop.
    pub fn observer(self, observer: &'a dyn Observer) -> Solve<'a, G, S> {
        Solve { observer, ..self }
    }

    /// Solves the game.
    pub fn run(self) -> Result<Table<G>, Error> {
        let work = match WorkFolder::open_or_create(self.data.clone(), self.name, self.fingerprint()?) {
            Err(Error::AlreadySolved { .. }) => return self.open(),
            work => work?,
        };
        let job = Job::new(&work, self.budget, self.observer)?;
        let solution = self.solver.solve(self.game, &job)?;
        drop(job);
        let manifest = Manifest::of(&work, solution)?;
        let database = work.finish(&manifest)?;
        self.table(database)
    }

    /// Opens what is solved in the [data folder](Solve::data).
    pub fn open(self) -> Result<Table<G>, Error> {
        let database = Database::open(self.data.clone(), self.name, self.fingerprint()?)?;
        self.table(database)
    }

    fn fingerprint(&self) -> Result<u64, Error> {
        Ok(fingerprint(self.name, self.game, self.solver.layout(self.game)?))
    }

    fn table(self, database: Database) -> Result<Table<G>, Error> {
        let game = Arc::new(self.game.clone());
        let (name, fingerprint) = (database.manifest().game.clone(), database.manifest().fingerprint);
        let oracle = self.solver.open(&game, database)?;
        let census = oracle.contents()?.census;
        Ok(Table { game, oracle, census, data: self.data, name, fingerprint })
    }
}

/// The strong solution of a game: the value of each position, by typed positions and moves.
///
/// It is read from a database, in memory or in a folder; a damaged byte is an error, never a wrong value.
pub struct Table<G: Game> {
    game: Arc<G>,
    oracle: Box<dyn Oracle>,
    census: Census,
    data: VfsPath,
    name: String,
    fingerprint: u64,
}

impl<G: Game> Table<G> {
    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The value of a position for its mover, with the depth to win. A position that the solve did not meet is
    /// [`NotStored`](Error::NotStored).
    pub fn value(&self, position: G::Position) -> Result<Value, Error> {
        Ok(self.answer(position)?.value)
    }

    /// The value and the score, in games that have one.
    pub fn answer(&self, position: G::Position) -> Result<Answer, Error> {
        self.oracle.answer(self.game.pack(position).wide())
    }

    /// The legal moves with what the mover gets by each, best first; equals in the order of the rules.
    pub fn moves(&self, position: G::Position) -> Result<Vec<(G::Move, Value)>, Error> {
        Ok(self.choices(position)?.into_iter().map(|((mv, _), answer)| (mv, answer.value)).collect())
    }

    /// A line of best play: each move with the position it leads to. It ends with the game, or where a position comes
    /// back.
    pub fn line(&self, position: G::Position) -> Result<Vec<Successor<G>>, Error> {
        let (mut line, mut at) = (Vec::new(), position);
        let mut seen = HashSet::from([self.game.pack(at).wide()]);
        while let Some(&((mv, child), _)) = self.choices(at)?.first() {
            line.push((mv, child));
            at = child;
            if !seen.insert(self.game.pack(at).wide()) {
                break;
            }
        }
        Ok(line)
    }

    /// How many positions have which value, by class.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// Writes the database to a data folder, under its [name](Solve::name): [`open`] reads it there. A database that is
    /// there already is left alone, and reported as [`AlreadySolved`](Error::AlreadySolved).
    pub fn save(&self, data: impl AsRef<Path>) -> Result<(), Error> {
        Database::open(self.data.clone(), &self.name, self.fingerprint)?.save(data.as_ref())
    }

    /// The moves with where they lead and what the mover gets, best first.
    fn choices(&self, position: G::Position) -> Result<Vec<(Successor<G>, Answer)>, Error> {
        let mut children = Vec::new();
        if ended(&*self.game, position).is_none() {
            self.game.moves(position, &mut |mv, child| children.push((mv, child)));
        }
        let answered = |(mv, child)| Ok(((mv, child), self.answer(child)?.before()));
        let mut choices = children.into_iter().map(answered).collect::<Result<Vec<_>, Error>>()?;
        choices.sort_by_key(|(_, answer)| std::cmp::Reverse(*answer));
        Ok(choices)
    }
}
