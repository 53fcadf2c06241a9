//! What all requests share: the data folder, open games, solves at work, and places to work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use kanzen::catalogue::{Catalogue, Entry, Listing, Reader, solved_besides};
use kanzen::{Budget, Error, ErrorKind};
use tokio::sync::watch;

use crate::callers::Callers;
use crate::guard::Guard;
use crate::job::Jobs;
use crate::lanes::{Lanes, Sizes};
use crate::log::Log;
use crate::metrics::Metrics;
use crate::open_games::{OPEN_GAMES, OpenGame, OpenGames};
use crate::options::Options;
use crate::refusal::Refusal;

/// How long the list of games is kept while the data folder looks the same: what is solved in it is looked up in files.
const LISTED: Duration = Duration::from_secs(1);

/// The state behind all requests.
pub struct App {
    pub options: Options,
    pub guard: Guard,
    pub jobs: Jobs,
    pub open: OpenGames,
    pub lanes: Lanes,
    pub callers: Arc<Callers>,
    pub metrics: Metrics,
    pub log: Option<Log>,
    games: Arc<dyn Catalogue>,
    /// Made once: an entry remembers what it has worked out, its forecast and what tells its rules from others.
    catalogue: OnceLock<Vec<Arc<Entry>>>,
    /// What the catalogue tells of a game, as it is sent.
    views: Mutex<HashMap<String, Arc<[u8]>>>,
    listed: Mutex<Option<Listed>>,
    closing: watch::Sender<bool>,
}

/// The list of games as it is sent, when it was made, and how the data folder looked then.
struct Listed {
    list: Arc<[u8]>,
    made: Instant,
    folder: Option<SystemTime>,
}

impl App {
    pub fn new(games: Arc<dyn Catalogue>, guard: Guard, options: Options) -> App {
        let sizes = Sizes::new(&options);
        App {
            guard,
            jobs: Jobs::default(),
            open: OpenGames::default(),
            lanes: Lanes::new(sizes),
            callers: Arc::new(Callers::new(options.limits.connections, sizes.half())),
            metrics: Metrics::default(),
            log: options.log.then(Log::start),
            games,
            catalogue: OnceLock::new(),
            views: Mutex::default(),
            listed: Mutex::default(),
            closing: watch::Sender::new(false),
            options,
        }
    }

    /// The games that the catalogue names.
    fn catalogue(&self) -> &[Arc<Entry>] {
        self.catalogue.get_or_init(|| self.games.all())
    }

    /// The entry of a game: of the catalogue, or a member of one of its endless families.
    pub fn find(&self, id: &str) -> Result<Arc<Entry>, Refusal> {
        if let Some(entry) = self.catalogue().iter().find(|entry| entry.info().id == id) {
            return Ok(entry.clone());
        }
        self.games.find(id).map_err(|unknown| self.refusal(unknown))
    }

    /// All games to show, and what is solved, as `make` sends it.
    pub fn listing(&self, make: impl FnOnce(&[Listing]) -> Result<Vec<u8>, Refusal>) -> Result<Arc<[u8]>, Refusal> {
        let data = &self.options.data;
        let folder = || std::fs::metadata(data).and_then(|data| data.modified()).ok();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*listed
            && known.made.elapsed() < LISTED
            && known.folder == folder()
        {
            return Ok(known.list.clone());
        }
        let (made, folder) = (Instant::now(), folder());
        let ids: Vec<&str> = self.catalogue().iter().map(|entry| entry.info().id.as_str()).collect();
        let more = solved_besides(&*self.games, &ids, data);
        let all = self.catalogue().iter().map(|entry| Listing::of(&**entry, data));
        let all: Vec<Listing> = all.chain(more.iter().map(|entry| Listing::of(&**entry, data))).collect();
        let list: Arc<[u8]> = make(&all)?.into();
        *listed = Some(Listed { list: list.clone(), made, folder });
        Ok(list)
    }

    /// A solved game: opened if it was not, and again if its database has changed.
    pub fn solved(&self, id: &str) -> Result<Arc<OpenGame>, Refusal> {
        let data = &self.options.data;
        if let Some(game) = self.open.get(id).filter(|game| game.is_current(data)) {
            return Ok(game);
        }
        self.open.forget(id);
        let game = OpenGame::open(self.find(id)?, data).map_err(|error| self.refusal(error))?;
        game.solved.keep(self.search_budget().memory);
        let game = Arc::new(game);
        self.open.keep(id, game.clone());
        Ok(game)
    }

    /// What went wrong with an open game. One whose files fail is opened again next time: they may be repaired by then.
    pub fn failed(&self, id: &str, error: Error) -> Refusal {
        if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::System) {
            self.open.forget(id);
        }
        self.refusal(error)
    }

    /// What the answers of a game may take: all threads, which give way to others, and the memory of one of the open games.
    pub fn search_budget(&self) -> Budget {
        Budget::new(self.options.budget.threads, self.options.budget.memory / OPEN_GAMES as u64)
    }

    /// A view as it is sent, made once for each game that is asked for often.
    pub fn view(&self, id: &str, make: impl FnOnce(&Reader) -> Result<Vec<u8>, Refusal>) -> Result<Arc<[u8]>, Refusal> {
        const MOST: usize = 256;
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(id) {
            return Ok(view.clone());
        }
        let view: Arc<[u8]> = make(&*self.find(id)?)?.into();
        if views.len() < MOST {
            views.insert(id.to_owned(), view.clone());
        }
        Ok(view)
    }

    /// What went wrong, for the visitor.
    pub fn refusal(&self, error: Error) -> Refusal {
        Refusal::of(error, &self.options.program, &self.options.data)
    }

    /// Ends the searches that are still at work, so that the server can end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits until the server ends what is at work.
    pub async fn closing(&self) {
        // The sender lives as long as the app.
        self.closing.subscribe().wait_for(|closing| *closing).await.ok();
    }
}
