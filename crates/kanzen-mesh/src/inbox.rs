//! What has arrived from other processes, by round, and who waits for it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kanzen::mesh::Parcel;

/// How often who waits looks again before it sleeps: to wake somebody takes longer than most answers do.
pub const SPINS: u32 = 64;
/// Whoever offers its processor and gets it back only after this has let somebody else work. It sleeps at once: where there
/// are more who work than processors, to look again and again takes from them what is waited for.
const OTHERS_WORK: Duration = Duration::from_micros(10);
/// How long it sleeps at most.
const NAP: Duration = Duration::from_millis(2);

/// What has arrived.
#[derive(Default)]
pub struct Inbox {
    rounds: Mutex<BTreeMap<u64, Arrived>>,
    arrived: Condvar,
    /// Rounds below this were closed by everybody, and all announcements in them are here.
    closed: AtomicU64,
    /// How many threads wait for something to arrive.
    resting: AtomicUsize,
    /// Bytes that this process has posted and that were not taken yet, as far as it knows: by receiver.
    pub on_their_way: Vec<AtomicU64>,
}

/// What has arrived in a round.
#[derive(Default)]
struct Arrived {
    parcels: VecDeque<Parcel>,
    /// How many parcels that was, those that were taken too.
    count: u64,
    /// How many were announced.
    announced: u64,
}

impl Inbox {
    /// An empty one, with so many processes.
    pub fn new(peers: usize) -> Inbox {
        Inbox { on_their_way: (0..peers).map(|_| AtomicU64::new(0)).collect(), ..Inbox::default() }
    }

    /// A parcel of a round.
    pub fn take(&self, round: u64) -> Option<Parcel> {
        self.rounds().get_mut(&round)?.parcels.pop_front()
    }

    /// Whether a round is over and all its parcels were taken.
    pub fn is_over(&self, round: u64) -> bool {
        self.is_done(&self.rounds(), round)
    }

    fn is_done(&self, rounds: &BTreeMap<u64, Arrived>, round: u64) -> bool {
        let all = |arrived: &Arrived| arrived.parcels.is_empty() && arrived.count == arrived.announced;
        self.closed.load(SeqCst) > round && rounds.get(&round).is_none_or(all)
    }

    /// Nothing is wanted of a round any more.
    pub fn forget(&self, round: u64) {
        self.rounds().remove(&round);
    }

    /// Waits until something happens, not for long.
    pub fn park(&self, round: u64) {
        self.resting.fetch_add(1, SeqCst);
        let nothing = |rounds: &BTreeMap<u64, Arrived>| {
            rounds.get(&round).is_none_or(|arrived| arrived.parcels.is_empty()) && !self.is_done(rounds, round)
        };
        let mut waits = true;
        for _ in 0..SPINS {
            let since = Instant::now();
            std::thread::yield_now();
            waits = nothing(&self.rounds());
            if !waits || since.elapsed() > OTHERS_WORK {
                break;
            }
        }
        if waits {
            let rounds = self.rounds();
            if nothing(&rounds) {
                drop(self.arrived.wait_timeout(rounds, NAP));
            }
        }
        self.resting.fetch_sub(1, SeqCst);
    }

    /// Whether somebody waits.
    pub fn is_awaited(&self) -> bool {
        self.resting.load(SeqCst) > 0
    }

    /// A parcel has come.
    pub fn put(&self, round: u64, parcel: Parcel) {
        let mut rounds = self.rounds();
        let arrived = rounds.entry(round).or_default();
        arrived.parcels.push_back(parcel);
        arrived.count += 1;
        drop(rounds);
        self.wake();
    }

    /// Another process has taken so many bytes of this one.
    pub fn was_taken(&self, by: usize, bytes: u64) {
        self.on_their_way[by].fetch_sub(bytes, SeqCst);
        self.wake();
    }

    /// Another process says how many parcels it has posted to this one in a round.
    pub fn announce(&self, round: u64, parcels: u64) {
        self.rounds().entry(round).or_default().announced += parcels;
    }

    /// Notes that rounds were closed by everybody; tells whether that is news.
    pub fn rounds_are_closed_below(&self, round: u64) -> bool {
        let news = self.closed.swap(round, SeqCst) != round;
        if news {
            drop(self.rounds());
            self.wake();
        }
        news
    }

    /// To tell the system that somebody may go on costs as much as a parcel: not if nobody waits.
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
    fn a_round_is_over_when_all_that_was_announced_was_taken() {
        let inbox = Inbox::new(2);
        inbox.put(3, Parcel { from: 1, bytes: vec![7] });
        inbox.announce(3, 2);
        inbox.rounds_are_closed_below(4);
        assert!(inbox.take(3).is_some() && inbox.take(3).is_none() && !inbox.is_over(3));
        inbox.put(3, Parcel { from: 1, bytes: vec![8] });
        assert!(!inbox.is_over(3));
        assert!(inbox.take(3).is_some() && inbox.is_over(3));
        assert!(inbox.is_over(2) && !inbox.is_over(4));
    }
}
