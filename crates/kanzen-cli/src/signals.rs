//! Ctrl-C and SIGTERM ask a solve to write a checkpoint and stop; asked twice, it ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on the signals ask instead of killing. Without a handler they kill, which is safe too.
pub fn watch() {
    ctrlc::set_handler(|| {
        // Files appear whole, so the second one loses no more than a kill would: the work since the last checkpoint.
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .ok();
}

/// Whether somebody has asked.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
