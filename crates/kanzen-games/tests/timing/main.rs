//! The tests of the games that measure time or the memory of a process: they run alone, one after the other.

mod deadline;
mod forged;
mod memory;
#[path = "../it/databases/solve.rs"]
mod solve;
mod strangers;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test of this program runs.
pub fn exclusive() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
