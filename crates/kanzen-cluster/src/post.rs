//! Transport of parcels between two processes.
//!
//! ```text
//!   engine ──write──> connection ──> reader thread ──inbox──> engine
//!
//!   round     length   bytes ...     a parcel
//!   bytes     ACK                    acknowledges bytes of the reader's parcels
//! ```
//!
//! The sender writes to the connection itself, without waking a thread. The reader thread never blocks on anything but the
//! connection, so a sender cannot deadlock. The send windows bound the size of the inbox.

use std::io::{self, BufReader, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kanzen::Error;
use kanzen::mesh::Parcel;

use crate::faults::{Fate, Faults};
use crate::inbox::Inbox;

const HEAD: usize = 12;
/// In place of a length: an acknowledgement.
const ACK: u32 = u32::MAX;
/// Maximum length of a parcel. A longer one is a malformed frame.
const MAX_LENGTH: u32 = 1 << 30;
/// Write timeout, after which the sender checks for faults.
const WRITE_TIMEOUT: Duration = Duration::from_millis(200);
/// Size of the read buffer: small parcels need one system call, long ones bypass the buffer.
const AHEAD: usize = 1 << 12;

/// The parcel connection to one other process.
pub struct Post {
    stream: Mutex<TcpStream>,
    peer: String,
    faults: Faults,
    /// Bytes written to all connections.
    written: Arc<AtomicU64>,
}

impl Post {
    /// Takes over the connection to process `from`, named `peer`, and starts a thread that fills the inbox.
    pub fn new(
        stream: TcpStream,
        from: usize,
        peer: String,
        inbox: Arc<Inbox>,
        faults: &Faults,
        written: &Arc<AtomicU64>,
    ) -> io::Result<Post> {
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let (reader, name, seen) = (stream.try_clone()?, peer.clone(), faults.clone());
        let read = move || {
            let why = match listen(reader, from, &inbox) {
                Ok(()) => {
                    return seen
                        .note(Fate::Lost { peer: name, reason: "sent a malformed frame (protocol error)".to_owned() });
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => "connection closed".to_owned(),
                Err(error) => error.to_string(),
            };
            if !seen.is_closing() {
                seen.note_gone(&name, &format!("disconnected: {why}"));
            }
        };
        std::thread::Builder::new().name("mesh:post".into()).spawn(read)?;
        Ok(Post { stream: Mutex::new(stream), peer, faults: faults.clone(), written: written.clone() })
    }

    /// Sends a parcel of a round.
    pub fn send(&self, round: u64, bytes: &[u8]) -> Result<(), Error> {
        let length = u32::try_from(bytes.len()).ok().filter(|&length| length <= MAX_LENGTH);
        let length = length.ok_or_else(|| Error::BadRequest("a parcel exceeds the maximum length".to_owned()))?;
        self.write(round, length, bytes)
    }

    /// Acknowledges bytes of the other process.
    pub fn send_ack(&self, bytes: u64) -> Result<(), Error> {
        self.write(bytes, ACK, &[])
    }

    /// Closes the sending side, which ends the reader thread of the peer.
    pub fn end(&self) {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).shutdown(Shutdown::Write).ok();
    }

    fn write(&self, number: u64, length: u32, bytes: &[u8]) -> Result<(), Error> {
        self.faults.check()?;
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&number.to_le_bytes());
        head[8..].copy_from_slice(&length.to_le_bytes());
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        while done < HEAD + bytes.len() {
            let written = match head.get(done..).filter(|head| !head.is_empty()) {
                Some(head) => stream.write_vectored(&[IoSlice::new(head), IoSlice::new(bytes)]),
                None => stream.write(&bytes[done - HEAD..]),
            };
            match written {
                Ok(0) => self.gone("connection closed")?,
                Ok(written) => done += written,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The peer is slow or suspended: heartbeats detect the latter.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    self.faults.check()?;
                }
                // A finished peer may close before it has read the last frame.
                Err(_) if self.faults.is_closing() => return Ok(()),
                Err(error) => self.gone(&error.to_string())?,
            }
        }
        self.written.fetch_add(done as u64, Relaxed);
        Ok(())
    }

    fn gone(&self, why: &str) -> Result<(), Error> {
        let reason = format!("disconnected: {why}");
        self.faults.note_gone(&self.peer, &reason);
        self.faults.check()?;
        Err(Error::PeerLost { peer: self.peer.clone(), reason })
    }
}

/// Moves received frames into the inbox. Returns `Ok` on a malformed frame and an error when the connection ends.
fn listen(stream: TcpStream, from: usize, inbox: &Inbox) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(AHEAD, stream);
    loop {
        let mut head = [0; HEAD];
        reader.read_exact(&mut head)?;
        let (number, length) = head.split_at(8);
        let number = u64::from_le_bytes(number.try_into().expect("eight bytes"));
        match u32::from_le_bytes(length.try_into().expect("four bytes")) {
            ACK => inbox.acknowledge(from, number),
            length if length > MAX_LENGTH => return Ok(()),
            length => {
                let mut bytes = vec![0; length as usize];
                reader.read_exact(&mut bytes)?;
                inbox.put(number, Parcel { from, bytes });
            }
        }
    }
}
