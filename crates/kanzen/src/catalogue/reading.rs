//! A game as far as its rules and a finished database go: all that a reader needs, wherever the files are.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::GameInfo;
use super::Verdict;
use crate::query::{self, Line, Moves, Opener, Oracle, Player, Probe, Reply};
use crate::rules::view::View;
use crate::rules::{Game, fingerprint};
use crate::store::{Database, Files, Manifest};
use crate::vocabulary::Error;
use crate::vocabulary::{Budget, progress::Observer};

/// A game whose positions can be read, drawn and played by the rules, and whose database can be opened.
pub trait Readable: Send + Sync {
    /// What it is called.
    fn info(&self) -> &GameInfo;

    /// What its board looks like.
    fn view(&self) -> View;

    /// The position it starts from.
    fn initial(&self) -> String;

    /// The moves of a position by the rules alone, solved or not; of the initial one if none is given.
    fn moves(&self, position: Option<&str>) -> Result<Moves, Error>;

    /// Opens the database that some files are, wherever those lie; `folder` is what errors call it.
    fn open_files(&self, folder: &Path, manifest: Manifest, files: Box<dyn Files>) -> Result<Box<dyn Answers>, Error>;
}

/// A solved game that answers questions about positions, in text.
pub trait Answers: Send + Sync {
    /// The position of a text, read once for all questions about it; the initial one if none is given.
    fn at(&self, position: Option<&str>) -> Result<Box<dyn SolvedPosition + '_>, Error>;
}

/// A position of a solved game.
pub trait SolvedPosition {
    /// Draws it as a board, several lines, so many plies into a game.
    fn draw(&self, ply: u64) -> String;

    /// Its value, without those of its moves.
    fn verdict(&self) -> Result<Verdict, Error>;

    /// Its number, up to symmetry; nothing if it has none.
    fn number(&self) -> Result<Option<u64>, Error>;

    /// How long its value and those of its moves take, about, where they are searched for; nothing where they are
    /// looked up.
    fn effort(&self, budget: &Budget) -> Option<Duration>;

    /// Its value, and that of each of its moves.
    fn probe(&self) -> Result<Probe, Error>;

    /// The same, with how many replies slip to each move that keeps the value; a slip is hidden to one who reads so
    /// many plies.
    fn probe_traps(&self, reads: u16) -> Result<Probe, Error>;

    /// A player's move, in a game that has been through these positions before; the same seed draws the same lots.
    fn reply(&self, player: Player, before: &[&str], seed: u64) -> Result<Reply, Error>;

    /// A line of best play from it.
    fn line(&self) -> Result<Line, Error>;

    /// A style against a fallible opponent, from here, game after game.
    fn duel(&self, duel: &query::Duel, budget: &Budget, observer: &dyn Observer) -> Result<query::DuelReport, Error>;
}

/// A game and how its database is read.
pub struct GameReader<G, S> {
    pub(super) info: GameInfo,
    pub(super) parts: Arc<(G, S)>,
    fingerprint: OnceLock<u64>,
}

impl<G: Game + 'static, S: Opener<G> + 'static> GameReader<G, S> {
    /// A game under a name.
    pub fn new(info: GameInfo, game: G, opener: S) -> GameReader<G, S> {
        GameReader { info, parts: Arc::new((game, opener)), fingerprint: OnceLock::new() }
    }

    pub(super) fn game(&self) -> &G {
        &self.parts.0
    }

    /// What tells these rules and this numbering from others; worked out when first wanted.
    pub(super) fn own_fingerprint(&self) -> Result<u64, Error> {
        if let Some(known) = self.fingerprint.get() {
            return Ok(*known);
        }
        let layout = self.parts.1.layout(self.game())?;
        Ok(*self.fingerprint.get_or_init(|| fingerprint(&self.info.id, self.game(), layout)))
    }

