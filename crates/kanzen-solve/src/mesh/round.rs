//! A round of the mesh in which all threads of a process post and take parcels.

use rayon::prelude::*;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};

use super::{Mesh, Parcel};
use kanzen_core::vocabulary::Error;

/// Handles a parcel; called by any thread.
type Take<'a> = dyn Fn(Parcel) -> Result<(), Error> + Sync + 'a;

/// One round of a mesh. The first error in it is kept for [`finish`](Round::finish), so that threads need not stop
/// in the middle of their work.
pub(crate) struct Round<'a> {
    mesh: &'a dyn Mesh,
    take: &'a Take<'a>,
    /// Parcels to each process so far.
    posted: Vec<AtomicU64>,
    /// Parcels that were taken, and done with.
    taken: AtomicU64,
    failed: AtomicBool,
    failure: Mutex<Option<Error>>,
}

impl<'a> Round<'a> {
    /// The round at hand, with what becomes of its parcels.
    pub fn new(mesh: &'a dyn Mesh, take: &'a Take<'a>) -> Round<'a> {
        Round {
            mesh,
            take,
            posted: (0..mesh.peers()).map(|_| AtomicU64::new(0)).collect(),
            taken: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            failure: Mutex::default(),
        }
    }

    /// How many parcels this process has posted to another.
    pub fn posted(&self, to: usize) -> u64 {
        self.posted[to].load(Relaxed)
    }

    /// Sends bytes to another process. While too much is in flight, parcels are taken instead: without that, processes
    /// that wait for each other could wait for ever.
    pub fn post(&self, to: usize, bytes: Vec<u8>) {
        while !self.has_failed() && self.mesh.window_full(to) {
            if !self.take_one() {
                self.mesh.park();
            }
        }
        if !self.has_failed() {
            self.posted[to].fetch_add(1, Relaxed);
            self.note(self.mesh.post(to, bytes));
        }
    }

    /// Takes the parcels that are here.
    pub fn take_some(&self) {
        while self.take_one() {}
    }

    /// Whether something has gone wrong.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Enters the barrier and takes parcels, on all threads, until the round is complete.
    pub fn finish(self) -> Result<(), Error> {
        let mesh = self.mesh;
        self.finish_when(&|_| mesh.barrier_done())
    }

    /// As [`finish`](Round::finish), where the parcels themselves contain their number: the round is over for this process
    /// as soon as `is_over` returns true for the number taken. Other processes may still be in it.
    pub fn finish_when(self, is_over: &(dyn Fn(u64) -> Result<bool, Error> + Sync)) -> Result<(), Error> {
        if !self.has_failed() {
            self.note(self.mesh.barrier_enter());
        }
        (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).for_each(|_| {
            while !self.has_failed() {
                if !self.take_one() {
                    match is_over(self.taken.load(Acquire)) {
                        Ok(true) => break,
                        Ok(false) => self.mesh.park(),
                        error => self.note(error.map(|_| ())),
                    }
                }
            }
        });
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => {
                self.mesh.next_round();
                Ok(())
            }
        }
    }

    /// Keeps the first error for [`finish`](Round::finish).
    pub fn note(&self, outcome: Result<(), Error>) {
        if let Err(error) = outcome {
            self.failed.store(true, Relaxed);
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn take_one(&self) -> bool {
        if self.has_failed() {
            return false;
        }
        match self.mesh.poll() {
            Ok(Some(parcel)) => {
                self.note((self.take)(parcel));
                self.taken.fetch_add(1, Release);
                true
            }
            Ok(None) => false,
            Err(error) => {
                self.note(Err(error));
                false
            }
        }
    }
}
