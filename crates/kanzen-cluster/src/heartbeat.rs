//! Heartbeats: detect a process that is suspended, cut off or killed within seconds, and processes that all wait.
//!
//! Each process sends its pulse to all others every second, unless it sends something else. A peer that sends nothing for
//! seven seconds is lost. A pulse contains how long a process has waited without any progress: if that is long for all
//! of them, a message is lost or one of them has forgotten to send it, and nothing would ever happen again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::faults::{Fate, Faults};
use crate::post::Post;

const BEAT: Duration = Duration::from_secs(1);
/// A peer from which nothing arrives for this long is lost. Shutdown must fit into the rest of the documented ten seconds.
pub const SILENCE: Duration = Duration::from_secs(7);
/// Seconds without progress of any process, after which all end.
const STALLED: u64 = 20;
/// Stack of a thread that only sends heartbeats.
const STACK: usize = 1 << 17;

/// Starts to send heartbeats on all connections, and to watch the progress of all processes. `written` counts the bytes
/// that this process has written to the network.
pub fn beat(
    posts: impl Iterator<Item = Arc<Post>>,
    faults: &Faults,
    pulses: &Arc<Pulses>,
    written: &Arc<AtomicU64>,
) -> std::io::Result<()> {
    let thread = || std::thread::Builder::new().name("mesh:beat".into()).stack_size(STACK);
    // A thread for each, since a connection whose peer is suspended blocks its sender.
    for post in posts {
        let (faults, pulses) = (faults.clone(), pulses.clone());
        thread().spawn(move || {
            while !faults.is_closing() {
                post.send_beat(pulses.own());
                std::thread::sleep(BEAT);
            }
        })?;
    }
    let (faults, pulses, written) = (faults.clone(), pulses.clone(), written.clone());
    thread().spawn(move || {
        let mut before = Progress::default();
        while !faults.is_closing() {
            pulses.set_bytes(written.load(Relaxed));
            pulses.sample(&mut before);
            if pulses.have_stalled() {
                let reason = format!("have waited for each other for {STALLED} seconds (a message is missing)");
                faults.note(Fate::Lost { peer: "all processes".to_owned(), reason });
            }
            std::thread::sleep(BEAT);
        }
    })?;
    Ok(())
}

/// The statistics of one process.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pulse {
    /// Completed steps of the work.
    pub steps: u64,
    /// Bytes written to the network.
    pub bytes: u64,
    /// Microseconds that its threads have waited for others, in total. The process that waits least is the bottleneck.
    pub waited: u64,
    /// Seconds since its last progress, if it waits for others.
    pub stalled: u64,
}

/// Size of a pulse on the wire.
pub(crate) const PULSE: usize = 32;

impl Pulse {
    fn numbers(self) -> [u64; 4] {
        [self.steps, self.bytes, self.waited, self.stalled]
    }

    fn of([steps, bytes, waited, stalled]: [u64; 4]) -> Pulse {
        Pulse { steps, bytes, waited, stalled }
    }

    pub(crate) fn to_bytes(self) -> [u8; PULSE] {
        let mut bytes = [0; PULSE];
        for (to, number) in bytes.as_chunks_mut().0.iter_mut().zip(self.numbers()) {
            *to = u64::to_le_bytes(number);
        }
        bytes
    }

    pub(crate) fn of_bytes(bytes: &[u8; PULSE]) -> Pulse {
        Pulse::of(std::array::from_fn(|at| u64::from_le_bytes(bytes.as_chunks().0[at])))
    }
}

/// The latest pulses of all processes, as known to one of them. Those of the others are about a second old.
///
/// ```
/// let pulses = kanzen_cluster::Pulses::new(3, 1);
/// pulses.advance(50);
/// assert_eq!(pulses.all().map(|pulse| pulse.steps).collect::<Vec<_>>(), [0, 50, 0]);
/// assert_ne!(pulses.slowest(), None);
/// ```
#[derive(Debug)]
pub struct Pulses {
    me: usize,
    each: Vec<[AtomicU64; 4]>,
    /// Parcels and rounds of this process.
    moved: AtomicU64,
}

/// What a process had done when it was last looked at.
#[derive(Default)]
struct Progress {
    done: u64,
    waited: u64,
}

