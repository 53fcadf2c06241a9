//! The tests of processes that talk to each other: they wait for time limits and measure processor time, so they run
//! alone, one after the other.

mod common;

mod faults;
mod idle;
mod parcels;
mod slow_receiver;
mod storm;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test of this program runs.
pub fn exclusive() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
