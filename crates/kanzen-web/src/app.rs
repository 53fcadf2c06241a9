//! Shared server state: the data folder, open games, running solves and admission limits.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use kanzen::catalogue::{Catalogue, Entry, Listing, Reader, solved_besides};
use kanzen::{Budget, Error, ErrorKind};
use kanzen_core::Deadline;
use kanzen_store::Edition;
use tokio::sync::watch;

use crate::admission::{Admission, Connections, Sizes};
use crate::job::Jobs;
use crate::open_games::{OPEN_GAMES, OpenGame, OpenGames};
use crate::options::Options;
use crate::origin_check::OriginCheck;
use crate::refusal::Refusal;
use crate::telemetry::{Log, Metrics};

/// How long the list of games is cached while the data folder is unchanged. Building it reads files.
const LIST_TTL: Duration = Duration::from_secs(1);

/// The state shared by all requests.
pub struct App {
    pub options: Options,
    pub origin_check: OriginCheck,
    pub jobs: Jobs,
    pub open: OpenGames,
    pub admission: Admission,
    pub connections: Arc<Connections>,
    pub metrics: Metrics,
    pub log: Option<Log>,
    games: Arc<dyn Catalogue>,
    /// Built once: an entry caches its forecast and the fingerprint of its rules.
    catalogue: OnceLock<Vec<Arc<Entry>>>,
    /// Serialized views by game.
    views: Mutex<HashMap<String, Arc<[u8]>>>,
    listed: Mutex<Option<Listed>>,
    /// When this server started. Its rules do not change afterwards.
    started: SystemTime,
    closing: watch::Sender<bool>,
}

/// The serialized list of games, with its age and the modification time of the data folder.
struct Listed {
    list: Arc<[u8]>,
    made: Instant,
    folder: Option<SystemTime>,
}

impl App {
    pub fn new(games: Arc<dyn Catalogue>, origin_check: OriginCheck, options: Options) -> App {
        let sizes = Sizes::new(&options);
        App {
            origin_check,
            jobs: Jobs::default(),
            open: OpenGames::default(),
            admission: Admission::new(sizes),
            connections: Arc::new(Connections::new(options.limits.connections, sizes.half())),
            metrics: Metrics::default(),
            log: options.log.then(Log::start),
            games,
            catalogue: OnceLock::new(),
            views: Mutex::default(),
            listed: Mutex::default(),
            started: SystemTime::now(),
            closing: watch::Sender::new(false),
            options,
        }
    }

    /// Returns the games that the catalogue lists.
    fn catalogue(&self) -> &[Arc<Entry>] {
        self.catalogue.get_or_init(|| self.games.all())
    }

    /// Finds a game in the catalogue or in one of its parametric families.
    pub fn find(&self, id: &str) -> Result<Arc<Entry>, Refusal> {
        if let Some(entry) = self.catalogue().iter().find(|entry| entry.info().id == id) {
            return Ok(entry.clone());
        }
        self.games.find(id).map_err(|unknown| self.refusal(unknown))
    }

    /// Returns the weak validator of answers about a game. It changes with the server, which has the rules, and with the
    /// edition of the database.
    pub fn tag(&self, id: &str) -> String {
        let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let edition = plain.then(|| Edition::of(&self.options.data, id));
        let mut hash = DefaultHasher::new();
        (self.started, edition).hash(&mut hash);
        format!("W/\"{:016x}\"", hash.finish())
    }

    /// Returns the list of games, serialized by `make`.
    pub fn listing(&self, make: impl FnOnce(&[Listing]) -> Result<Vec<u8>, Refusal>) -> Result<Arc<[u8]>, Refusal> {
        let data = &self.options.data;
        let folder = || std::fs::metadata(data).and_then(|data| data.modified()).ok();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*listed
            && known.made.elapsed() < LIST_TTL
            && known.folder == folder()
        {
            return Ok(known.list.clone());
        }
        let (made, folder) = (Instant::now(), folder());
        let ids: Vec<&str> = self.catalogue().iter().map(|entry| entry.info().id.as_str()).collect();
        let more = solved_besides(&*self.games, &ids, data);
        let all = self.catalogue().iter().map(|entry| Listing::of(entry, data));
        let all: Vec<Listing> = all.chain(more.iter().map(|entry| Listing::of(entry, data))).collect();
        let list: Arc<[u8]> = make(&all)?.into();
        *listed = Some(Listed { list: list.clone(), made, folder });
        Ok(list)
    }

    /// Returns a solved game. Opens it if needed, and reopens it if its database has changed.
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

    /// Converts an error of an open game. A game whose files fail is closed, so that the next request reopens repaired files.
    pub fn failed(&self, id: &str, error: Error) -> Refusal {
        if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::System) {
            self.open.forget(id);
        }
        self.refusal(error)
    }

    /// Converts an error of work that [`AtDeadline`](crate::client::AtDeadline) may have stopped.
    pub fn stopped(&self, id: &str, error: Error, deadline: &Deadline) -> Refusal {
        match (&error, deadline.check()) {
            (Error::Stopped, Err(Error::TooLong)) => {
                let limit = self.options.limits.work_time.as_secs();
                let text = format!("this takes longer than {limit} s: use the command line");
                Refusal { code: "too_long", ..Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text) }
            }
            _ => self.failed(id, error),
        }
    }

    /// Returns the budget of one game's queries: all threads (at low priority) and one open game's share of memory.
    pub fn search_budget(&self) -> Budget {
        Budget::new(self.options.budget.threads, self.options.budget.memory / OPEN_GAMES as u64)
    }

    /// Returns a serialized view, cached for up to 256 games.
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

    /// Converts an error into a response for the client.
    pub fn refusal(&self, error: Error) -> Refusal {
        Refusal::of(error, &self.options.program, &self.options.data)
    }

    /// Cancels running searches so that the server can shut down.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits until the server cancels running work.
    pub async fn closing(&self) {
        // The sender lives as long as the app.
        self.closing.subscribe().wait_for(|closing| *closing).await.ok();
    }
}
