//! What processes that share a class tell each other at the end of a level, so that it takes one round and not two.
//!
//! ```text
//!   notices ... notices, OUTLOOK ──> the other        how many parcels that was, and what comes next as far as I know
//! ```
//!
//! Who has heard the last word of everybody, and has taken as many parcels as they say, need not be told that the round is
//! over. What comes next is at least the least of what all expect: a notice makes its parent due at the next level or
//! later, so that whoever has posted one expects the next level. It may turn out to be empty; the one after is not.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, PoisonError};

use crate::Job;
use crate::mesh::{Mesh, Round, garbled};
use kanzen_core::vocabulary::Error;

/// The first byte of a parcel that is the last one of its sender in a level.
pub const OUTLOOK: u8 = u8::MAX;
/// No level, where nothing is due any more.
pub const NEVER: u64 = u64::MAX;

/// What a process expects when a level is done. Of several the least number counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// The nearest level at which something may be due.
    pub nearest: u64,
    /// 0 if it is asked to stop.
    pub goes_on: u64,
    /// 0 if it wants a checkpoint to be written.
    pub no_checkpoint: u64,
}

impl Outlook {
    /// What this process expects if something is due here at `nearest`.
    pub fn new(job: &Job<'_>, nearest: Option<u32>) -> Outlook {
        Outlook {
            nearest: nearest.map_or(NEVER, u64::from),
            goes_on: u64::from(!job.observer().stop()),
            no_checkpoint: u64::from(!job.is_checkpoint_due(job.checkpoint_interval())),
        }
    }

    fn numbers(self) -> [u64; 3] {
        [self.nearest, self.goes_on, self.no_checkpoint]
    }

    fn of([nearest, goes_on, no_checkpoint]: [u64; 3]) -> Outlook {
        Outlook { nearest, goes_on, no_checkpoint }
    }

    fn least(self, other: Outlook) -> Outlook {
        let (one, other) = (self.numbers(), other.numbers());
        Outlook::of(std::array::from_fn(|at| one[at].min(other[at])))
    }

    /// Agrees with all others, in a round of its own.
    pub fn agreed(self, mesh: &dyn Mesh) -> Result<Outlook, Error> {
        Ok(Outlook::of(mesh.all_reduce_min(self.numbers())?))
    }
}

/// What was heard of others in one level.
#[derive(Default)]
pub struct Outlooks {
    /// How many have said their last word, and how many parcels that makes.
    heard: AtomicU64,
    parcels: AtomicU64,
    least: Mutex<Option<Outlook>>,
}

impl Outlooks {
    /// Posts the last parcels of this process.
    pub fn tell(&self, mesh: &dyn Mesh, round: &Round<'_>, mine: Outlook) {
        for to in (0..mesh.peers()).filter(|&to| to != mesh.me()) {
            let mut bytes = vec![OUTLOOK];
            bytes.extend((round.posted(to) + 1).to_le_bytes());
            bytes.extend(mine.numbers().iter().flat_map(|number| number.to_le_bytes()));
            round.post(to, bytes);
        }
        self.note(mine);
    }

    /// Takes the last parcel of another process, without its first byte.
    pub fn hear(&self, bytes: &[u8]) -> Result<(), Error> {
        let (numbers, []) = bytes.as_chunks::<8>() else { return Err(garbled("an outlook")) };
        let &[parcels, ref numbers @ ..] = numbers else { return Err(garbled("an outlook")) };
        let numbers: &[[u8; 8]; 3] = numbers.try_into().map_err(|_| garbled("an outlook"))?;
        self.note(Outlook::of(numbers.map(u64::from_le_bytes)));
        self.parcels.fetch_add(u64::from_le_bytes(parcels), Relaxed);
        self.heard.fetch_add(1, Release);
        Ok(())
    }

    /// Whether everybody has said his last word, and this many parcels are all there are.
    pub fn is_all(&self, mesh: &dyn Mesh, taken: u64) -> bool {
        self.heard.load(Acquire) + 1 == mesh.peers() as u64 && self.parcels.load(Relaxed) == taken
    }

    /// What all expect together.
    pub fn least(self) -> Option<Outlook> {
        self.least.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, outlook: Outlook) {
        let mut least = self.least.lock().unwrap_or_else(PoisonError::into_inner);
        *least = Some(least.map_or(outlook, |least| least.least(outlook)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Alone, Parcel};

    #[test]
    fn one_alone_has_heard_all_and_the_least_counts() {
        let outlooks = Outlooks::default();
        let mine = Outlook { nearest: 7, goes_on: 1, no_checkpoint: 1 };
        let nothing = |_: Parcel| Err(garbled("anything"));
        outlooks.tell(&Alone, &Round::new(&Alone, &nothing), mine);
        assert!(outlooks.is_all(&Alone, 0));
        let said = [2, 5, 1, 0].map(u64::to_le_bytes).concat();
        outlooks.hear(&said).unwrap();
        assert_eq!(outlooks.least(), Some(Outlook { nearest: 5, goes_on: 1, no_checkpoint: 0 }));
    }

    #[test]
    fn what_is_too_short_or_too_long_is_refused() {
        for words in [0, 3, 5] {
            assert!(Outlooks::default().hear(&vec![0; 8 * words]).is_err());
        }
        assert!(Outlooks::default().hear(&[0; 33]).is_err());
    }
}
