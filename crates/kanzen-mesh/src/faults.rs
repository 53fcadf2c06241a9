//! The first thing that went wrong, for all threads to see.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kanzen::Error;

/// What became of another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was asked to stop, and has written what is to be kept.
    Stopped,
    /// It is lost, or has ended with an error.
    Lost { peer: String, reason: String },
}

/// Shared by all threads of a mesh.
#[derive(Clone, Default)]
pub struct Faults(Arc<Shared>);

#[derive(Default)]
struct Shared {
    first: Mutex<Option<Fate>>,
    failed: AtomicBool,
    /// All are done: links may end.
    closing: AtomicBool,
}

impl Faults {
    /// Notes what became of a process; only the first counts, and none once all are done.
    pub fn note(&self, fate: Fate) {
        if self.is_closing() {
            return;
        }
        self.0.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fate);
        self.0.failed.store(true, SeqCst);
    }

    /// A process is gone, with its link. Its last words may be on their way over the other one, and say more.
    pub fn note_gone(&self, peer: &str, reason: &str) {
        std::thread::sleep(LAST_WORDS);
        self.note(Fate::Lost { peer: peer.to_owned(), reason: reason.to_owned() });
    }

    /// An error if something went wrong.
    pub fn check(&self) -> Result<(), Error> {
        if !self.0.failed.load(SeqCst) {
            return Ok(());
        }
        match &*self.0.first.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(Fate::Stopped) => Err(Error::Stopped),
            Some(Fate::Lost { peer, reason }) => Err(Error::PeerLost { peer: peer.clone(), reason: reason.clone() }),
        }
    }

    /// Whether something went wrong.
    pub fn has_failed(&self) -> bool {
        self.0.failed.load(SeqCst)
    }

    /// From now on a link that ends is no fault.
    pub fn close(&self) {
        self.0.closing.store(true, SeqCst);
    }

    /// Whether links may end.
    pub fn is_closing(&self) -> bool {
        self.0.closing.load(SeqCst)
    }
}

/// How long last words may take.
const LAST_WORDS: Duration = Duration::from_millis(300);
