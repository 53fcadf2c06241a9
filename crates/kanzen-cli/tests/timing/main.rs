//! The tests of the command that measure time, send signals or kill processes: they run alone, one after the other.
//!
//! `scripts/test` runs this program when nothing else is at work. Each test holds [`exclusive`] until it ends, so that it
//! does not matter how many threads the test program has.

#[path = "../support/common/mod.rs"]
mod common;
#[cfg(feature = "cluster")]
#[path = "../support/rig/mod.rs"]
mod rig;
#[cfg(feature = "cluster")]
#[path = "../support/team/mod.rs"]
mod team;

#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod cluster_faults;
mod cost;
mod handles;
mod interruption;
mod limits;
mod serve;
mod stopping;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test of this program runs.
pub fn exclusive() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
