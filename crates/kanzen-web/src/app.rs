//! What all requests share: the data folder, open games, solves at work, and permits to work.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use kanzen::catalogue::{Catalogue, Entry, Listing, Solved, solved_besides};
use kanzen::query::LongestGames;
use kanzen::{Budget, Error};
use tokio::sync::Semaphore;

use crate::job::Jobs;
use crate::refusal::Refusal;

/// How the explorer is to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// What one types to run the program: advice names it.
    pub program: String,
    /// The folder of the databases.
    pub data: PathBuf,
    /// Threads and memory, for answers and for solves.
    pub budget: Budget,
    /// How often a solve writes a checkpoint.
    pub checkpoint_every: Duration,
    /// Whether visitors may have games solved. Only for loopback addresses.
    pub allow_solve: bool,
}

/// How many games are kept open, each with its block cache.
const OPEN_GAMES: usize = 16;
/// Examples of the longest wins, and of the longest losses.
const EXAMPLES: usize = 100;

/// A solved game and what was worked out of it before.
pub struct OpenGame {
    pub solved: Box<dyn Solved>,
    longest_games: Mutex<Option<Arc<LongestGames>>>,
}

impl OpenGame {
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

/// The state behind all requests.
pub struct App {
    pub options: Options,
    pub jobs: Jobs,
    games: Arc<dyn Catalogue>,
    /// Made once: an entry remembers what it has worked out, its forecast and what tells its rules from others.
    catalogue: OnceLock<Vec<Arc<dyn Entry>>>,
    /// Games in the order of their last use, the latest first.
    open: Mutex<Vec<(String, Arc<OpenGame>)>>,
    /// What the catalogue tells of a game, as it is sent.
    views: Mutex<HashMap<String, Arc<[u8]>>>,
    /// How many answers are worked out at a time.
    work_permits: Arc<Semaphore>,
}

impl App {
    pub fn new(games: Arc<dyn Catalogue>, options: Options) -> App {
        let work_permits = Arc::new(Semaphore::new(2 * options.budget.threads));
        App {
            options,
            jobs: Jobs::default(),
            games,
            catalogue: OnceLock::new(),
            open: Mutex::default(),
            views: Mutex::default(),
            work_permits,
        }
    }

    /// The games that the catalogue names.
    fn catalogue(&self) -> &[Arc<dyn Entry>] {
        self.catalogue.get_or_init(|| self.games.all().into_iter().map(Arc::from).collect())
    }

    /// The entry of a game: of the catalogue, or a member of one of its endless families.
    pub fn find(&self, id: &str) -> Result<Arc<dyn Entry>, Refusal> {
        if let Some(entry) = self.catalogue().iter().find(|entry| entry.info().id == id) {
            return Ok(entry.clone());
        }
        self.games.find(id).map(Arc::from).map_err(|unknown| self.refusal(unknown))
    }

    /// All games to show, and what is solved.
    pub fn listing(&self) -> Vec<Listing> {
        let data = &self.options.data;
        let ids: Vec<&str> = self.catalogue().iter().map(|entry| entry.info().id.as_str()).collect();
        let more = solved_besides(&*self.games, &ids, data);
        let known = self.catalogue().iter().map(|entry| Listing::of(&**entry, data));
        known.chain(more.iter().map(|entry| Listing::of(&**entry, data))).collect()
    }

    /// A solved game, opened if it was not.
    pub fn solved(&self, id: &str) -> Result<Arc<OpenGame>, Refusal> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|(known, _)| known == id) {
            open[..=at].rotate_right(1);
            return Ok(open[0].1.clone());
        }
        drop(open);
        let solved = self.find(id)?.open(&self.options.data).map_err(|error| self.refusal(error))?;
        let game = Arc::new(OpenGame { solved, longest_games: Mutex::default() });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(known, _)| known != id);
        open.insert(0, (id.to_owned(), game.clone()));
        open.truncate(OPEN_GAMES);
        Ok(game)
    }

    /// A view as it is sent, made once for each game that is asked for often.
    pub fn view(&self, id: &str, make: impl FnOnce(&dyn Entry) -> Vec<u8>) -> Result<Arc<[u8]>, Refusal> {
        const MOST: usize = 256;
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(id) {
            return Ok(view.clone());
        }
        let view: Arc<[u8]> = make(&*self.find(id)?).into();
        if views.len() < MOST {
            views.insert(id.to_owned(), view.clone());
        }
        Ok(view)
    }

    /// What went wrong, for the visitor.
    pub fn refusal(&self, error: Error) -> Refusal {
        Refusal::of(&error, &self.options.program, &self.options.data)
    }

    /// Does some work on a thread that may wait for files; at most so many at a time, the others queue.
    pub async fn work<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&App) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.work_permits.clone().acquire_owned().await;
        let permit = permit.map_err(|_| Refusal::internal("the server is closing"))?;
        let app = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&app);
            drop(permit);
            done
        });
        done.await.unwrap_or_else(|_| Err(Refusal::internal("the answer could not be worked out")))
    }
}
