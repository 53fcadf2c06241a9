//! The tests of the server that measure time: they run alone, one after the other.

#[path = "../common/mod.rs"]
mod common;

mod limits;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test of this program runs.
pub fn exclusive() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
