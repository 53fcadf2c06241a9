//! The first failure of a peer, shared by all threads of a mesh.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kanzen::Error;

/// How another process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was interrupted and has written its checkpoint.
    Stopped,
    /// It disconnected or ended with an error.
    Lost { peer: String, reason: String },
}

/// A shared record of the first failure.
#[derive(Clone, Default)]
pub struct Faults(Arc<Shared>);

#[derive(Default)]
struct Shared {
    first: Mutex<Option<Fate>>,
    failed: AtomicBool,
    /// All processes are done: a disconnect is not a fault.
    closing: AtomicBool,
}

impl Faults {
    /// Records how a process ended. Keeps only the first record, and none after [`close`](Faults::close).
    pub fn note(&self, fate: Fate) {
        if self.is_closing() {
            return;
        }
        self.0.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fate);
        self.0.failed.store(true, SeqCst);
    }

    /// Records a disconnect after a short wait: a more precise error may be in flight on the heartbeat connection.
    pub fn note_gone(&self, peer: &str, reason: &str) {
        std::thread::sleep(ERROR_DELAY);
        self.note(Fate::Lost { peer: peer.to_owned(), reason: reason.to_owned() });
    }

    /// Returns the recorded failure as an error.
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

    /// Stops treating disconnects as failures.
    pub fn close(&self) {
        self.0.closing.store(true, SeqCst);
    }

    /// Returns whether disconnects are expected.
    pub fn is_closing(&self) -> bool {
        self.0.closing.load(SeqCst)
    }
}

/// How long to wait for an error message after a disconnect.
const ERROR_DELAY: Duration = Duration::from_millis(300);
