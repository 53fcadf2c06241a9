//! The summary that each process sends with its last parcel of a level, so that a level takes one barrier and not two.
//!
//! ```text
//!   notices ... notices, LEVEL_SUMMARY ──> each peer      how many parcels that was, and the next level of this process
//! ```
//!
//! A process that has all summaries, and as many parcels as they count, knows that the level is complete without a further
//! message. The next level is at least the minimum over all processes: a notice makes its parent due at the next level or
//! later, so a process that has posted one expects the next level. That level may be empty; the one after is not.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, PoisonError};

use crate::Job;
use crate::mesh::{Mesh, Round, garbled};
use kanzen_core::vocabulary::Error;

/// The first byte of a parcel that is the last one of its sender in a level.
pub const LEVEL_SUMMARY: u8 = u8::MAX;
/// Stands for no level: nothing is due any more.
pub const NEVER: u64 = u64::MAX;

/// What a process expects at the end of a level. Summaries are combined by the minimum of each number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelSummary {
    /// The nearest level at which something may be due.
    pub nearest: u64,
    /// 0 if it is asked to stop.
    pub goes_on: u64,
    /// 0 if it wants a checkpoint to be written.
    pub no_checkpoint: u64,
}

impl LevelSummary {
    /// What this process expects if something is due here at `nearest`.
    pub fn new(job: &Job<'_>, nearest: Option<u32>) -> LevelSummary {
        LevelSummary {
            nearest: nearest.map_or(NEVER, u64::from),
            goes_on: u64::from(!job.observer().stop()),
            no_checkpoint: u64::from(!job.is_checkpoint_due(job.checkpoint_interval())),
        }
    }

    fn numbers(self) -> [u64; 3] {
        [self.nearest, self.goes_on, self.no_checkpoint]
    }

    fn of([nearest, goes_on, no_checkpoint]: [u64; 3]) -> LevelSummary {
        LevelSummary { nearest, goes_on, no_checkpoint }
    }

    fn min(self, other: LevelSummary) -> LevelSummary {
        let (one, other) = (self.numbers(), other.numbers());
        LevelSummary::of(std::array::from_fn(|at| one[at].min(other[at])))
    }

    /// The minimum over all processes, in a round of its own.
    pub fn agreed(self, mesh: &dyn Mesh) -> Result<LevelSummary, Error> {
        Ok(LevelSummary::of(mesh.all_reduce_min(self.numbers())?))
    }
}

/// The summaries of one level.
#[derive(Default)]
pub struct LevelSummaries {
    /// How many summaries have arrived, and how many parcels they count.
    received: AtomicU64,
    parcels: AtomicU64,
    least: Mutex<Option<LevelSummary>>,
}

impl LevelSummaries {
    /// Posts the last parcel of this process to each peer.
    pub fn send(&self, mesh: &dyn Mesh, round: &Round<'_>, mine: LevelSummary) {
        for to in (0..mesh.peers()).filter(|&to| to != mesh.me()) {
            let mut bytes = vec![LEVEL_SUMMARY];
            bytes.extend((round.posted(to) + 1).to_le_bytes());
            bytes.extend(mine.numbers().iter().flat_map(|number| number.to_le_bytes()));
            round.post(to, bytes);
        }
        self.note(mine);
    }

    /// Reads the last parcel of another process, without its first byte.
    pub fn receive(&self, bytes: &[u8]) -> Result<(), Error> {
        let (numbers, []) = bytes.as_chunks::<8>() else { return Err(garbled("a level summary")) };
        let &[parcels, ref numbers @ ..] = numbers else { return Err(garbled("a level summary")) };
        let numbers: &[[u8; 8]; 3] = numbers.try_into().map_err(|_| garbled("a level summary"))?;
        self.note(LevelSummary::of(numbers.map(u64::from_le_bytes)));
        self.parcels.fetch_add(u64::from_le_bytes(parcels), Relaxed);
        self.received.fetch_add(1, Release);
        Ok(())
    }

    /// Whether all summaries have arrived, and they count as many parcels as were taken.
    pub fn are_complete(&self, mesh: &dyn Mesh, taken: u64) -> bool {
        self.received.load(Acquire) + 1 == mesh.peers() as u64 && self.parcels.load(Relaxed) == taken
    }

    /// The minimum over all processes.
    pub fn min(self) -> Option<LevelSummary> {
        self.least.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, summary: LevelSummary) {
        let mut least = self.least.lock().unwrap_or_else(PoisonError::into_inner);
        *least = Some(least.map_or(summary, |least| least.min(summary)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Alone, Parcel};

    #[test]
    fn a_single_process_is_complete_and_the_minimum_counts() {
        let summaries = LevelSummaries::default();
        let mine = LevelSummary { nearest: 7, goes_on: 1, no_checkpoint: 1 };
        let nothing = |_: Parcel| Err(garbled("anything"));
        summaries.send(&Alone, &Round::new(&Alone, &nothing), mine);
        assert!(summaries.are_complete(&Alone, 0));
        let bytes = [2, 5, 1, 0].map(u64::to_le_bytes).concat();
        summaries.receive(&bytes).unwrap();
        assert_eq!(summaries.min(), Some(LevelSummary { nearest: 5, goes_on: 1, no_checkpoint: 0 }));
    }

    #[test]
    fn what_is_too_short_or_too_long_is_refused() {
        for words in [0, 3, 5] {
            assert!(LevelSummaries::default().receive(&vec![0; 8 * words]).is_err());
        }
        assert!(LevelSummaries::default().receive(&[0; 33]).is_err());
    }
}
