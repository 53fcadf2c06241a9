//! How the explorer is to run.

use std::path::PathBuf;
use std::time::Duration;

use kanzen::Budget;
use kanzen::machine::most_handles;

/// How the explorer is to run.
///
/// ```
/// use kanzen_web::Options;
/// let options = Options::new("kanzen", "data", kanzen::Budget::new(2, 1 << 30));
/// assert!(!options.allow_solve && !options.log && options.cors.is_empty());
/// ```
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
    /// Origins whose pages may ask, such as `https://games.example`; `*` is any.
    pub cors: Vec<String>,
    /// Whether each request is a line on standard error.
    pub log: bool,
    /// How much, and how long.
    pub limits: Limits,
}

impl Options {
    /// Options for a program, its data folder and a budget: nothing is solved for visitors, no other page may ask, and
    /// nothing is logged.
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

/// How much visitors may take, and for how long. One address has half of all places at most, and a quarter of the
/// connections.
///
/// ```
/// let limits = kanzen_web::Limits::default();
/// assert!(limits.search_places < limits.search_queue);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Open connections; more are told to come back. A process with few file handles keeps half of them for its files.
    pub connections: usize,
    /// How long the head of a request, or the next request of a connection, may take to arrive.
    pub head_time: Duration,
    /// How long the body of a request may take to arrive.
    pub body_time: Duration,
    /// How long a visitor may take to read what is written to them.
    pub write_time: Duration,
    /// How long a request may wait for a place to be worked on.
    pub queue_time: Duration,
    /// How long a request may be worked on, searches above all.
    pub work_time: Duration,
    /// Searches at a time.
    pub search_places: usize,
    /// Searches that may wait.
    pub search_queue: usize,
    /// How long searches may go on after the server was told to end.
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
