//! Why a solve could not be done.

use crate::machine::human_bytes;
use crate::store::StoreError;

/// Why a solve stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The budget is too small; said before the work starts.
    #[error("{what} needs {} of memory, the budget is {}: raise --memory", human_bytes(*.needed), human_bytes(*.budget))]
    Memory {
        /// What would need it.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        budget: u64,
    },
    /// The disk is too small; said before the work starts.
    #[error("{what} needs {} of disk, {} has {} free", human_bytes(*.needed), .folder.display(), human_bytes(*.free))]
    Disk {
        /// What would need it.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Where.
        folder: std::path::PathBuf,
        /// Bytes free.
        free: u64,
    },
    /// Asked to stop; the checkpoint is written.
    #[error("stopped; the same command goes on from here")]
    Stopped,
    /// The system starts no more threads.
    #[error("no worker threads: {0}; try --threads 1")]
    Threads(String),
    /// A search with a time limit has reached it.
    #[error("the search for this score takes too long; ask for a position nearer to the end of the game")]
    TooLong,
    /// The rules contradict themselves: a bug in the game.
    #[error("the rules do not hold together: {0}")]
    Rules(String),
    /// A file could not be written or read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
