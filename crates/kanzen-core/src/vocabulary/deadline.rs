//! A time limit that the caller can also cancel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Error;
use super::progress::{Event, Observer};

/// A deadline with a cancellation flag.
///
/// Clones share the flag: the caller keeps one and passes the other to the work.
///
/// ```
/// # use kanzen_core as kanzen;
/// use std::time::Duration;
/// use kanzen::{Deadline, Error};
/// let deadline = Deadline::after(Duration::from_secs(60));
/// let handle = deadline.clone();
/// assert!(deadline.check().is_ok());
/// handle.cancel();
/// assert!(matches!(deadline.check(), Err(Error::Stopped)));
/// assert!(matches!(Deadline::after(Duration::ZERO).check(), Err(Error::TooLong)));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Deadline {
    at: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// No time limit; the work can still be cancelled.
    pub fn none() -> Deadline {
        Deadline::default()
    }

    /// A limit this long from now.
    pub fn after(time: Duration) -> Deadline {
        Deadline { at: Instant::now().checked_add(time), cancelled: Arc::default() }
    }

    /// Cancels the work of all clones.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// The time left, or `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Fails with [`Error::Stopped`] once cancelled, with [`Error::TooLong`] once the time is up.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        match self.left() {
            Some(Duration::ZERO) => Err(Error::TooLong),
            _ => Ok(()),
        }
    }
}

/// As an observer it only cancels. The work checks the time limit itself, so that it can report which of the two
/// stopped it.
impl Observer for Deadline {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
