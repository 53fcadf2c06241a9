//! The driver of a set-at-a-time solve, for any game: plays rounds, logs them, resumes, and writes planes.
//!
//! ```text
//! round-R-S     the bits that round R has set in set S
//! counts-R      written after them: the round is complete and synced, and its counts
//! NAME.plane    in the end, one for each set: the round of each bit as a value
//! ```
//!
//! The logs of complete rounds are the checkpoint: they are on disk before the round counts as complete. The sync runs
//! while the next round is played (`log_sync.rs`), so that a power cut costs the round at work and, if the disk had not
//! caught up, those that it was behind. A killed solve resumes after the last complete round; where
//! one is damaged or gone, it goes on from the last round before. When a round adds nothing more, the logs of each set are
//! merged into its plane and removed.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::log::{RoundLog, RoundWriter, log_name};
use super::log_sync::{LogSync, counts_name};
use super::planes::{self, MOST_VALUES, SetShape};
use crate::Job;
use kanzen_core::vocabulary::{Error, Value};

/// How often logs that were complete a moment ago may be found damaged before the disk is to blame.
const MOST_REPAIRS: usize = 3;

/// The work of a round, for progress: one is about as long as another. A game that knows how many rounds
/// there will be begins each with an [`Event::Part`](kanzen_core::progress::Event::Part) of this work, with as many steps as
/// the round has.
pub const ROUND_WORK: u64 = 1000;
/// What the planes cost, for each round.
const PLANES_WORK: u64 = 300;

/// A game as sets of positions that grow round by round: all that differs between games solved this way.
///
/// A round sets bits in some of the sets, and the round in which a bit was set is the value of its position. Required is
/// everything but [`is_stored`](Rounds::is_stored) and [`expected_rounds`](Rounds::expected_rounds). An example is in the tests of this module: distances on a ring.
pub trait Rounds: Sync {
    /// The sets in memory, with all that it takes to play a round of them.
    type Sets;

    /// What is known when a round is complete.
    type Counts: Serialize + DeserializeOwned + Send;

    /// The sets by number: how each is logged and stored.
    fn shapes(&self) -> &[SetShape];

    /// Bytes of memory that the sets take while they are played.
    fn memory(&self) -> u64;

    /// The sets before the first round: empty.
    fn begin(&self) -> Result<Self::Sets, Error>;

    /// The numbers of the sets to which a round adds: it has a log for each of them.
    fn grown_in(&self, round: usize) -> Range<usize>;

    /// Plays a round after those before it, and hands what is new in each set it adds to to `log`. It should look
    /// between its parts whether it is to stop ([`Job::steps`]); then the sets are not used any more.
    fn play(&self, sets: &mut Self::Sets, round: usize, log: &RoundWriter<'_>) -> Result<Self::Counts, Error>;

    /// Takes up what a round has added to a set. Rounds come in order, those of all sets one after the other.
    fn replay(&self, sets: &mut Self::Sets, set: usize, log: &RoundLog<'_>) -> Result<(), Error>;

    /// Whether a round has added nothing and nothing can come after it.
    fn is_last(&self, round: usize, counts: &Self::Counts) -> bool;

    /// How many positions the last of some rounds has added, for progress.
    fn found(&self, rounds: &[Self::Counts]) -> u64;

    /// The value of positions that a round adds to a set. Later rounds have worse values.
    fn value(&self, set: usize, round: usize) -> Value;

    /// How many rounds there will be, the last one without anything new counted, where a run has shown it: for
    /// progress.
    fn expected_rounds(&self) -> Option<usize> {
        None
    }

    /// Whether a block of a set's plane is written. Of a set that is its own mirror image, half is enough.
    fn is_stored(&self, _set: usize, _block: usize) -> bool {
        true
    }
}

/// Plays all rounds, going on from what the job's store has of them, and leaves a plane for each set. Returns what each
/// round has counted; the last has added nothing.
pub fn solve<R: Rounds>(rounds: &R, job: &Job<'_>) -> Result<Vec<R::Counts>, Error> {
    let memory = rounds.memory().max(planes::memory(rounds.shapes(), job.threads()));
    let _held = job.reserve(job.store.game(), memory)?;
    job.install(|| Driver { rounds, job }.run())
}

/// A round that could not be read back, and why.
pub(super) struct Unread {
    pub round: usize,
    pub error: Error,
}

struct Driver<'a, R> {
    rounds: &'a R,
    job: &'a Job<'a>,
}

impl<R: Rounds> Driver<'_, R> {
    fn run(&self) -> Result<Vec<R::Counts>, Error> {
        let mut repairs = 0;
        loop {
            let counts = self.play_all()?;
            match self.write_planes(counts.len() - 1) {
                Ok(()) => return Ok(counts),
                Err(unread) if repairs == MOST_REPAIRS => return Err(unread.error),
                Err(unread) => self.forget(unread, counts.len())?,
            };
            repairs += 1;
        }
    }