    pub(super) fn opened(&self, database: Database) -> Result<SolvedGame<G, S>, Error> {
        let oracle = self.parts.1.open(self.game(), database)?;
        Ok(SolvedGame { id: self.info.id.clone(), parts: self.parts.clone(), oracle })
    }
}

impl<G: Game + 'static, S: Opener<G> + 'static> Readable for GameReader<G, S> {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn view(&self) -> View {
        self.game().view()
    }

    fn initial(&self) -> String {
        self.game().show(self.game().initial())
    }

    fn moves(&self, position: Option<&str>) -> Result<Moves, Error> {
        Ok(query::moves(&self.info.id, self.game(), read(&self.info.id, self.game(), position)?))
    }

    /// Trusts the fingerprint of the manifest: computing it from random games would take longer than all questions of a
    /// browser session. Publishing a database has checked it.
    fn open_files(&self, folder: &Path, manifest: Manifest, files: Box<dyn Files>) -> Result<Box<dyn Answers>, Error> {
        let fingerprint = manifest.fingerprint;
        let database = Database::from_files(folder, manifest, files, &self.info.id, fingerprint)?;
        Ok(Box::new(self.opened(database)?))
    }
}

/// The position of a text; the initial one if there is none.
pub(super) fn read<G: Game>(id: &str, game: &G, position: Option<&str>) -> Result<G::Position, Error> {
    match position {
        None => Ok(game.initial()),
        Some(text) => game.read(text).map_err(|reason| Error::BadPosition { game: id.to_owned(), reason }),
    }
}

/// A game with its database.
pub(super) struct SolvedGame<G, S> {
    pub id: String,
    pub parts: Arc<(G, S)>,
    pub oracle: Box<dyn Oracle<G>>,
}

impl<G: Game, S> SolvedGame<G, S> {
    pub fn game(&self) -> &G {
        &self.parts.0
    }
}

impl<G: Game + 'static, S: Opener<G> + 'static> Answers for SolvedGame<G, S> {
    fn at(&self, position: Option<&str>) -> Result<Box<dyn SolvedPosition + '_>, Error> {
        Ok(Box::new(AtPosition { solved: self, position: read(&self.id, self.game(), position)? }))
    }
}

struct AtPosition<'a, G: Game, S> {
    solved: &'a SolvedGame<G, S>,
    position: G::Position,
}

impl<G: Game, S> SolvedPosition for AtPosition<'_, G, S> {
    fn draw(&self, ply: u64) -> String {
        self.solved.game().draw_at(self.position, ply)
    }

    fn verdict(&self) -> Result<Verdict, Error> {
        Ok(query::answer(self.solved.game(), &*self.solved.oracle, self.position)?.into())
    }

    fn number(&self) -> Result<Option<u64>, Error> {
        self.solved.oracle.number(self.solved.game(), self.position)
    }

    fn effort(&self, budget: &Budget) -> Option<Duration> {
        self.solved.oracle.effort(self.solved.game(), self.position, budget)
    }

    fn probe(&self) -> Result<Probe, Error> {
        query::probe(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position)
    }

    fn probe_traps(&self, reads: u16) -> Result<Probe, Error> {
        query::probe_traps(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position, reads)
    }

    fn reply(&self, player: Player, before: &[&str], seed: u64) -> Result<Reply, Error> {
        let SolvedGame { id, oracle, .. } = self.solved;
        let game = self.solved.game();
        let before = before.iter().map(|text| read(id, game, Some(*text))).collect::<Result<Vec<_>, Error>>()?;
        query::reply(id, (game, &**oracle), self.position, before, player, seed)
    }

    fn line(&self) -> Result<Line, Error> {
        query::line(&self.solved.id, self.solved.game(), &*self.solved.oracle, self.position)
    }

    fn duel(&self, duel: &query::Duel, budget: &Budget, observer: &dyn Observer) -> Result<query::DuelReport, Error> {
        let SolvedGame { id, oracle, .. } = self.solved;
        query::duel(id, (self.solved.game(), &**oracle), self.position, duel, budget, observer)
    }
}
