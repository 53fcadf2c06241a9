//! Per-process statistics, sent with every heartbeat.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The statistics of one process.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pulse {
    /// Completed steps of the work.
    pub steps: u64,
    /// Bytes written to the network.
    pub bytes: u64,
    /// Microseconds that its threads have waited for others, in total. The process that waits least is the bottleneck.
    pub waited: u64,
}

/// Size of a pulse on the wire.
pub(crate) const PULSE: usize = 24;

impl Pulse {
    pub(crate) fn to_bytes(self) -> [u8; PULSE] {
        let mut bytes = [0; PULSE];
        for (to, number) in bytes.as_chunks_mut().0.iter_mut().zip([self.steps, self.bytes, self.waited]) {
            *to = u64::to_le_bytes(number);
        }
        bytes
    }

    pub(crate) fn of_bytes(bytes: &[u8; PULSE]) -> Pulse {
        let number = |at: usize| u64::from_le_bytes(bytes.as_chunks().0[at]);
        Pulse { steps: number(0), bytes: number(1), waited: number(2) }
    }
}

/// The latest pulses of all processes, as known to one of them. Those of the others are about a second old.
///
/// ```
/// let pulses = kanzen_mesh::Pulses::new(3, 1);
/// pulses.advance(50);
/// assert_eq!(pulses.all().map(|pulse| pulse.steps).collect::<Vec<_>>(), [0, 50, 0]);
/// assert_ne!(pulses.slowest(), None);
/// ```
#[derive(Debug)]
pub struct Pulses {
    me: usize,
    each: Vec<[AtomicU64; 3]>,
}

impl Pulses {
    /// Creates empty pulses for a number of processes, owned by process `me`.
    pub fn new(processes: usize, me: usize) -> Pulses {
        Pulses { me, each: (0..processes).map(|_| Default::default()).collect() }
    }

    /// Adds completed steps of this process.
    pub fn advance(&self, steps: u64) {
        self.each[self.me][0].fetch_add(steps, Relaxed);
    }

    /// Returns the pulse of each process, by number.
    pub fn all(&self) -> impl Iterator<Item = Pulse> + '_ {
        self.each.iter().map(|numbers| {
            let [steps, bytes, waited] = [0, 1, 2].map(|at| numbers[at].load(Relaxed));
            Pulse { steps, bytes, waited }
        })
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

    pub(crate) fn update(&self, from: usize, pulse: Pulse) {
        for (at, number) in [pulse.steps, pulse.bytes, pulse.waited].into_iter().enumerate() {
            self.each[from][at].store(number, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_round_trips_and_the_slowest_process_waits_least() {
        let pulses = Pulses::new(3, 0);
        for (from, waited) in [(1, 7), (2, 90)] {
            let pulse = Pulse { steps: 10 * from as u64, bytes: u64::MAX, waited };
            assert_eq!(Pulse::of_bytes(&pulse.to_bytes()), pulse);
            pulses.update(from, pulse);
        }
        pulses.add_wait(Duration::from_micros(50));
        pulses.advance(5);
        assert_eq!(pulses.slowest(), Some(1));
        assert_eq!(pulses.all().map(|pulse| pulse.steps).sum::<u64>(), 35);
        assert_eq!(Pulses::new(1, 0).slowest(), None);
    }
}
