//! Heartbeats: a process that was stopped, cut off or killed is noticed within seconds.
//!
//! ```text
//! . steps bytes waited   alive, and how it is getting on
//! ! length text          about to end, because of this
//! s                      asked to stop
//! ```
//!
//! Each process writes to all others every second, on a connection of its own, from a thread that does nothing else.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::faults::{Fate, Faults};
use crate::pulse::{PULSE, Pulse, Pulses};

const BEAT: Duration = Duration::from_secs(1);
/// A peer that says nothing for so long is lost. Less than the ten seconds that are promised, by what ending takes.
const SILENCE: Duration = Duration::from_secs(7);
/// Last words of more bytes are cut.
const MOST_WORDS: usize = 2000;

/// The watch over all other processes.
pub struct Watch {
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Watch {
    /// Watches the processes at the other ends, each with its number and name, and takes note of their pulses.
    /// `written` counts the bytes that this one has written to the network.
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
            let listen = move || listen(&peer, stream, &faults, |pulse| pulses.hear(number, pulse));
            std::thread::Builder::new().name("mesh:watch".into()).spawn(listen)?;
        }
        let streams = Arc::new(Mutex::new(writers));
        let (beaten, faults, pulses, written) = (streams.clone(), faults.clone(), pulses.clone(), written.clone());
        std::thread::Builder::new().name("mesh:beat".into()).spawn(move || {
            while !faults.is_closing() {
                pulses.wrote(written.load(Relaxed));
                let beat: Vec<u8> = std::iter::once(b'.').chain(pulses.own().to_bytes()).collect();
                for stream in beaten.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
                    // A peer that does not read, or is gone: the one who listens to it will notice.
                    stream.write_all(&beat).ok();
                }
                std::thread::sleep(BEAT);
            }
        })?;
        Ok(Watch { streams })
    }

    /// Tells all others why this process ends.
    pub fn say(&self, fate: &Fate) {
        let message = match fate {
            Fate::Stopped => b"s".to_vec(),
            Fate::Lost { reason, .. } => {
                let words: Vec<u8> = reason.bytes().take(MOST_WORDS).collect();
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

/// Listens to one process until it is lost or all are done.
fn listen(peer: &str, mut stream: TcpStream, faults: &Faults, hear: impl Fn(Pulse)) {
    let lost = |reason: String| faults.note(Fate::Lost { peer: peer.to_owned(), reason });
    loop {
        let mut kind = [0];
        match stream.read(&mut kind) {
            Ok(0) => {
                return if !faults.is_closing() {
                    faults.note_gone(peer, "is gone: its connection was closed")
                };
            }
            Ok(_) => match kind[0] {
                b'.' => {
                    // If there is no more of it, the next read tells why.
                    let mut pulse = [0; PULSE];
                    if stream.read_exact(&mut pulse).is_ok() {
                        hear(Pulse::of_bytes(&pulse));
                    }
                }
                b's' => return faults.note(Fate::Stopped),
                b'!' => return lost(last_words(&mut stream)),
                _ => return lost("says what nobody understands".to_owned()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                return lost(format!("was not heard of for {} seconds", SILENCE.as_secs()));
            }
            Err(error) => return lost(format!("is gone: {error}")),
        }
    }
}

fn last_words(stream: &mut TcpStream) -> String {
    let mut length = [0; 4];
    let mut words = Vec::new();
    if stream.read_exact(&mut length).is_ok() {
        words.resize((u32::from_le_bytes(length) as usize).min(MOST_WORDS), 0);
        if stream.read_exact(&mut words).is_err() {
            words.clear();
        }
    }
    let words = String::from_utf8_lossy(&words).replace(char::is_control, " ");
    if words.is_empty() { "has ended".to_owned() } else { format!("has ended: {words}") }
}
