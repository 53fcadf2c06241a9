//! Syncs the logs of finished rounds to disk on a thread of its own, while the next rounds are played.
//!
//! ```text
//! playing    log log log | log log log | log log log |          logs are written without waiting for the disk
//! log sync     sync  sync counts-0  sync       counts-1  ...    counts-R only when all logs up to R are synced
//! ```
//!
//! A sync may take longer than a round of a small game; the logs that were written meanwhile share the next sync.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::Job;
use kanzen_core::vocabulary::Error;

/// How often finished rounds are reported as checkpoints: some games have many a second.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// The file of the counts of a round.
pub(super) fn counts_name(round: usize) -> String {
    format!("counts-{round}")
}

/// A message to the sync thread.
enum Message {
    /// A log is written.
    Logged,
    /// All logs of a round are written, and these are its counts.
    Round(usize, Vec<u8>),
    /// A thread waits until everything before this is synced.
    Wait(Sender<()>),
}

/// The thread that syncs logs, and writes the counts of each round after its logs.
pub(super) struct LogSync<'scope> {
    messages: Sender<Message>,
    thread: ScopedJoinHandle<'scope, Result<(), Error>>,
}

impl<'scope> LogSync<'scope> {
    /// Starts to sync what is written to the store of a job.
    pub fn begin<'env>(scope: &'scope Scope<'scope, 'env>, job: &'env Job<'env>) -> LogSync<'scope> {
        let (messages, received) = channel();
        LogSync { messages, thread: scope.spawn(move || run(job, &received)) }
    }

    /// Reports that a log is written. [`finish`](LogSync::finish) returns the error if it cannot be synced.
    pub fn log_written(&self) {
        self.messages.send(Message::Logged).ok();
    }

    /// Reports that all logs of a round are written. Returns false if a sync has failed: then no further round is kept.
    pub fn round_written(&self, round: usize, counts: Vec<u8>) -> bool {
        self.messages.send(Message::Round(round, counts)).is_ok()
    }

    /// Waits until all that was reported is synced, or has failed.
    pub fn wait(&self) {
        let (synced, wait) = channel();
        self.messages.send(Message::Wait(synced)).ok();
        wait.recv().ok();
    }

    /// Waits until all that was reported is synced, and ends the thread.
    pub fn finish(self) -> Result<(), Error> {
        drop(self.messages);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn run(job: &Job<'_>, messages: &Receiver<Message>) -> Result<(), Error> {
    while let Ok(first) = messages.recv() {
        let (mut rounds, mut waiting) = (Vec::new(), Vec::new());
        for next in [first].into_iter().chain(messages.try_iter()) {
            match next {
                Message::Logged => {}
                Message::Round(round, counts) => rounds.push((round, counts)),
                Message::Wait(synced) => waiting.push(synced),
            }
        }
        // The logs of these rounds were written before their messages were sent.
        job.store.sync()?;
        for (round, counts) in rounds {
            job.store.put(&counts_name(round), &counts)?;
            if job.is_checkpoint_due(REPORT_INTERVAL) {
                job.checkpoint_written();
            }
        }
        waiting.into_iter().for_each(|synced| _ = synced.send(()));
    }
    Ok(())
}
