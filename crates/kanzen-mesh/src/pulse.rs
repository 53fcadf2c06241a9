//! How each process is getting on: what it tells the others with every heartbeat.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How a process is getting on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pulse {
    /// Steps of the work that it has done.
    pub steps: u64,
    /// Bytes that it has written to the network.
    pub bytes: u64,
    /// Microseconds that its threads, all together, have waited for others. Who waits least is waited for.
    pub waited: u64,
}

/// Bytes of a pulse on the wire.
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

/// The pulses of all processes, as one of them knows them: its own now, those of the others about a second ago.
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
    /// Those of so many processes, for the one with number `me`.
    pub fn new(processes: usize, me: usize) -> Pulses {
        Pulses { me, each: (0..processes).map(|_| Default::default()).collect() }
    }

    /// This process has done some steps.
    pub fn advance(&self, steps: u64) {
        self.each[self.me][0].fetch_add(steps, Relaxed);
    }

    /// The pulse of each process, by number.
    pub fn all(&self) -> impl Iterator<Item = Pulse> + '_ {
        self.each.iter().map(|numbers| {
            let [steps, bytes, waited] = [0, 1, 2].map(|at| numbers[at].load(Relaxed));
            Pulse { steps, bytes, waited }
        })
    }

    /// The process that the others wait for: the one that has waited least. Nothing if this one is alone.
    pub fn slowest(&self) -> Option<usize> {
        let (number, _) = self.all().enumerate().min_by_key(|(_, pulse)| pulse.waited)?;
        (self.each.len() > 1).then_some(number)
    }

    pub(crate) fn own(&self) -> Pulse {
        self.all().nth(self.me).unwrap_or_default()
    }

    pub(crate) fn wrote(&self, bytes: u64) {
        self.each[self.me][1].store(bytes, Relaxed);
    }

    pub(crate) fn waited(&self, time: Duration) {
        self.each[self.me][2].fetch_add(time.as_micros() as u64, Relaxed);
    }

    pub(crate) fn hear(&self, from: usize, pulse: Pulse) {
        for (at, number) in [pulse.steps, pulse.bytes, pulse.waited].into_iter().enumerate() {
            self.each[from][at].store(number, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_travels_and_the_one_that_waits_least_is_the_slowest() {
        let pulses = Pulses::new(3, 0);
        for (from, waited) in [(1, 7), (2, 90)] {
            let pulse = Pulse { steps: 10 * from as u64, bytes: u64::MAX, waited };
            assert_eq!(Pulse::of_bytes(&pulse.to_bytes()), pulse);
            pulses.hear(from, pulse);
        }
        pulses.waited(Duration::from_micros(50));
        pulses.advance(5);
        assert_eq!(pulses.slowest(), Some(1));
        assert_eq!(pulses.all().map(|pulse| pulse.steps).sum::<u64>(), 35);
        assert_eq!(Pulses::new(1, 0).slowest(), None);
    }
}
