//! How long somebody waits for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Error;
use super::progress::{Event, Observer};

/// The patience of whoever has asked: it ends at a deadline, or when they leave.
///
/// A clone is a handle to the same patience: one is kept by the asker, the other goes with the question.
///
/// ```
/// use std::time::Duration;
/// use kanzen::{Error, Patience};
/// let patience = Patience::lasting(Duration::from_secs(60));
/// let kept = patience.clone();
/// assert!(patience.check().is_ok());
/// kept.end();
/// assert!(matches!(patience.check(), Err(Error::Stopped)));
/// assert!(matches!(Patience::lasting(Duration::ZERO).check(), Err(Error::TooLong)));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Patience {
    deadline: Option<Instant>,
    ended: Arc<AtomicBool>,
}

impl Patience {
    /// Patience without a deadline.
    pub fn endless() -> Patience {
        Patience::default()
    }

    /// Patience for so long from now.
    pub fn lasting(time: Duration) -> Patience {
        Patience { deadline: Instant::now().checked_add(time), ended: Arc::default() }
    }

    /// Ends it now: the asker has left.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// The time that is left; nothing if there is no deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Fails when it has ended: with [`Error::Stopped`] where the asker has left, with [`Error::TooLong`] at the deadline.
    pub fn check(&self) -> Result<(), Error> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        match self.left() {
            Some(Duration::ZERO) => Err(Error::TooLong),
            _ => Ok(()),
        }
    }
}

/// Long work that takes an observer stops when the asker leaves. The deadline is for the work itself to keep, so that
/// it can tell one from the other.
impl Observer for Patience {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}
