//! Received parcels by round, and parking of threads that wait for them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kanzen::mesh::Parcel;

/// Number of spins before a waiting thread sleeps: a wake-up takes longer than most messages.
pub const SPINS: u32 = 64;
/// If `yield_now` takes longer than this, the CPU is oversubscribed: sleep instead of spinning.
const OVERSUBSCRIBED: Duration = Duration::from_micros(10);
/// Maximum sleep of a waiting thread.
const MAX_SLEEP: Duration = Duration::from_millis(2);

/// Received parcels.
#[derive(Default)]
pub struct Inbox {
    rounds: Mutex<BTreeMap<u64, Arrived>>,
    arrived: Condvar,
    /// All processes have closed the rounds below this one, and all their announcements have arrived.
    closed: AtomicU64,
    /// The number of parked threads.
    parked: AtomicUsize,
    /// Bytes posted but not yet acknowledged, by receiver.
    pub in_flight: Vec<AtomicU64>,
}

/// The parcels of a round.
#[derive(Default)]
struct Arrived {
    parcels: VecDeque<Parcel>,
    /// Parcels received, including those already taken.
    count: u64,
    /// Parcels announced.
    announced: u64,
}

impl Inbox {
    /// Creates an empty inbox for the given number of processes.
    pub fn new(peers: usize) -> Inbox {
        Inbox { in_flight: (0..peers).map(|_| AtomicU64::new(0)).collect(), ..Inbox::default() }
    }

    /// Takes a parcel of a round.
    pub fn take(&self, round: u64) -> Option<Parcel> {
        self.rounds().get_mut(&round)?.parcels.pop_front()
    }

    /// Returns whether a round has ended and all its parcels were taken.
    pub fn is_over(&self, round: u64) -> bool {
        self.is_done(&self.rounds(), round)
    }

    fn is_done(&self, rounds: &BTreeMap<u64, Arrived>, round: u64) -> bool {
        let all = |arrived: &Arrived| arrived.parcels.is_empty() && arrived.count == arrived.announced;
        self.closed.load(SeqCst) > round && rounds.get(&round).is_none_or(all)
    }

    /// Drops the state of a finished round.
    pub fn forget(&self, round: u64) {
        self.rounds().remove(&round);
    }

    /// Parks the thread until a parcel arrives or the round ends, at most about 2 ms.
    pub fn park(&self, round: u64) {
        self.parked.fetch_add(1, SeqCst);
        let nothing = |rounds: &BTreeMap<u64, Arrived>| {
            rounds.get(&round).is_none_or(|arrived| arrived.parcels.is_empty()) && !self.is_done(rounds, round)
        };
        let mut waiting = true;
        for _ in 0..SPINS {
            let since = Instant::now();
            std::thread::yield_now();
            waiting = nothing(&self.rounds());
            if !waiting || since.elapsed() > OVERSUBSCRIBED {
                break;
            }
        }
        if waiting {
            let rounds = self.rounds();
            if nothing(&rounds) {
                drop(self.arrived.wait_timeout(rounds, MAX_SLEEP));
            }
        }
        self.parked.fetch_sub(1, SeqCst);
    }

    /// Returns whether a thread is parked.
    pub fn is_awaited(&self) -> bool {
        self.parked.load(SeqCst) > 0
    }

    /// Adds a received parcel.
    pub fn put(&self, round: u64, parcel: Parcel) {
        let mut rounds = self.rounds();
        let arrived = rounds.entry(round).or_default();
        arrived.parcels.push_back(parcel);
        arrived.count += 1;
        drop(rounds);
        self.wake();
    }

    /// Records an acknowledgement of bytes by their receiver.
    pub fn acknowledge(&self, by: usize, bytes: u64) {
        self.in_flight[by].fetch_sub(bytes, SeqCst);
        self.wake();
    }

    /// Records the number of parcels that another process has posted to this one in a round.
    pub fn announce(&self, round: u64, parcels: u64) {
        self.rounds().entry(round).or_default().announced += parcels;
    }

    /// Records that all processes have closed the rounds below `round`. Returns whether that changed.
    pub fn set_closed_below(&self, round: u64) -> bool {
        let changed = self.closed.swap(round, SeqCst) != round;
        if changed {
            drop(self.rounds());
            self.wake();
        }
        changed
    }

    /// Wakes parked threads. Skips the system call if there are none, since it costs as much as a parcel.
    fn wake(&self) {
        if self.is_awaited() {
            self.arrived.notify_all();
        }
    }

    fn rounds(&self) -> MutexGuard<'_, BTreeMap<u64, Arrived>> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_over_once_all_announced_parcels_are_taken() {
        let inbox = Inbox::new(2);
        inbox.put(3, Parcel { from: 1, bytes: vec![7] });
        inbox.announce(3, 2);
        inbox.set_closed_below(4);
        assert!(inbox.take(3).is_some() && inbox.take(3).is_none() && !inbox.is_over(3));
        inbox.put(3, Parcel { from: 1, bytes: vec![8] });
        assert!(!inbox.is_over(3));
        assert!(inbox.take(3).is_some() && inbox.is_over(3));
        assert!(inbox.is_over(2) && !inbox.is_over(4));
    }
}
