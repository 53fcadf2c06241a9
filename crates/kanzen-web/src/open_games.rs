//! Games that are kept open, each as long as its database stays the same.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kanzen::catalogue::{Edition, Entry, Solved};
use kanzen::query::LongestGames;
use kanzen::{Budget, Deadline, Error};

/// How many games are kept open, each with its block cache.
pub const OPEN_GAMES: usize = 16;
/// Examples of the longest wins, and of the longest losses.
pub const EXAMPLES: usize = 100;

/// A solved game and what was worked out of it before.
pub struct OpenGame {
    /// The game.
    pub solved: Solved,
    entry: Arc<Entry>,
    edition: Option<Edition>,
    searches: bool,
    longest_games: Mutex<Option<Arc<LongestGames>>>,
}

impl OpenGame {
    /// Opens the database of a game.
    pub fn open(entry: Arc<Entry>, data: &std::path::Path) -> Result<OpenGame, Error> {
        // Looked at before: a database that is exchanged while it is opened is opened again.
        let edition = entry.edition(data);
        let solved = entry.open(data)?;
        let searches = solved.bounded(&Budget::new(1, 0), &Deadline::none()).is_some();
        Ok(OpenGame { solved, entry, edition, searches, longest_games: Mutex::default() })
    }

    /// Whether its answers are searched for.
    pub fn searches(&self) -> bool {
        self.searches
    }

    /// Whether the data folder still holds what was opened.
    pub fn is_current(&self, data: &std::path::Path) -> bool {
        self.entry.edition(data) == self.edition
    }

    /// The longest wins and losses; looked for once.
    pub fn longest_games(&self) -> Result<Arc<LongestGames>, Error> {
        let mut known = self.longest_games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(known.clone());
        }
        let found = Arc::new(self.solved.longest_games(EXAMPLES)?);
        *known = Some(found.clone());
        Ok(found)
    }
}

/// The open games in the order of their last use, the latest first.
#[derive(Default)]
pub struct OpenGames(Mutex<Vec<(String, Arc<OpenGame>)>>);

impl OpenGames {
    fn games(&self) -> MutexGuard<'_, Vec<(String, Arc<OpenGame>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.games().len()
    }

    /// Whether the answers of a game are searched for, if it is open.
    pub fn searches(&self, id: &str) -> Option<bool> {
        self.games().iter().find(|(known, _)| known == id).map(|(_, game)| game.searches)
    }

    /// An open game, which is now the latest used.
    pub fn get(&self, id: &str) -> Option<Arc<OpenGame>> {
        let mut games = self.games();
        let at = games.iter().position(|(known, _)| known == id)?;
        games[..=at].rotate_right(1);
        Some(games[0].1.clone())
    }

    /// Keeps a game open, instead of the one of this name or of the one not used for longest.
    pub fn keep(&self, id: &str, game: Arc<OpenGame>) {
        let mut games = self.games();
        games.retain(|(known, _)| known != id);
        games.insert(0, (id.to_owned(), game));
        games.truncate(OPEN_GAMES);
    }

    /// Opens a game anew when it is next asked for.
    pub fn forget(&self, id: &str) {
        self.games().retain(|(known, _)| known != id);
    }
}
