//! Heartbeats: detect a process that is suspended, cut off or killed within seconds.
//!
//! ```text
//! . steps bytes waited   alive, with statistics
//! ! length text          about to exit with this error
//! s                      interrupted
//! ```
//!
//! Each process sends a heartbeat to all others every second, over a separate connection and from a dedicated thread.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::faults::{Fate, Faults};

const BEAT: Duration = Duration::from_secs(1);
/// A peer without a heartbeat for this long is lost. Shutdown must fit into the rest of the documented ten seconds.
const SILENCE: Duration = Duration::from_secs(7);
/// Maximum length of an error message; longer ones are cut.
const MAX_MESSAGE: usize = 2000;

/// Monitors all other processes.
pub struct Watch {
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Watch {
    /// Starts to monitor the given processes (number, name, connection) and to collect their pulses. `written` counts the
    /// bytes that this process has written to the network.
    pub fn new(
        streams: Vec<(usize, String, TcpStream)>,
        faults: &Faults,
        pulses: &Arc<Pulses>,
        written: &Arc<AtomicU64>,
    ) -> std::io::Result<Watch> {
        let mut writers = Vec::new();
        for (number, peer, stream) in streams {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(SILENCE))?;
            stream.set_write_timeout(Some(BEAT))?;
            writers.push(stream.try_clone()?);
            let (faults, pulses) = (faults.clone(), pulses.clone());
            let listen = move || listen(&peer, stream, &faults, |pulse| pulses.update(number, pulse));
            std::thread::Builder::new().name("mesh:watch".into()).spawn(listen)?;
        }
        let streams = Arc::new(Mutex::new(writers));
        let (beaten, faults, pulses, written) = (streams.clone(), faults.clone(), pulses.clone(), written.clone());
        std::thread::Builder::new().name("mesh:beat".into()).spawn(move || {
            while !faults.is_closing() {
                pulses.set_bytes(written.load(Relaxed));
                let beat: Vec<u8> = std::iter::once(b'.').chain(pulses.own().to_bytes()).collect();
                for stream in beaten.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
                    // Ignore write errors: the reader thread of that peer detects the loss.
                    stream.write_all(&beat).ok();
                }
                std::thread::sleep(BEAT);
            }
        })?;
        Ok(Watch { streams })
    }

    /// Sends the reason why this process ends to all others.
    pub fn broadcast(&self, fate: &Fate) {
        let message = match fate {
            Fate::Stopped => b"s".to_vec(),
            Fate::Lost { reason, .. } => {
                let words: Vec<u8> = reason.bytes().take(MAX_MESSAGE).collect();
                let mut message = b"!".to_vec();
                message.extend((words.len() as u32).to_le_bytes());
                message.extend(words);
                message
            }
        };
        for stream in self.streams.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            stream.write_all(&message).ok();
        }
    }
}

/// Reads heartbeats of one process until it is lost or all processes are done.
fn listen(peer: &str, mut stream: TcpStream, faults: &Faults, update: impl Fn(Pulse)) {
    let lost = |reason: String| faults.note(Fate::Lost { peer: peer.to_owned(), reason });
    loop {
        let mut kind = [0];
        match stream.read(&mut kind) {
            Ok(0) => {
                return if !faults.is_closing() {
                    faults.note_gone(peer, "disconnected")
                };
            }
            Ok(_) => match kind[0] {
                b'.' => {
                    // If the pulse is cut off, the next read reports the error.
                    let mut pulse = [0; PULSE];
                    if stream.read_exact(&mut pulse).is_ok() {
                        update(Pulse::of_bytes(&pulse));
                    }
                }
                b's' => return faults.note(Fate::Stopped),
                b'!' => return lost(read_error(&mut stream)),
                _ => return lost("sent a malformed frame (protocol error)".to_owned()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                return lost(format!("sent no heartbeat for {} seconds", SILENCE.as_secs()));
            }
            Err(error) => return lost(format!("disconnected: {error}")),
        }
    }
}

fn read_error(stream: &mut TcpStream) -> String {
    let mut length = [0; 4];
    let mut words = Vec::new();
    if stream.read_exact(&mut length).is_ok() {
        words.resize((u32::from_le_bytes(length) as usize).min(MAX_MESSAGE), 0);
        if stream.read_exact(&mut words).is_err() {
            words.clear();
        }
    }
    let words = String::from_utf8_lossy(&words).replace(char::is_control, " ");
    if words.is_empty() { "failed".to_owned() } else { format!("failed: {words}") }
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
/// let pulses = kanzen_cluster::Pulses::new(3, 1);
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