impl Pulses {
    /// Creates empty pulses for a number of processes, owned by process `me`.
    pub fn new(processes: usize, me: usize) -> Pulses {
        Pulses { me, each: (0..processes).map(|_| Default::default()).collect(), moved: AtomicU64::new(0) }
    }

    /// Adds completed steps of this process.
    pub fn advance(&self, steps: u64) {
        self.each[self.me][0].fetch_add(steps, Relaxed);
    }

    /// Returns the pulse of each process, by number.
    pub fn all(&self) -> impl Iterator<Item = Pulse> + '_ {
        self.each.iter().map(|numbers| Pulse::of(numbers.each_ref().map(|number| number.load(Relaxed))))
    }

    /// Returns the bottleneck: the process that has waited least. `None` for a single process.
    pub fn slowest(&self) -> Option<usize> {
        let (number, _) = self.all().enumerate().min_by_key(|(_, pulse)| pulse.waited)?;
        (self.each.len() > 1).then_some(number)
    }

    pub(crate) fn own(&self) -> Pulse {
        self.all().nth(self.me).unwrap_or_default()
    }

    pub(crate) fn set_bytes(&self, bytes: u64) {
        self.each[self.me][1].store(bytes, Relaxed);
    }

    pub(crate) fn add_wait(&self, time: Duration) {
        self.each[self.me][2].fetch_add(time.as_micros() as u64, Relaxed);
    }

    /// Records a parcel or a round.
    pub(crate) fn add_move(&self) {
        self.moved.fetch_add(1, Relaxed);
    }

    /// Records the pulse of another process.
    pub(crate) fn update(&self, from: usize, pulse: Pulse) {
        for (to, number) in self.each[from].iter().zip(pulse.numbers()) {
            to.store(number, Relaxed);
        }
    }

    /// Notes, once a second, whether this process has only waited since `before`.
    fn sample(&self, before: &mut Progress) {
        let [steps, _, waited, stalled] = &self.each[self.me];
        let now =
            Progress { done: steps.load(Relaxed).wrapping_add(self.moved.load(Relaxed)), waited: waited.load(Relaxed) };
        let only_waited = now.done == before.done && now.waited > before.waited;
        stalled.store(if only_waited { stalled.load(Relaxed) + 1 } else { 0 }, Relaxed);
        *before = now;
    }

    /// Whether no process has made progress for a long time.
    fn have_stalled(&self) -> bool {
        self.all().all(|pulse| pulse.stalled >= STALLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_round_trips_and_the_slowest_process_waits_least() {
        let pulses = Pulses::new(3, 0);
        for (from, waited) in [(1, 7), (2, 90)] {
            let pulse = Pulse { steps: 10 * from as u64, bytes: u64::MAX, waited, stalled: 3 };
            assert_eq!(Pulse::of_bytes(&pulse.to_bytes()), pulse);
            pulses.update(from, pulse);
        }
        pulses.add_wait(Duration::from_micros(50));
        pulses.advance(5);
        assert_eq!(pulses.slowest(), Some(1));
        assert_eq!(pulses.all().map(|pulse| pulse.steps).sum::<u64>(), 35);
        assert_eq!(Pulses::new(1, 0).slowest(), None);
    }

    #[test]
    fn processes_that_all_wait_have_stalled_and_a_step_of_one_is_progress() {
        let (pulses, mut before) = (Pulses::new(2, 0), Progress::default());
        let wait = |before: &mut Progress| {
            for _ in 0..STALLED {
                pulses.add_wait(BEAT);
                pulses.sample(before);
            }
        };
        wait(&mut before);
        assert!(!pulses.have_stalled(), "the other process does not wait");
        pulses.update(1, Pulse { stalled: STALLED, ..Pulse::default() });
        assert!(pulses.have_stalled());
        for progress in [|pulses: &Pulses| pulses.add_move(), |pulses: &Pulses| pulses.advance(1), |_: &Pulses| {}] {
            wait(&mut before);
            progress(&pulses);
            // The last one computes: it neither waits nor moves.
            pulses.sample(&mut before);
            assert!(!pulses.have_stalled());
        }
    }
}