    /// Reports to the observer how far the work is, with so many rounds played.
    fn look_ahead(&self, played: usize, over: bool) {
        let expected = if over { Some(played) } else { self.rounds.expected_rounds().map(|all| all.max(played + 1)) };
        if let Some(rounds) = expected {
            self.job.ahead((rounds as u64) * (ROUND_WORK + PLANES_WORK));
            self.job.kept(played as u64 * ROUND_WORK);
        }
    }

    /// Plays all rounds that are not played yet.
    fn play_all(&self) -> Result<Vec<R::Counts>, Error> {
        let mut counts = self.counted()?;
        self.look_ahead(counts.len(), self.is_over(&counts));
        if self.is_over(&counts) {
            return Ok(counts);
        }
        let mut sets = self.resume(&mut counts)?;
        std::thread::scope(|scope| {
            let log_sync = LogSync::begin(scope, self.job);
            let played = self.play_on(&mut sets, &mut counts, &log_sync);
            // Whatever ended it, complete rounds are kept. An error of their sync is the more important one.
            log_sync.finish()?;
            played
        })?;
        Ok(counts)
    }

    fn play_on(&self, sets: &mut R::Sets, counts: &mut Vec<R::Counts>, log_sync: &LogSync<'_>) -> Result<(), Error> {
        while !self.is_over(counts) {
            let round = counts.len();
            let of_round = self.play(sets, round, log_sync)?;
            if !log_sync.round_written(round, serde_json::to_vec(&of_round).expect("counts are JSON")) {
                break;
            }
            counts.push(of_round);
            let level = self.rounds.value(self.rounds.grown_in(round).start, round).distance().unwrap_or(0);
            self.job.level_done(level.into(), self.rounds.found(counts), |_| {
                log_sync.wait();
                Ok(())
            })?;
        }
        Ok(())
    }

    fn is_over(&self, counts: &[R::Counts]) -> bool {
        counts.last().is_some_and(|last| self.rounds.is_last(counts.len() - 1, last))
    }

    /// The counts of complete rounds.
    fn counted(&self) -> Result<Vec<R::Counts>, Error> {
        let store = self.job.store;
        let mut counts = Vec::new();
        while let Some(bytes) = store.get(&counts_name(counts.len()))? {
            let Ok(of_round) = serde_json::from_slice(&bytes) else { break };
            counts.push(of_round);
        }
        let next = counts.len();
        if store.has(&counts_name(next)) || store.has(&counts_name(next + 1)) {
            self.job.note(&format!("{} is damaged or missing: going on with round {next}", counts_name(next)));
        }
        Ok(counts)
    }

