//! An LRU cache of open databases. An entry is reopened when its files change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kanzen::catalogue::{Entry, Solved};
use kanzen::progress::Observer;
use kanzen::{Budget, Error};
use kanzen_core::Deadline;
use kanzen_query::LongestGames;
use kanzen_store::Edition;

/// Maximum number of open games, each with its block cache.
pub const OPEN_GAMES: usize = 16;
/// Number of examples of the longest wins, and of the longest losses.
pub const EXAMPLES: usize = 100;

/// An open database with cached results.
pub struct OpenGame {
    /// The database.
    pub solved: Solved,
    entry: Arc<Entry>,
    edition: Option<Edition>,
    searches: bool,
    longest_games: Mutex<Option<Arc<LongestGames>>>,
}

impl OpenGame {
    /// Opens the database of a game.
    pub fn open(entry: Arc<Entry>, data: &std::path::Path) -> Result<OpenGame, Error> {
        // Read the edition first: if the database is replaced during the open, the next request reopens it.
        let edition = entry.edition(data);
        let solved = entry.open(data)?;
        let searches = solved.bounded(&Budget::new(1, 0), &Deadline::none()).is_some();
        Ok(OpenGame { solved, entry, edition, searches, longest_games: Mutex::default() })
    }

    /// Returns whether its values come from a search.
    pub fn searches(&self) -> bool {
        self.searches
    }

    /// Returns whether the data folder still holds the opened database.
    pub fn is_current(&self, data: &std::path::Path) -> bool {
        self.entry.edition(data) == self.edition
    }

    /// Returns the longest wins and losses, cached once they are found. Requests do not wait for each other here: each has
    /// its own deadline.
    pub fn longest_games(&self, observer: &dyn Observer) -> Result<Arc<LongestGames>, Error> {
        let cache = || self.longest_games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().clone() {
            return Ok(known);
        }
        let found = Arc::new(self.solved.longest_games(EXAMPLES, observer)?);
        Ok(cache().insert(found).clone())
    }
}

/// The open games, most recently used first.
#[derive(Default)]
pub struct OpenGames(Mutex<Vec<(String, Arc<OpenGame>)>>);

impl OpenGames {
    fn games(&self) -> MutexGuard<'_, Vec<(String, Arc<OpenGame>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of open games.
    pub fn count(&self) -> usize {
        self.games().len()
    }

    /// Returns whether the values of a game come from a search, or `None` if it is not open.
    pub fn searches(&self, id: &str) -> Option<bool> {
        self.games().iter().find(|(known, _)| known == id).map(|(_, game)| game.searches)
    }

    /// Returns an open game and marks it as most recently used.
    pub fn get(&self, id: &str) -> Option<Arc<OpenGame>> {
        let mut games = self.games();
        let at = games.iter().position(|(known, _)| known == id)?;
        games[..=at].rotate_right(1);
        Some(games[0].1.clone())
    }

    /// Adds a game. Replaces the entry of the same name and evicts the least recently used one if the cache is full.
    pub fn keep(&self, id: &str, game: Arc<OpenGame>) {
        let mut games = self.games();
        games.retain(|(known, _)| known != id);
        games.insert(0, (id.to_owned(), game));
        games.truncate(OPEN_GAMES);
    }

    /// Drops a game, so that the next request reopens it.
    pub fn forget(&self, id: &str) {
        self.games().retain(|(known, _)| known != id);
    }
}
