//! Rounds are made safe on the disk by a thread of their own, while the next ones are played.
//!
//! ```text
//! playing   log log log | log log log | log log log |          logs are written, and nobody waits for the disk
//! keeper      sync  sync counts-0  sync       counts-1  ...    counts-R only when all logs up to R are safe
//! ```
//!
//! A disk may take longer for a sync than a small game for a round: what has come meanwhile is made safe together.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::Job;
use kanzen_core::vocabulary::Error;

/// How often whole rounds are told as checkpoints: some games have many a second.
const WORTH_TELLING: Duration = Duration::from_secs(5);

/// What a round has counted.
pub(super) fn counts_name(round: usize) -> String {
    format!("counts-{round}")
}

/// What the keeper is told.
enum Told {
    /// A log is written.
    Logged,
    /// All logs of a round are written, and these are its counts.
    Whole(usize, Vec<u8>),
    /// Somebody wants to hear when all so far is safe.
    Asked(Sender<()>),
}

/// A thread that makes rounds safe.
pub(super) struct Keeper<'scope> {
    tell: Sender<Told>,
    thread: ScopedJoinHandle<'scope, Result<(), Error>>,
}

impl<'scope> Keeper<'scope> {
    /// Begins to keep what is written to the store of a job.
    pub fn begin<'env>(scope: &'scope Scope<'scope, 'env>, job: &'env Job<'env>) -> Keeper<'scope> {
        let (tell, told) = channel();
        Keeper { tell, thread: scope.spawn(move || keep(job, &told)) }
    }

    /// A log is written. Whether it could be made safe is said by [`end`](Keeper::end).
    pub fn logged(&self) {
        self.tell.send(Told::Logged).ok();
    }

    /// A round is whole. False if earlier ones could not be made safe: then it is of no use to go on.
    pub fn whole(&self, round: usize, counts: Vec<u8>) -> bool {
        self.tell.send(Told::Whole(round, counts)).is_ok()
    }

    /// Waits until all that was told is safe, or failed.
    pub fn wait(&self) {
        let (answer, answered) = channel();
        self.tell.send(Told::Asked(answer)).ok();
        answered.recv().ok();
    }

    /// Waits until all that was told is safe.
    pub fn end(self) -> Result<(), Error> {
        drop(self.tell);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn keep(job: &Job<'_>, told: &Receiver<Told>) -> Result<(), Error> {
    while let Ok(first) = told.recv() {
        let (mut rounds, mut asked) = (Vec::new(), Vec::new());
        for next in [first].into_iter().chain(told.try_iter()) {
            match next {
                Told::Logged => {}
                Told::Whole(round, counts) => rounds.push((round, counts)),
                Told::Asked(answer) => asked.push(answer),
            }
        }
        // The logs of these rounds were written before the keeper was told.
        job.store.sync()?;
        for (round, counts) in rounds {
            job.store.put(&counts_name(round), &counts)?;
            if job.is_checkpoint_due(WORTH_TELLING) {
                job.checkpoint_written();
            }
        }
        asked.into_iter().for_each(|answer| _ = answer.send(()));
    }
    Ok(())
}
