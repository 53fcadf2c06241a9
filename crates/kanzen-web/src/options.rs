//! Server options and limits.

use std::path::PathBuf;
use std::time::Duration;

use kanzen::Budget;
use kanzen_core::machine::most_handles;

/// Server options.
///
/// ```
/// use kanzen_web::Options;
/// let options = Options::new("kanzen", "data", kanzen::Budget::new(2, 1 << 30));
/// assert!(!options.allow_solve && !options.log && options.cors.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the command, for advice in error messages.
    pub program: String,
    /// The folder of the databases.
    pub data: PathBuf,
    /// Threads and memory for queries and solves.
    pub budget: Budget,
    /// How often a solve writes a checkpoint.
    pub checkpoint_every: Duration,
    /// Whether clients may start solves. Requires a loopback address.
    pub allow_solve: bool,
    /// Allowed cross-site origins, such as `https://games.example`; `*` allows any.
    pub cors: Vec<String>,
    /// Whether to log each request on standard error.
    pub log: bool,
    /// Connection, concurrency and time limits.
    pub limits: Limits,
}

impl Options {
    /// Creates default options: no solves, no cross-site origins, no log.
    pub fn new(program: impl Into<String>, data: impl Into<PathBuf>, budget: Budget) -> Options {
        Options {
            program: program.into(),
            data: data.into(),
            budget,
            checkpoint_every: Duration::from_secs(300),
            allow_solve: false,
            cors: Vec::new(),
            log: false,
            limits: Limits::default(),
        }
    }
}

/// Resource limits. One address gets at most half of all permits and a quarter of the connections that
/// others leave free.
///
/// ```
/// let limits = kanzen_web::Limits::default();
/// assert!(limits.search_places < limits.search_queue);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of open connections; more get a 503. Defaults to at most half of the process's file handles.
    pub connections: usize,
    /// Timeout for a request head, including the wait for the next request on a connection.
    pub head_time: Duration,
    /// Timeout for a request body.
    pub body_time: Duration,
    /// Timeout for a client to read a piece of the response.
    pub write_time: Duration,
    /// Timeout in the admission queue.
    pub queue_time: Duration,
    /// Time limit of the work of a request, mainly of searches.
    pub work_time: Duration,
    /// Maximum number of concurrent searches.
    pub search_places: usize,
    /// Maximum number of queued searches.
    pub search_queue: usize,
    /// How long running searches may continue after shutdown begins.
    pub closing_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let handles = most_handles().unwrap_or(u64::MAX) / 2;
        Limits {
            connections: usize::try_from(handles).unwrap_or(usize::MAX).min(1024),
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(10),
            write_time: Duration::from_secs(15),
            queue_time: Duration::from_secs(5),
            work_time: Duration::from_secs(20),
            search_places: 2,
            search_queue: 8,
            closing_time: Duration::from_secs(3),
        }
    }
}
