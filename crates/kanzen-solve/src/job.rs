//! One running solve: its threads, memory, store and observer.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::WorkFolder;
use super::mesh::Mesh;
use kanzen_core::machine::{self, parallel};
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::{Budget, Error, Ledger, Reservation};

/// The resources of a solver.
///
/// ```
/// use kanzen_core::progress::Silent;
/// use kanzen_solve::{Job, WorkFolder};
/// use kanzen_core::Budget;
/// let store = WorkFolder::in_memory();
/// let job = Job::new(&store, Budget::new(2, 1 << 20), &Silent)?;
/// let words = job.reserve("the words", 1 << 19)?;
/// assert!(job.reserve("as many again", 1 << 20).is_err());
/// drop(words);
/// assert!(job.reserve("as many again", 1 << 20).is_ok());
/// # Ok::<(), kanzen_core::Error>(())
/// ```
pub struct Job<'a> {
    /// Where checkpoints and results are kept.
    pub store: &'a WorkFolder,
    observer: &'a dyn Observer,
    mesh: Option<&'a dyn Mesh>,
    ledger: Ledger,
    pool: rayon::ThreadPool,
    checkpoint_every: Duration,
    last_checkpoint: Mutex<Instant>,
    began: Instant,
    before: Duration,
}

/// The file in which the time of all runs so far is kept.
const TIME: &str = "time";

impl<'a> Job<'a> {
    /// A solve with this budget, a checkpoint every five minutes.
    pub fn new(store: &'a WorkFolder, budget: Budget, observer: &'a dyn Observer) -> Result<Job<'a>, Error> {
        Ok(Job {
            store,
            observer,
            mesh: None,
            ledger: Ledger::new(budget),
            pool: machine::pool(budget.threads)?,
            checkpoint_every: Duration::from_secs(300),
            last_checkpoint: Mutex::new(Instant::now()),
            began: Instant::now(),
            before: time_of(store.get(TIME)?),
        })
    }

    /// Writes a checkpoint after the first level that ends this long after the last one.
    pub fn checkpoint_every(self, interval: Duration) -> Job<'a> {
        Job { checkpoint_every: interval, ..self }
    }

    /// Solves together with other processes: each has a share of the slots, and all call the same solver. The store of
    /// the first gets the files; those of the others keep checkpoints only.
    pub fn with_mesh(self, mesh: Option<&'a dyn Mesh>) -> Job<'a> {
        Job { mesh, ..self }
    }

    /// The processes that solve this together, if there are several.
    pub fn mesh(&self) -> Option<&'a dyn Mesh> {
        self.mesh
    }

    /// How often checkpoints are written.
    pub fn checkpoint_interval(&self) -> Duration {
        self.checkpoint_every
    }

    /// How many worker threads the job has.
    pub fn threads(&self) -> usize {
        self.ledger.budget().threads
    }

    /// Who holds how much memory.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The observer: it receives the progress, and may ask to stop.
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Runs `work` on the worker threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        parallel::install(&self.pool, work)
    }

    /// Reserves memory until the reservation is dropped, or refuses with both figures.
    pub fn reserve(&self, what: &str, bytes: u64) -> Result<Reservation, Error> {
        self.ledger.reserve(what, bytes)
    }

    /// A stage of the work begins.
    pub fn stage(&self, name: &str, total: Option<u64>) {
        self.observer.event(Event::Stage { name, total });
    }

    /// Announces the work that is ahead, in units that its parts share. [`kept`](Job::kept) then reports the part of it
    /// that earlier runs have done.
    pub fn ahead(&self, work: u64) {
        self.observer.event(Event::Ahead { work });
    }

    /// A part of the work begins: so many units, in so many steps.
    pub fn part(&self, work: u64, steps: u64) {
        self.observer.event(Event::Part { work, steps });
    }

    /// An earlier run has done so many units of the work.
    pub fn kept(&self, work: u64) {
        self.observer.event(Event::Kept { work });
    }

    /// Some steps of the stage are done. An error if the work is asked to stop.
    pub fn steps(&self, steps: u64) -> Result<(), Error> {
        self.observer.event(Event::Steps { steps });
        if self.observer.stop() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// A sentence for the log.
    pub fn note(&self, text: &str) {
        self.observer.event(Event::Note { text });
    }

    /// A level is done. If a checkpoint is due, or the work is asked to stop, `keep` writes it; then it may end here.
    pub fn level_done(
        &self,
        level: u64,
        positions: u64,
        keep: impl FnOnce(&WorkFolder) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.observer.event(Event::Level { level, positions });
        let stop = self.observer.stop();
        if stop || self.is_checkpoint_due(self.checkpoint_every) {
            keep(self.store)?;
            self.checkpoint_written();
        }
        if stop { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Reports a finished level with the number of positions settled here. The caller writes the checkpoints.
    pub fn level_reached(&self, level: u64, positions: u64) {
        self.observer.event(Event::Level { level, positions });
    }

    /// Whether the last checkpoint (or the start) was so long ago.
    pub fn is_checkpoint_due(&self, interval: Duration) -> bool {
        self.last_checkpoint.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= interval
    }

    /// How long the solve has taken so far, with earlier runs that were stopped or killed up to their last checkpoint.
    pub fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// How long earlier runs of this solve took, up to their last checkpoints.
    pub fn before(&self) -> Duration {
        self.before
    }

    /// Keeps the time that the solve has taken so far, for the run that goes on from here.
    pub fn keep_time(&self) -> Result<(), Error> {
        if self.mesh.is_some_and(|mesh| mesh.me() > 0) {
            return Ok(()); // the first one keeps it
        }
        self.store.put(TIME, self.elapsed().as_secs_f64().to_string().as_bytes())
    }

    /// A checkpoint is on the disk.
    pub fn checkpoint_written(&self) {
        // An error is not worth the solve: without the file the report only understates the time.
        self.keep_time().ok();
        self.observer.event(Event::Checkpoint);
        *self.last_checkpoint.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// The time that was kept; none if there is none.
fn time_of(kept: Option<Vec<u8>>) -> Duration {
    let seconds = kept.and_then(|bytes| String::from_utf8(bytes).ok()?.parse::<f64>().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    use kanzen_core::vocabulary::progress::Silent;

    #[test]
    fn the_time_of_a_solve_counts_all_its_runs() {
        let store = WorkFolder::in_memory();
        let budget = Budget::new(1, 1 << 20);
        store.put(TIME, b"3600.5").unwrap();
        let job = Job::new(&store, budget, &Silent).unwrap();
        assert!(job.elapsed() >= Duration::from_millis(3_600_500));
        job.checkpoint_written();
        let next = Job::new(&store, budget, &Silent).unwrap();
        assert!(next.elapsed() >= Duration::from_millis(3_600_500) && next.elapsed() < Duration::from_secs(3700));
    }

    #[test]
    fn a_time_that_is_none_is_no_time() {
        for nonsense in [&b"-1"[..], b"inf", b"nan", b"soon", b"\xff"] {
            assert_eq!(time_of(Some(nonsense.to_vec())), Duration::ZERO);
        }
    }
}
