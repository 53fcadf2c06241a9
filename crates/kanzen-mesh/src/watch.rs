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
use crate::pulse::{PULSE, Pulse, Pulses};

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
