//! Received parcels by round, the ends of rounds, and parking of threads that wait for either.
//!
//! A connection keeps the order of what is sent, so that a process that has closed a round has delivered its parcels.
//! A round whose parcels carry their own count, such as a level of a solve, needs no close; the next one closes it too.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kanzen_core::mesh::Parcel;

/// Number of spins before a waiting thread sleeps: a wake-up takes longer than most messages.
const SPINS: u32 = 64;
/// If `yield_now` takes longer than this, the CPU is oversubscribed: sleep instead of spinning.
const OVERSUBSCRIBED: Duration = Duration::from_micros(10);
/// Maximum sleep of a waiting thread.
const MAX_SLEEP: Duration = Duration::from_millis(2);

/// Received parcels.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
    /// The number of parked threads.
    parked: AtomicUsize,
    /// Bytes posted but not yet acknowledged, by receiver.
    pub in_flight: Vec<AtomicU64>,
}

#[derive(Default)]
struct State {
    /// Parcels that were not taken yet.
    rounds: BTreeMap<u64, VecDeque<Parcel>>,
    /// The first round that is not forgotten.
    first: u64,
    /// Parcels of all rounds so far, by sender.
    received: Vec<u64>,
    /// By process: it has closed the rounds below this one.
    closed: Vec<u64>,
    /// All processes have closed the rounds below this one.
    all_closed: u64,
}

impl State {
    fn has_parcel(&self, round: u64) -> bool {
        self.rounds.get(&round).is_some_and(|parcels| !parcels.is_empty())
    }

    fn is_over(&self, round: u64) -> bool {
        self.all_closed > round && !self.has_parcel(round)
    }
}

impl Inbox {
    /// Creates an empty inbox for the given number of processes.
    pub fn new(peers: usize) -> Inbox {
        let state = State { received: vec![0; peers], closed: vec![0; peers], ..State::default() };
        let in_flight = (0..peers).map(|_| AtomicU64::new(0)).collect();
        Inbox { state: Mutex::new(state), in_flight, ..Inbox::default() }
    }

    /// Takes a parcel of a round.
    pub fn take(&self, round: u64) -> Option<Parcel> {
        self.state().rounds.get_mut(&round)?.pop_front()
    }

    /// Returns whether all processes have closed a round and all its parcels were taken.
    pub fn is_over(&self, round: u64) -> bool {
        self.state().is_over(round)
    }

    /// Drops the state of a finished round.
    pub fn forget(&self, round: u64) {
        let mut state = self.state();
        state.rounds.remove(&round);
        state.first = round + 1;
    }

    /// Parks the thread until a parcel arrives or the round ends, at most about 2 ms.
    pub fn park(&self, round: u64) {
        self.parked.fetch_add(1, SeqCst);
        let nothing = |state: &State| !state.has_parcel(round) && state.all_closed <= round;
        let mut waiting = true;
        for _ in 0..SPINS {
            let since = Instant::now();
            std::thread::yield_now();
            waiting = nothing(&self.state());
            if !waiting || since.elapsed() > OVERSUBSCRIBED {
                break;
            }
        }
        if waiting {
            let state = self.state();
            if nothing(&state) {
                drop(self.arrived.wait_timeout(state, MAX_SLEEP));
            }
        }
        self.parked.fetch_sub(1, SeqCst);
    }

    /// Adds a parcel. Returns whether its round is not over.
    pub fn put(&self, round: u64, parcel: Parcel) -> bool {
        let mut state = self.state();
        let expected = round >= state.first;
        state.received[parcel.from] += 1;
        state.rounds.entry(round).or_default().push_back(parcel);
        drop(state);
        self.wake();
        expected
    }

    /// Records an acknowledgement of bytes by their receiver. Returns whether that many were in flight.
    pub fn acknowledge(&self, by: usize, bytes: u64) -> bool {
        let known = self.in_flight[by].fetch_update(SeqCst, SeqCst, |before| before.checked_sub(bytes)).is_ok();
        self.wake();
        known
    }

    /// Records that a process has closed a round, after so many parcels to this one in all rounds. Returns whether they
    /// have arrived.
    pub fn close(&self, from: usize, round: u64, parcels: u64) -> bool {
        let mut state = self.state();
        let arrived = state.received[from] == parcels && round >= state.closed[from];
        state.closed[from] = round + 1;
        let all = state.closed.iter().copied().min().unwrap_or(0);
        let changed = all != std::mem::replace(&mut state.all_closed, all);
        drop(state);
        if changed {
            self.wake();
        }
        arrived
    }

    /// Wakes parked threads. Skips the system call if there are none, since it costs as much as a parcel.
    fn wake(&self) {
        if self.parked.load(SeqCst) > 0 {
            self.arrived.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_over_once_all_have_closed_it_and_its_parcels_are_taken() {
        let inbox = Inbox::new(2);
        assert!(inbox.put(3, Parcel { from: 1, bytes: vec![7] }));
        assert!(inbox.close(1, 3, 1) && !inbox.is_over(3));
        assert!(inbox.close(0, 3, 0) && !inbox.is_over(3));
        assert!(inbox.take(3).is_some() && inbox.take(3).is_none());
        assert!(inbox.is_over(3) && inbox.is_over(2) && !inbox.is_over(4));
    }

    #[test]
    fn a_missing_a_late_and_an_acknowledged_parcel_that_was_never_sent_are_noticed() {
        let inbox = Inbox::new(2);
        inbox.put(0, Parcel { from: 1, bytes: vec![7] });
        assert!(!inbox.close(1, 0, 2), "one is missing");
        assert!(!inbox.close(1, 0, 1), "a round is closed once");
        inbox.forget(0);
        assert!(!inbox.put(0, Parcel { from: 1, bytes: vec![8] }), "round 0 is over");
        assert!(!inbox.acknowledge(1, 1), "nothing was sent");
    }
}
