//! Memory, disk and file limits of this machine, and the use of this process.

#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::vocabulary::Budget;

#[cfg(not(target_family = "wasm"))]
pub use super::limits::room_within_limits;
#[cfg(target_family = "wasm")]
pub use without_system::{free_disk, most_handles, room_within_limits};

/// Bytes of memory that this process can still have, if known: what the machine has free, and no more than
/// control groups and resource limits leave.
pub fn available_memory() -> Option<u64> {
    [kilobytes("/proc/meminfo", "MemAvailable:"), room_within_limits()].into_iter().flatten().min()
}

/// The most memory this process has held so far, in bytes, if known.
pub fn peak_memory() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:")
}

/// Bytes free on the disk that holds `folder` (or the nearest folder above it that exists).
#[cfg(not(target_family = "wasm"))]
pub fn free_disk(folder: &Path) -> Option<u64> {
    let existing = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let disk = rustix::fs::statvfs(if existing.as_os_str().is_empty() { Path::new(".") } else { existing }).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

/// How many files and connections this process may hold open at once, if known.
#[cfg(not(target_family = "wasm"))]
pub fn most_handles() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

pub(super) fn kilobytes(file: &str, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// A browser reports neither a disk nor limits.
#[cfg(target_family = "wasm")]
mod without_system {
    use std::path::Path;

    /// No limits are known.
    pub fn room_within_limits() -> Option<u64> {
        None
    }

    /// There is no disk.
    pub fn free_disk(_: &Path) -> Option<u64> {
        None
    }

    /// There are no files.
    pub fn most_handles() -> Option<u64> {
        None
    }
}

/// The most that this process may use, if a limit was set.
static ALLOWED: Mutex<Option<Budget>> = Mutex::new(None);

/// Limits [`whole_budget`] from now on: the options of a program then hold for all that it does, also
/// where no budget is handed on, as in the search that answers a question.
pub fn keep_within(budget: Budget) {
    *ALLOWED.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget);
}

/// A budget of all threads of this machine and nine tenths of the memory that this process can still have.
pub fn machine_budget() -> Budget {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    Budget::new(threads, available_memory().map_or(4 << 30, |bytes| bytes / 10 * 9))
}

/// The [budget of the machine](machine_budget), and no more than this process is to [keep within](keep_within).
pub fn whole_budget() -> Budget {
    let all = machine_budget();
    match *ALLOWED.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(allowed) => Budget::new(allowed.threads, allowed.memory.min(all.memory)),
        None => all,
    }
}
