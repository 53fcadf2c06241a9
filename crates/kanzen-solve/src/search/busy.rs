//! Marks on positions that a thread is searching, so that other threads search elsewhere first.
//!
//! After ABDADA (Weill 1996) in the simple form of Kerrigan: a child under work elsewhere is put off to a second
//! round. By then it is most often in the table. Marks are hints: a lost or wrong one costs time, never a result.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// Positions under work.
pub struct Busy {
    slots: Box<[AtomicU64]>,
}

impl Default for Busy {
    fn default() -> Busy {
        Busy { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Busy {
    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[hash as usize % SLOTS]
    }

    /// Whether a thread works on the position with this hash.
    pub fn taken(&self, hash: u64) -> bool {
        self.slot(hash).load(Ordering::Relaxed) == hash
    }

    /// Marks a position as searched by some thread.
    pub fn take(&self, hash: u64) {
        self.slot(hash).store(hash, Ordering::Relaxed);
    }

    /// Takes the mark away.
    pub fn leave(&self, hash: u64) {
        // Another position's mark in the same slot stays.
        let _ = self.slot(hash).compare_exchange(hash, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