    /// The sets as the counted rounds have left them. Rounds whose logs cannot be read are forgotten.
    fn resume(&self, counts: &mut Vec<R::Counts>) -> Result<R::Sets, Error> {
        loop {
            self.job.stage("plan", None);
            let mut sets = self.rounds.begin()?;
            match self.replay(&mut sets, counts.len()) {
                Ok(()) => return Ok(sets),
                // What was read of the bad round is in the sets already: they are made again.
                Err(unread) => {
                    drop(sets);
                    let sound = self.forget(unread, counts.len())?;
                    counts.truncate(sound);
                }
            }
        }
    }

    fn replay(&self, sets: &mut R::Sets, rounds: usize) -> Result<(), Unread> {
        let logs = (0..rounds).map(|round| self.rounds.grown_in(round).len() as u64).sum();
        self.job.stage("resume", Some(logs));
        for round in 0..rounds {
            for set in self.rounds.grown_in(round) {
                RoundLog::open(self.job.store, &log_name(round, set))
                    .and_then(|log| self.rounds.replay(sets, set, &log))
                    .and_then(|()| self.job.steps(1))
                    .map_err(|error| Unread { round, error })?;
            }
        }
        Ok(())
    }

    fn play(&self, sets: &mut R::Sets, round: usize, log_sync: &LogSync<'_>) -> Result<R::Counts, Error> {
        let log = RoundWriter::new(self.job, round, self.rounds.shapes(), log_sync);
        let counts = self.rounds.play(sets, round, &log)?;
        if !self.rounds.is_last(round, &counts) {
            self.check_palettes(round)?;
        }
        Ok(counts)
    }

    /// Refuses a round that gives a set more values than its plane can tell apart.
    fn check_palettes(&self, round: usize) -> Result<(), Error> {
        for set in self.rounds.grown_in(round) {
            let values = 1 + (0..=round).filter(|&round| self.rounds.grown_in(round).contains(&set)).count();
            if values > MOST_VALUES {
                let what = self.rounds.shapes()[set].plane.clone();
                return Err(Error::Palette { what, values, limit: MOST_VALUES });
            }
        }
        Ok(())
    }

    /// Writes the planes that are not written yet from so many rounds, and removes the logs they are made from.
    fn write_planes(&self, rounds: usize) -> Result<(), Unread> {
        let of_no_round = |error| Unread { round: 0, error };
        let shapes = self.rounds.shapes();
        let is_written = |shape: &SetShape| self.job.store.has(&shape.plane);
        let chunks = |shape: &SetShape| shape.chunks() as u64;
        let all: u64 = shapes.iter().map(chunks).sum();
        let written: u64 = shapes.iter().filter(|shape| is_written(shape)).map(chunks).sum();
        let work = (rounds as u64 + 1) * PLANES_WORK;
        let kept = (u128::from(work) * u128::from(written) / u128::from(all.max(1))) as u64;
        self.job.kept(kept);
        self.job.part(work - kept, all - written);
        self.job.stage("database", Some(all - written));
        // A version that did not wait for its logs may have left them.
        self.job.store.sync().map_err(of_no_round)?;
        for (set, shape) in shapes.iter().enumerate() {
            if !is_written(shape) {
                planes::write(self.rounds, self.job, set, rounds)?;
            }
            for round in (0..=rounds).filter(|&round| self.rounds.grown_in(round).contains(&set)) {
                self.job.store.remove(&log_name(round, set)).map_err(of_no_round)?;
            }
            self.job.steps(0).map_err(of_no_round)?;
        }
        Ok(())
    }

    /// Drops a round that is damaged or gone and all after it, and returns how many are left. Planes that are written
    /// stay: they would come out the same. Any other error is passed on.
    fn forget(&self, Unread { round, error }: Unread, rounds: usize) -> Result<usize, Error> {
        if !error.is_loss() {
            return Err(error);
        }
        self.job.note(&format!("{error}: going on with round {round}"));
        for lost in (round..rounds).rev() {
            self.job.store.remove(&counts_name(lost))?;
            for set in self.rounds.grown_in(lost) {
                self.job.store.remove(&log_name(lost, set))?;
            }
        }
        Ok(round)
    }
}
